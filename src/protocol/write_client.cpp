#include "protocol/write_client.hpp"

#include "protocol/meta_keys.hpp"
#include "protocol/write_parts.hpp"
#include "protocol/write_task.hpp"

namespace tenon::protocol {
namespace {

json::object extensions_of(const ClientAbilities& a, const Rules& rules) {
    json::object out = a.extensions;
    if (a.tasks && rules.has(Trait::tasks_extension)) out.emplace(tasks_extension, json::object());
    return out;
}

json::object capabilities(const ClientAbilities& a, const Rules& rules) {
    json::object out;
    if (a.roots) {
        json::object roots;
        if (rules.method("notifications/roots/list_changed", Sender::client)) roots.emplace("listChanged", true);
        out.emplace("roots", std::move(roots));
    }
    if (a.sampling) {
        json::object sampling;
        if (a.sampling_tools && rules.has(Trait::sampling_tools)) sampling.emplace("tools", json::object());
        if (a.sampling_context && rules.has(Trait::sampling_tools)) sampling.emplace("context", json::object());
        out.emplace("sampling", std::move(sampling));
    }
    if (rules.has(Trait::url_elicitation)) {
        json::object modes;
        if (a.elicitation_form) modes.emplace("form", json::object());
        if (a.elicitation_url) modes.emplace("url", json::object());
        if (!modes.empty()) out.emplace("elicitation", std::move(modes));
    } else if (a.elicitation_form && rules.method("elicitation/create", Sender::server)) {
        out.emplace("elicitation", json::object());
    }
    json::object extensions = extensions_of(a, rules);
    if (!extensions.empty() && rules.has(Trait::extensions)) out.emplace("extensions", std::move(extensions));
    return out;
}

json::value as_json(const Implementation& info, const Rules& rules) {
    return json::parse(encode(info, rules).json).value();
}

}  // namespace

jsonrpc::Encoded encode_introduction(const ClientIdentity& client, const Rules& rules) {
    jsonrpc::Encoded out;
    Writer w(out.json);
    w.begin_object();
    w.field("protocolVersion", rules.name());
    w.field("capabilities", capabilities(client.abilities, rules));
    w.key("clientInfo");
    write(w, client.info, rules);
    w.end_object();
    return out;
}

json::object request_meta(const ClientIdentity& client, const Rules& rules) {
    if (rules.is_legacy()) return {};
    return {{meta_key::version, rules.name()},
            {meta_key::client_info, as_json(client.info, rules)},
            {meta_key::client_capabilities, capabilities(client.abilities, rules)}};
}

void write(Writer& w, const ElicitResult& v, const Rules&) {
    w.begin_object();
    w.field("action", v.action == ElicitAction::accept    ? "accept"
                      : v.action == ElicitAction::decline ? "decline"
                                                          : "cancel");
    if (v.action == ElicitAction::accept && !v.content.empty()) w.field("content", v.content);
    w.end_object();
}

void write(Writer& w, const SampleResult& v, const Rules& rules) {
    w.begin_object();
    w.field("role", to_string(v.role));
    w.key("content");
    const bool many = v.content.size() != 1 && rules.has(Trait::sampling_tools);
    if (many) {
        w.begin_array();
        for (const SamplingContent& block : v.content) write_block(w, block, rules);
        w.end_array();
    } else if (v.content.size() == 1) {
        write_block(w, v.content.front(), rules);
    } else {
        write(w, Content(TextContent{v.text()}), rules);  // the revision allows only one block
    }
    w.field("model", v.model);
    write_optional(w, "stopReason", v.stopReason);
    w.end_object();
}

void write(Writer& w, const std::vector<Root>& v, const Rules&) {
    w.begin_object();
    w.key("roots");
    w.begin_array();
    for (const Root& root : v) {
        w.begin_object();
        w.field("uri", root.uri);
        write_optional(w, "name", root.name);
        w.end_object();
    }
    w.end_array();
    w.end_object();
}

}  // namespace tenon::protocol
