#include "core/server/uses.hpp"

#include "protocol/methods.hpp"

namespace tenon::core {

using protocol::Uses;

namespace {

std::string_view text(const json::object& o, std::string_view member) {
    const json::value* v = o.if_contains(member);
    return v && v->is_string() ? std::string_view(v->get_string()) : std::string_view();
}

const json::object& object(const json::object& o, std::string_view member) {
    static const json::object none;
    const json::value* v = o.if_contains(member);
    return v && v->is_object() ? v->get_object() : none;
}

template <class Entry>
void add(std::vector<Use>& uses, const Table<Entry>& table, std::string_view key) {
    if (const auto entry = table.find(key)) uses.push_back(use_of(entry->definition));
}

void add_resource(std::vector<Use>& uses, const Features& features, std::string_view uri) {
    if (const auto use = use_of_resource(features, uri)) uses.push_back(*use);
}

void add_reference(std::vector<Use>& uses, const Features& features, const json::object& ref) {
    if (text(ref, "type") == "ref/prompt") return add(uses, features.prompts, text(ref, "name"));
    add(uses, features.templates, text(ref, "uri"));
    add(uses, features.resources, text(ref, "uri"));
}

void add_subscriptions(std::vector<Use>& uses, const Features& features, const json::object& notifications) {
    const json::value* uris = notifications.if_contains("resourceSubscriptions");
    if (!uris || !uris->is_array()) return;
    for (const json::value& uri : uris->get_array())
        if (uri.is_string()) add_resource(uses, features, uri.get_string());
}

}  // namespace

// Finds the same entry as resources/read.
std::optional<Use> use_of_resource(const Features& features, std::string_view uri) {
    if (const auto entry = features.resources.find(uri)) return use_of(entry->definition);
    for (const auto& entry : features.templates.all())
        if (entry->match(uri)) return Use{UseKind::resource, entry->definition.uriTemplate, uri};
    return std::nullopt;
}

std::vector<Use> uses_of(std::string_view method, const json::object& params, const Features& features) {
    std::vector<Use> uses;
    const protocol::Method* row = protocol::find_method(method);
    if (!row) {
        if (const auto entry = features.methods.find(method)) uses.push_back(use_of(*entry));
        return uses;
    }
    switch (row->uses) {
        case Uses::nothing: break;
        case Uses::tool: add(uses, features.tools, text(params, row->target)); break;
        case Uses::prompt: add(uses, features.prompts, text(params, row->target)); break;
        case Uses::resource: add_resource(uses, features, text(params, row->target)); break;
        case Uses::reference: add_reference(uses, features, object(params, "ref")); break;
        case Uses::resources: add_subscriptions(uses, features, object(params, "notifications")); break;
    }
    return uses;
}

}  // namespace tenon::core
