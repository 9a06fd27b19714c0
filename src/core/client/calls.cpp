// Calls of the user. Each ends exactly once: with an answer, a timeout, or the end of the connection.
#include <algorithm>

#include "core/client/engine.hpp"

namespace tenon::core {

using protocol::Needs;
using protocol::Trait;
using Kind = ClientCall::Kind;

namespace {

std::string_view missing_capability(const ServerCapabilities& c, Needs needs, const protocol::Rules& rules) {
    switch (needs) {
        case Needs::tools: return c.tools ? "" : "tools";
        case Needs::resources: return c.resources ? "" : "resources";
        case Needs::resource_subscribe: return c.resources_subscribe ? "" : "resources.subscribe";
        case Needs::prompts: return c.prompts ? "" : "prompts";
        case Needs::logging: return c.logging ? "" : "logging";
        case Needs::tasks: return c.tasks ? "" : "tasks";
        case Needs::completions: return c.completions || !rules.has(Trait::completions_capability) ? "" : "completions";
        default: return "";
    }
}

}  // namespace

CallId ClientEngine::call(ClientCall call, TimePoint now) {
    now_ = now;
    const CallId id = next_call_++;
    const auto refuse = [&](Error why) { actions_.push_back(HandOver{std::move(call.reply), std::move(why)}); };
    if (over_) return refuse(*over_), id;
    if (calls_.size() >= limits_.max_pending_calls)
        return refuse({code::limit_reached,
                       "too many calls at once: the limit is " + std::to_string(limits_.max_pending_calls)}),
               id;

    Pending p;
    p.time = call.timeout.value_or(limits_.request_time);
    p.soft = later(now, p.time);
    p.longest = std::min(call.longest, std::max(p.time, limits_.max_request_time));
    p.hard = later(now, p.longest);
    if (call.kind == Kind::connect && !call.timeout)
        p.soft = p.hard = TimePoint::max();  // connect_time applies instead
    p.call = std::move(call);
    arm(id, p);
    calls_.emplace(id, std::move(p));
    if (phase_ == Phase::ready) {
        start(id);
    } else {
        waiting_.push_back(id);
    }
    return id;
}

// Starts a call when the server's revision is known, which decides the method.
void ClientEngine::start(CallId id) {
    const auto it = calls_.find(id);
    Pending& p = it->second;
    ClientCall& call = p.call;
    const bool session = rules_->is_legacy();
    switch (call.kind) {
        case Kind::connect: return finish(it, json::value());
        case Kind::request: break;
        case Kind::ping: call.method = session ? "ping" : "server/discover"; break;
        case Kind::subscribe: call.method = session ? "resources/subscribe" : "subscriptions/listen"; break;
        case Kind::listen: call.method = "subscriptions/listen"; break;
        case Kind::unsubscribe:
            if (!session) return unlisten(it);
            call.method = "resources/unsubscribe";
            break;
        case Kind::set_level:
            if (!session) {
                log_level_ = log_level(call.params.at("level").as_string());
                return finish(it, json::object());
            }
            call.method = "logging/setLevel";
            break;
    }
    if (auto ok = may_send(call); !ok) return finish(it, ok.error());
    if (!call.fresh && rules_->has(Trait::cache_hints))
        if (const json::value* kept = cache_.find(call.method, call.params, now_)) return finish(it, *kept);
    if (call.method == "subscriptions/listen" && call.kind != Kind::request) return listen(id, p);
    rearm(id, p, later(now_, p.time));
    send_request(id, p);
}

Result<void> ClientEngine::may_send(const ClientCall& call) const {
    const protocol::Method* row = rules_->method(call.method, protocol::Sender::client);
    if (!row) {
        // An unknown method may belong to an extension, so it is sent. A method of another revision is a mistake.
        const protocol::Method* other = protocol::find_method(call.method);
        if (!other || other->sender == protocol::Sender::server) return {};
        return Error{code::method_not_found, "revision " + std::string(rules_->name()) + " has no " + call.method};
    }
    const auto missing = missing_capability(server_->capabilities, row->needs, *rules_);
    if (missing.empty()) return {};
    return Error{code::method_not_found, "the server did not declare the capability `" + std::string(missing) +
                                             "`, so " + call.method + " is not sent"};
}

void ClientEngine::on_response(jsonrpc::Response& response) {
    if (lifecycle_answer(response)) return;
    const auto wire = on_wire_.find(response.id);
    if (wire == on_wire_.end()) {
        if (listener_over(response.id, "the server ended it")) return;
        note(LogLevel::info, "dropped a response with an unknown id: " + quote(response.id.text()));
        return;
    }
    const auto it = calls_.find(wire->second);
    if (!response.outcome) {
        // The cursor may have become invalid because the list changed, so its cached pages are dropped.
        if (it->second.call.params.contains("cursor")) cache_.forget(it->second.call.method);
        return finish(it, response.outcome.error());
    }
    settle(it, *std::move(response.outcome));
}

void ClientEngine::settle(Calls::iterator it, json::value result) {
    ClientCall& call = it->second.call;
    const auto invalid = [&](std::string why) {
        finish(it, Error{code::invalid_answer, "The server's answer is invalid: " + std::move(why)});
    };
    const json::object* o = result.if_object();
    if (!o) return invalid("`result` must be an object");
    if (rules_->has(Trait::result_type)) {
        const json::value* type = o->if_contains("resultType");
        if (type && *type == json::value("input_required")) return require_input(it, *o);
        const bool of_task = type && *type == json::value("task") &&
                             settings_->identity.abilities.extensions.contains("io.modelcontextprotocol/tasks");
        if (type && *type != json::value("complete") && !of_task)
            return invalid("its resultType " + quote(json::write(*type)) + " is not known");
    }
    if (call.method == "tools/list")
        for (const std::string& why : tools_.learn(result, rules_->has(Trait::mirrored_parameters)))
            note(LogLevel::warning, quote(why));
    if (call.method == "tools/call" && settings_->validate_results && rules_->has(Trait::structured_content)) {
        const json::value* name = call.params.if_contains("name");
        const auto schema = name && name->is_string() ? tools_.output_of(name->get_string()) : nullptr;
        if (call.schema) {
            *call.schema = schema;
        } else if (auto ok = schema ? schema->check(result) : Result<void>(); !ok) {
            return finish(it, ok.error());
        }
    }
    if (rules_->has(Trait::cache_hints) && it->second.rounds == 0) cache_.keep(call.method, call.params, result, now_);
    remember_for_session(call);
    finish(it, std::move(result));
}

// Remembers settings of the session that restore_session() must repeat in a new session.
void ClientEngine::remember_for_session(const ClientCall& call) {
    if (rules_->is_modern()) return;
    if (call.kind == Kind::set_level) log_level_ = log_level(call.params.at("level").as_string());
    if (call.kind == Kind::subscribe && subscribed_.size() < limits_.max_subscriptions)
        subscribed_.emplace(call.params.at("uri").as_string());
    if (call.kind == Kind::unsubscribe) subscribed_.erase(std::string(call.params.at("uri").as_string()));
}

void ClientEngine::finish(Calls::iterator it, Result<json::value> answer) {
    Pending& p = it->second;
    disarm(it->first, p);
    if (p.request) on_wire_.erase(*p.request);
    const std::set<AskId> asks = std::move(p.asks);
    if (p.call.kind == Kind::listen && !answer) listening_failed(p.call, answer.error());
    actions_.push_back(HandOver{std::move(p.call.reply), std::move(answer)});
    calls_.erase(it);
    for (const AskId ask : asks) drop_ask(ask);
}

void ClientEngine::cancel(CallId id, std::string_view reason) {
    const auto it = calls_.find(id);
    if (it == calls_.end()) return;
    withdraw(it->second, reason);
    finish(it, Error{code::call_cancelled, "the call was cancelled: " + std::string(reason)});
}

// Tells the server that the response is not needed any more.
void ClientEngine::withdraw(const Pending& p, std::string_view reason) {
    if (!p.request || over_) return;
    Encoded params;
    json::Writer w(params.json);
    w.begin_object();
    w.key("requestId");
    p.request->write(w);
    w.field("reason", reason);
    w.end_object();
    const auto id = json::parse(p.request->text());
    transmit(OutgoingMessage::Kind::cancellation, jsonrpc::encode_notification("notifications/cancelled", params),
             "notifications/cancelled", id && id->is_int64() ? id->get_int64() : 0);
}

void ClientEngine::failed(std::int64_t request, Error why, TimePoint now) {
    now_ = now;
    if (listener_broke(jsonrpc::Id(request), why)) return;
    jsonrpc::Response response{jsonrpc::Id(request), std::move(why)};
    on_response(response);
}

}  // namespace tenon::core
