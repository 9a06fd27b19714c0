#include <algorithm>

#include "core/server/engine.hpp"
#include "json/reader.hpp"
#include "protocol/extension_names.hpp"
#include "protocol/negotiation.hpp"
#include "protocol/write_task.hpp"

namespace tenon::core {

MethodOutcome ServerEngine::initialize(const NewCall& call, const json::object& params) {
    if (peer_) return Error{code::invalid_request, "Invalid request: this session is initialized already"};
    auto asked = protocol::read_initialize(params);
    if (!asked) return asked.error();
    // The description of the client is kept as long as the session. It is not larger than the message.
    peer_charge_ = new_charge();
    if (const auto verdict = peer_charge_.resize(call->memory ? call->memory->bytes() : 0);
        verdict != MemoryDecision::granted)
        return memory_error(verdict, peer_charge_);

    const protocol::Rules rules(protocol::negotiate(asked->protocolVersion));
    peer_ = std::make_shared<const Peer>(
        Peer{rules, std::move(asked->capabilities), std::move(asked->clientInfo), declare()});
    reader_ = call->access;
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.field("protocolVersion", rules.name());
    write_introduction(w, rules, peer_->declared);
    w.key("serverInfo");
    w.raw(settings_->info.of(rules));
    w.end_object();
    return out;
}

MethodOutcome ServerEngine::discover(const NewCall& call, const json::object&) {
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.key("supportedVersions");
    w.begin_array();
    for (const auto revision : protocol::revisions()) w.string(protocol::Rules(revision).name());
    w.end_array();
    write_introduction(w, call->peer->rules, call->peer->declared);
    protocol::write_cache_hints(w, settings_->cache, call->peer->rules);
    w.end_object();
    return out;
}

Declared ServerEngine::declare() {
    const Features& f = features();
    return {!f.tools.empty(),   !f.resources.empty() || !f.templates.empty(),
            !f.prompts.empty(), f.completions,
            settings_->logging, f.tasks && settings_->tasks,
            !f.skills.empty(),  f.apps};
}

void ServerEngine::write_introduction(json::Writer& w, const protocol::Rules& rules, const Declared& declared) const {
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
    w.key("capabilities");
    w.begin_object();
    if (declared.tools) list("tools", false);
    if (declared.resources) list("resources", true);
    if (declared.prompts) list("prompts", false);
    if (declared.completions && rules.has(protocol::Trait::completions_capability)) empty_object("completions");
    if (declared.logging) empty_object("logging");
    if (declared.tasks && rules.has(protocol::Trait::task_requests))
        w.field("tasks", json::parse(R"({"list":{},"cancel":{},"requests":{"tools":{"call":{}}}})").value());
    json::object extensions = settings_->extensions;
    if (declared.tasks && rules.has(protocol::Trait::tasks_extension))
        extensions.emplace(protocol::tasks_extension, json::object());
    if (declared.skills) extensions.emplace(protocol::skills_extension, json::object{{"directoryRead", true}});
    if (declared.apps) extensions.emplace(protocol::apps_extension, json::object());
    if (!extensions.empty() && rules.has(protocol::Trait::extensions)) w.field("extensions", extensions);
    w.end_object();
    if (!settings_->instructions.empty()) w.field("instructions", settings_->instructions);
}

MethodOutcome ServerEngine::ping(const NewCall&, const json::object&) { return Encoded{"{}"}; }

std::optional<TimePoint> ServerEngine::next_ping() const {
    if (limits_.ping_interval <= Duration::zero() || !initialized_ || input_ended_ || shut_down_ || ping_)
        return std::nullopt;
    return later(last_heard_, limits_.ping_interval);
}

// Asks a silent client whether it is still there. A late answer is only logged: the transport decides about the end.
void ServerEngine::ping_client(TimePoint now) {
    if (const auto when = next_ping(); when && *when <= now) {
        ping_ =
            questions_.add(nullptr, make_reply<json::value>([](Result<json::value>) {}), later(now, limits_.ask_time));
        send(jsonrpc::encode_request(questions_.wire_id(*ping_), "ping", {}));
    }
    const auto late = questions_.late(now);
    if (!ping_ || std::ranges::find(late, *ping_) == late.end()) return;
    note(LogLevel::warning, "the client did not answer a ping in time");
    last_heard_ = now;
    ping_.reset();
}

MethodOutcome ServerEngine::set_level(const NewCall&, const json::object& params) {
    json::Reader r(params, "params");
    const std::string name = r.string("level");
    const auto level = log_level(name);
    if (!level) r.complain("level", "one of debug, info, notice, warning, error, critical, alert, emergency");
    if (!r.ok()) return r.error();
    log_level_ = *level;
    changed(StateChange::Kind::log_level, name);
    return Encoded{"{}"};
}

}  // namespace tenon::core
