#include "core/server_engine.hpp"

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"
#include "core/tool_result.hpp"
#include "json/reader.hpp"

namespace tenon::core {

using protocol::Needs;
using protocol::Sender;
using protocol::Trait;

struct ServerEngine::MethodRow {
    std::string_view name;
    Method method;
};

const ServerEngine::MethodRow ServerEngine::method_rows[] = {
    {"tools/call", &ServerEngine::call_tool},
    {"tools/list", &ServerEngine::list_tools},
    {"resources/read", &ServerEngine::read_resource},
    {"resources/list", &ServerEngine::list_resources},
    {"resources/templates/list", &ServerEngine::list_templates},
    {"resources/subscribe", &ServerEngine::subscribe},
    {"resources/unsubscribe", &ServerEngine::unsubscribe},
    {"prompts/get", &ServerEngine::get_prompt},
    {"prompts/list", &ServerEngine::list_prompts},
    {"completion/complete", &ServerEngine::complete},
    {"logging/setLevel", &ServerEngine::set_level},
    {"ping", &ServerEngine::ping},
    {"initialize", &ServerEngine::initialize},
};

ServerEngine::Method ServerEngine::find_method(std::string_view name) {
    const auto* row = std::ranges::find(method_rows, name, &MethodRow::name);
    return row == std::end(method_rows) ? nullptr : row->method;
}

ServerEngine::ServerEngine(std::shared_ptr<const Settings> settings)
    : settings_(std::move(settings)), limits_(settings_->limits), log_level_(settings_->log_level) {}

// ---- from the wire

void ServerEngine::receive(std::string_view message, TimePoint now) {
    if (message.size() > limits_.max_message_bytes) return receive_too_long();
    now_ = now;
    jsonrpc::Incoming in = jsonrpc::decode(message, {limits_.max_depth, limits_.max_batch});
    if (in.batch) {
        receive_batch(std::move(in.messages));
    } else {
        accept(in.messages.front(), nullptr);
    }
    features_.reset();
}

void ServerEngine::receive_too_long() {
    refuse(std::nullopt,
           {code::invalid_request, "Invalid request: the message is longer than the limit of " +
                                       std::to_string(limits_.max_message_bytes) + " bytes"},
           nullptr);
}

void ServerEngine::receive_batch(std::vector<jsonrpc::Message> messages) {
    if (!peer_ || !peer_->rules.has(Trait::batches)) {
        const std::string why = peer_ ? "revision " + std::string(peer_->rules.name()) + " has no batches" : "send `initialize` first, alone";
        return refuse(std::nullopt, {code::invalid_request, "Invalid request: " + why}, nullptr);
    }
    auto batch = std::make_shared<Batch>();
    batch->open = 1;  // held open until all of it was read
    for (jsonrpc::Message& message : messages) accept(message, batch);
    settle(batch);
}

void ServerEngine::accept(jsonrpc::Message& message, const BatchPtr& batch) {
    if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
        on_request(*request, batch);
    } else if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) {
        on_notification(*notification);
    } else if (auto* response = std::get_if<jsonrpc::Response>(&message)) {
        on_response(*response);
    } else if (auto* invalid = std::get_if<jsonrpc::Invalid>(&message)) {
        note(LogLevel::warning, "refused a message: " + quote(invalid->error.message));
        refuse(invalid->id, invalid->error, batch);
    } else {
        note(LogLevel::warning, "ignored a message: " + quote(std::get<jsonrpc::Ignored>(message).why));
    }
}

void ServerEngine::on_request(jsonrpc::Request& request, const BatchPtr& batch) {
    if (running_.contains(request.id))
        return refuse(request.id, {code::invalid_request, "Invalid request: the id " + quote(request.id.text()) + " is already in use"}, batch);
    if (shut_down_) return refuse(request.id, {code::server_error, *shut_down_}, batch);
    if (batch && request.method == "initialize")
        return refuse(request.id, {code::invalid_request, "Invalid request: `initialize` must not be in a batch"}, batch);

    // Before the handshake only two methods exist, and they are the same in every revision that has one.
    static const auto stranger = std::make_shared<const Peer>(Peer{protocol::Rules(protocol::legacy_revisions().front()), {}, {}});
    const auto call = std::make_shared<Call>(request.id, peer_ ? peer_ : stranger);
    call->method = std::move(request.method);
    if (batch) {
        call->batch = batch;
        ++batch->open;
    }
    const protocol::Method* method = call->peer->rules.method(call->method, Sender::client);
    if (auto ok = may_call(method, call->method); !ok) return answer(call, ok.error());
    if (auto ok = read_meta(*call, request.params); !ok) return answer(call, ok.error());
    (this->*find_method(call->method))(call, request.params);
}

Result<void> ServerEngine::may_call(const protocol::Method* method, std::string_view name) const {
    if (!peer_ && name != "initialize" && name != "ping")
        return Error{code::invalid_request, "Invalid request: not initialized yet; send `initialize` first"};
    if (!method || method->notification || !find_method(name))
        return Error{code::method_not_found, "Method not found: " + quote(name)};
    if (!declared(method->needs))
        return Error{code::method_not_found, "Method not found: " + quote(name) + "; this server did not declare that capability"};
    return {};
}

bool ServerEngine::declared(Needs needs) const {
    switch (needs) {
        case Needs::nothing: return true;
        case Needs::tools: return declared_.tools;
        case Needs::resources:
        case Needs::resource_subscribe: return declared_.resources;
        case Needs::prompts: return declared_.prompts;
        case Needs::completions: return declared_.completions;
        case Needs::logging: return declared_.logging;
        default: return false;
    }
}

Result<void> ServerEngine::read_meta(Call& call, const json::object& params) const {
    json::Reader r(params, "params");
    const json::object* meta = r.optional_object("_meta");
    if (!r.ok()) return r.error();
    if (!meta) return {};
    if (const json::value* token = meta->if_contains("progressToken")) {
        const bool too_large = token->is_double() && !std::isfinite(token->get_double());  // it could not be sent back
        if (too_large || (!token->is_string() && !token->is_number()))
            return Error{code::invalid_params, "Invalid params: `params._meta.progressToken` must be a string or a number"};
        call.progress_token = *token;
    }
    call.meta = *meta;
    return {};
}

void ServerEngine::on_notification(const jsonrpc::Notification& n) {
    const protocol::Method* method = peer_ ? peer_->rules.method(n.method, Sender::client) : nullptr;
    if (!method || !method->notification) return note(LogLevel::info, "ignored the notification " + quote(n.method));
    if (n.method == "notifications/initialized") {
        initialized_ = true;
    } else if (n.method == "notifications/cancelled") {
        on_cancelled(n.params);
    } else if (n.method == "notifications/roots/list_changed" && settings_->on_roots_changed) {
        actions_.push_back(Notify{settings_->on_roots_changed});
    }
}

void ServerEngine::on_cancelled(const json::object& params) {
    const json::value* v = params.if_contains("requestId");
    const auto id = v ? jsonrpc::Id::from(*v) : std::nullopt;
    if (!id) return note(LogLevel::warning, "ignored a cancellation without a `requestId`");
    const auto it = running_.find(*id);
    if (it == running_.end()) return;  // finished or unknown: a race that the specification expects
    const CallPtr call = it->second;
    close(call);
    actions_.push_back(Stop{call});
    give_up_asks_of(call, {code::server_error, "the client cancelled the request"});
    if (call->batch) settle(call->batch);
}

// ---- answers

void ServerEngine::run(const CallPtr& call, Placement placement, Duration time, std::function<void(Context, Reply<Encoded>)> job) {
    if (running_.size() >= limits_.max_concurrent_requests)
        return answer(call, Error{code::server_error, "Too many requests at once: the limit is " +
                                                          std::to_string(limits_.max_concurrent_requests) + "; wait for answers"});
    running_.emplace(call->id, call);
    call->deadline = now_ + time;
    deadlines_.emplace(*call->deadline, call.get());
    actions_.push_back(Run{call, placement, std::move(job)});
}

void ServerEngine::answered(const CallPtr& call, Result<Encoded> outcome) {
    if (!call->open) return note(LogLevel::debug, "dropped the answer to a request that is over: " + quote(call->id.text()));
    answer(call, std::move(outcome));
}

void ServerEngine::answer(const CallPtr& call, Result<Encoded> outcome) {
    close(call);
    give_up_asks_of(call, {code::server_error, "the request was answered before the client answered"});
    if (outcome && outcome->json.size() > limits_.max_message_bytes)
        outcome = Error{code::internal_error, "Internal error: the result has " + std::to_string(outcome->json.size()) +
                                                  " bytes, and the limit is " + std::to_string(limits_.max_message_bytes)};
    Encoded message = outcome ? jsonrpc::encode_result(call->id, *outcome) : jsonrpc::encode_error(call->id, outcome.error());
    deliver(std::move(message), call, call->batch);
    if (call->batch) settle(call->batch);
}

void ServerEngine::refuse(const std::optional<jsonrpc::Id>& id, const Error& error, const BatchPtr& batch) {
    const auto style = peer_ ? peer_->rules.unreadable_id() : jsonrpc::UnreadableId::null;
    deliver(jsonrpc::encode_error(id, error, style), nullptr, batch);
}

void ServerEngine::deliver(Encoded message, const CallPtr& call, const BatchPtr& batch) {
    if (batch) {
        batch->answers.push_back(std::move(message));
    } else {
        send(std::move(message), call);
    }
}

void ServerEngine::settle(const BatchPtr& batch) {
    if (--batch->open == 0 && !batch->answers.empty()) send(jsonrpc::encode_batch(batch->answers));
}

void ServerEngine::close(const CallPtr& call) {
    call->open = false;
    if (!call->deadline) return;  // it never ran
    deadlines_.erase({*call->deadline, call.get()});
    running_.erase(call->id);
}

// ---- time and the end

void ServerEngine::expire(const CallPtr& call) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits_.handler_time).count();
    const std::string why = "the handler of " + call->method + " did not finish in time";
    note(LogLevel::error, why + " (Limits::handler_time is " + std::to_string(seconds) + " s)");
    answer(call, call->method == "tools/call" ? Result<Encoded>(encode_tool_error(why, call->peer->rules))
                                              : Result<Encoded>(Error{code::internal_error, "Internal error: " + why}));
    actions_.push_back(Stop{call});
}

void ServerEngine::tick(TimePoint now) {
    now_ = now;
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
        const CallPtr late = running_.at(deadlines_.begin()->second->id);  // a copy: expiring it takes it out of running_
        expire(late);
    }
    std::vector<std::int64_t> late_asks;
    for (const auto& [id, pending] : asks_)
        if (pending.deadline <= now) late_asks.push_back(id);
    for (const auto id : late_asks) give_up(id, {code::request_timeout, "the client did not answer in time"});
}

std::optional<TimePoint> ServerEngine::next_deadline() const {
    std::optional<TimePoint> next;
    if (!deadlines_.empty()) next = deadlines_.begin()->first;
    for (const auto& [id, pending] : asks_)
        if (!next || pending.deadline < *next) next = pending.deadline;
    return next;
}

void ServerEngine::shut_down(std::string_view why) {
    if (shut_down_) return;
    shut_down_ = std::string(why);
    std::vector<CallPtr> calls;
    for (const auto& [id, call] : running_) calls.push_back(call);
    for (const CallPtr& call : calls) {
        answer(call, Error{code::server_error, *shut_down_});
        actions_.push_back(Stop{call});
    }
    end_of_input();
}

std::string ServerEngine::quote(std::string_view s) const {
    std::string out = base::shorten(s, limits_.max_error_text_bytes);
    for (char& c : out)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return out;
}

const Features& ServerEngine::features() {
    if (!features_) features_ = settings_->features();
    return *features_;
}

}  // namespace tenon::core
