// Calls of the user. Each ends exactly once: with an answer, a timeout, or the end of the connection.
#include <algorithm>

#include "core/client/engine.hpp"
#include "core/client/short_memory.hpp"
#include "json/find.hpp"

namespace tenon::core {

using protocol::Needs;
using protocol::Trait;

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

// Returns a place for the answer of one call.
ClientActions unanswered() {
    ClientActions out;
    out.push_back(HandOver{{}, json::value()});
    return out;
}

}  // namespace

CallId ClientEngine::call(ClientCall&& call, TimePoint now) {
    now_ = now;
    if (!over_ && calls_.size() < limits_.max_pending_calls) return admit(std::move(call));
    Error why = over_ ? *over_
                      : Error{code::limit_reached,
                              "too many calls at once: the limit is " + std::to_string(limits_.max_pending_calls)};
    ClientActions answer = unanswered();
    std::get<HandOver>(answer.front()) = {std::move(call.reply), std::move(why)};
    actions_.splice(actions_.end(), answer);
    return next_call_++;
}

// Starts a call. Calls of the engine itself are not counted against max_pending_calls: there are only a few.
CallId ClientEngine::admit(ClientCall&& call) {
    const CallId id = next_call_++;
    Pending p;
    p.answer = unanswered();
    p.time = call.timeout.value_or(limits_.request_time);
    p.soft = later(now_, p.time);
    p.longest = std::min(call.longest, std::max(p.time, limits_.max_request_time));
    p.hard = later(now_, p.longest);
    if (call.kind == Kind::connect && !call.timeout)
        p.soft = p.hard = TimePoint::max();              // connect_time applies instead
    if (phase_ != Phase::ready) waiting_.push_back(id);  // an id without a call is ignored
    const auto it = calls_.try_emplace(id).first;
    try {
        arm(id, p);
    } catch (...) {
        calls_.erase(it);
        throw;
    }
    it->second = std::move(p);
    it->second.call = std::move(call);
    if (phase_ == Phase::ready) start(id);
    return id;
}

// Starts a call when the server's revision is known, which decides the method.
void ClientEngine::start(CallId id) {
    const auto it = calls_.find(id);
    Pending& p = it->second;
    ClientCall& call = p.call;
    if (p.task) return send_for_task(id, p, FollowedTask::Request::get);  // in a new session
    const bool session = rules_->is_legacy();
    switch (call.kind) {
        case Kind::connect: return finish(it, json::value());
        case Kind::request: break;
        case Kind::learn: call.method = "tools/list"; break;
        case Kind::keep_alive: call.method = "ping"; break;
        case Kind::follow: call.method = "tasks/get"; break;
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
    if (call.method == "tools/call") call.tool = json::find_text(call.params, "name");
    if (auto ok = may_send(call); !ok) return finish(it, ok.error());
    if (!call.fresh && rules_->has(Trait::cache_hints))
        if (const json::value* kept = cache_.find(call.method, call.params, now_)) return finish(it, *kept);
    if (call.method == "subscriptions/listen" && call.kind != Kind::request) return listen(id, p);
    if (call.kind == Kind::follow) return follow(id, p);
    if (needs_tools_to_send(p)) return wait_for_tools(id, p, Step::list_to_send);
    dispatch(id, p);
}

void ClientEngine::dispatch(CallId id, Pending& p) {
    add_task(p.call);
    remember_list(p.call.method);
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
    if (it->second.call.facts) it->second.call.facts->response_bytes = heard_bytes_;
    if (it->second.task) return on_task_response(it, std::move(response.outcome));
    if (!response.outcome) return on_error(it, response.outcome.error());
    settle(it, *std::move(response.outcome));
}

void ClientEngine::on_error(Calls::iterator it, Error error) {
    Pending& p = it->second;
    remember_pages(error);
    // The cursor may have become invalid because the list changed, so its cached pages are dropped.
    if (p.call.params.contains("cursor")) cache_.forget(p.call.method);
    // The tool's definition may have changed, so other arguments belong into the headers. The refused request had no
    // effect.
    const bool may_retry = error.code == code::header_mismatch && p.call.method == "tools/call" &&
                           settings_->learn_tools && rules_->has(Trait::mirrored_parameters);
    if (!may_retry || std::exchange(p.headers_retried, true)) return finish(it, std::move(error));
    on_wire_.erase(*p.request);
    p.request.reset();
    p.held = std::move(error);
    if (listing_ == Listing::done) forget_tools();
    wait_for_tools(it->first, p, Step::list_to_retry);
}

void ClientEngine::settle(Calls::iterator it, json::value result) {
    ClientCall& call = it->second.call;
    const auto invalid = [&](std::string why) {
        finish(it, Error{code::invalid_answer, "The server's answer is invalid: " + std::move(why)});
    };
    const json::object* o = result.if_object();
    if (!o) return invalid("`result` must be an object");
    if (is_created_task(call, *o)) return begin_task(it, result);
    if (rules_->has(Trait::result_type)) {
        const json::value* type = o->if_contains("resultType");
        if (type && *type == json::value("input_required")) return require_input(it, *o);
        const bool of_task = type && *type == json::value("task") && call.method == "tools/call" && may_be_task();
        if (type && *type != json::value("complete") && !of_task)
            return invalid("its resultType " + quote(json::write(*type)) + " is not known");
    }
    conclude(it, std::move(result));
}

// Ends a call with its final result.
void ClientEngine::conclude(Calls::iterator it, json::value result) {
    ClientCall& call = it->second.call;
    if (call.method == "tools/list") {
        for (const std::string& why : tools_.learn(result, rules_->has(Trait::mirrored_parameters)))
            note(LogLevel::warning, quote(why));
        saw_tools(call, result);
    }
    if (needs_tools_to_check(it->second, result.as_object())) {
        it->second.held = std::move(result);
        return wait_for_tools(it->first, it->second, Step::list_to_check);
    }
    if (!call.tool.empty() && settings_->validate_results && rules_->has(Trait::structured_content)) {
        const auto schema = tools_.output_of(call.tool);
        if (call.schema) {
            *call.schema = schema;
        } else if (auto ok = schema ? schema->check(result) : Result<void>(); !ok) {
            return finish(it, ok.error());
        }
    }
    keep_in_cache(it->second, result);
    remember_for_session(call);
    finish(it, std::move(result));
}

void ClientEngine::keep_in_cache(const Pending& p, const json::value& result) {
    // A result for other credentials than the current ones must not be cached.
    if (!rules_->has(Trait::cache_hints) || p.rounds != 0 || p.credentials != credentials_) return;
    try {
        cache_.keep(p.call.method, p.call.params, result, now_);
    } catch (const std::exception&) {
        cache_.clear();  // frees memory that is short
    }
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
    if (it->second.call.kind == Kind::listen && !answer) listening_failed(it->second.call, answer.error());
    const Kind kind = release(it, answer);
    if (kind == Kind::learn) on_tools_page(answer);
    if (kind == Kind::keep_alive) pinged(answer);
}

// Ends a call: takes the answer, unless the call is one of the engine itself. Returns the kind of the call.
ClientEngine::Kind ClientEngine::release(Calls::iterator it, Result<json::value>& answer) noexcept {
    Pending& p = it->second;
    const Kind kind = p.call.kind;
    disarm(it->first, p);
    if (p.request) on_wire_.erase(*p.request);
    if (p.task && p.task->progress_token) task_progress_.erase(*p.task->progress_token);
    if (kind != Kind::learn && kind != Kind::keep_alive) {
        std::get<HandOver>(p.answer.front()) = {std::move(p.call.reply), std::move(answer)};
        actions_.splice(actions_.end(), p.answer);
    }
    const std::set<AskId> asks = std::move(p.asks);
    calls_.erase(it);
    for (const AskId ask : asks) drop_ask(ask);
    return kind;
}

void ClientEngine::cancel(CallId id, std::string_view reason) {
    const auto it = calls_.find(id);
    if (it == calls_.end()) return;
    note(LogLevel::debug, "a call was cancelled (" + quote(it->second.call.method) + "): " + quote(reason));
    withdraw(it->second, reason);
    finish(it, Error{code::call_cancelled, "the call was cancelled: " + std::string(reason)});
}

// Tells the server that the response is not needed any more.
void ClientEngine::withdraw(const Pending& p, std::string_view reason) {
    if (over_) return;
    if (p.task && p.task->owned) return cancel_task(p.task->id);
    if (!p.request) return;
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
    heard_bytes_ = 0;
    jsonrpc::Response response{jsonrpc::Id(request), std::move(why)};
    on_response(response);
}

}  // namespace tenon::core
