#include "core/server_engine.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

void ServerEngine::initialize(const CallPtr& call, json::object& params) {
    if (peer_) return answer(call, Error{code::invalid_request, "Invalid request: this session is initialized already"});
    auto asked = protocol::read_initialize(params);
    if (!asked) return answer(call, asked.error());

    const protocol::Rules rules(protocol::negotiate(asked->protocolVersion));
    const Features& f = features();
    declared_ = {!f.tools.empty(), !f.resources.empty() || !f.templates.empty(), !f.prompts.empty(), f.completions, settings_->logging};
    peer_ = std::make_shared<const Peer>(Peer{rules, std::move(asked->capabilities), std::move(asked->clientInfo)});
    answer(call, introduction(rules));
}

Encoded ServerEngine::introduction(const protocol::Rules& rules) const {
    Encoded out;
    json::Writer w(out.json);
    const auto empty_object = [&w](std::string_view name) {
        w.key(name);
        w.begin_object();
        w.end_object();
    };
    const auto list = [&w](std::string_view name, bool subscribe) {
        w.key(name);
        w.begin_object();
        if (subscribe) w.field("subscribe", true);
        w.field("listChanged", true);
        w.end_object();
    };
    w.begin_object();
    w.field("protocolVersion", rules.name());
    w.key("capabilities");
    w.begin_object();
    if (declared_.tools) list("tools", false);
    if (declared_.resources) list("resources", true);
    if (declared_.prompts) list("prompts", false);
    if (declared_.completions && rules.has(protocol::Trait::completions_capability)) empty_object("completions");
    if (declared_.logging) empty_object("logging");
    w.end_object();
    w.key("serverInfo");
    protocol::write(w, settings_->info, rules);
    if (!settings_->instructions.empty()) w.field("instructions", settings_->instructions);
    w.end_object();
    return out;
}

void ServerEngine::ping(const CallPtr& call, json::object&) { answer(call, Encoded{"{}"}); }

void ServerEngine::set_level(const CallPtr& call, json::object& params) {
    json::Reader r(params, "params");
    const std::string name = r.string("level");
    const auto level = log_level(name);
    if (!level) r.complain("level", "one of debug, info, notice, warning, error, critical, alert, emergency");
    if (!r.ok()) return answer(call, r.error());
    log_level_ = *level;
    answer(call, Encoded{"{}"});
}

}  // namespace tenon::core
