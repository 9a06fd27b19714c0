#include "core/server/engine.hpp"

#include <algorithm>

#include "base/printable.hpp"
#include "core/server/tool_result.hpp"
#include "json/reader.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

using protocol::Needs;
using protocol::Sender;
using protocol::Trait;

namespace {

bool declares(const Declared& declared, Needs needs) {
    switch (needs) {
        case Needs::nothing: return true;
        case Needs::tools: return declared.tools;
        case Needs::resources:
        case Needs::resource_subscribe: return declared.resources;
        case Needs::prompts: return declared.prompts;
        case Needs::completions: return declared.completions;
        case Needs::logging: return declared.logging;
        case Needs::tasks: return declared.tasks;
        case Needs::skills: return declared.skills;
        default: return false;
    }
}

}  // namespace

struct ServerEngine::HandlerRow {
    std::string_view method;
    Handler handler;
};

// The handlers of the requests in protocol/methods.cpp.
const ServerEngine::HandlerRow ServerEngine::handler_rows[] = {
    {"tools/call", &ServerEngine::call_tool},
    {"tools/list", &ServerEngine::list<&Lists::tools>},
    {"resources/read", &ServerEngine::read_resource},
    {"resources/list", &ServerEngine::list_resources},
    {"resources/templates/list", &ServerEngine::list<&Lists::templates>},
    {"resources/subscribe", &ServerEngine::subscribe},
    {"resources/unsubscribe", &ServerEngine::unsubscribe},
    {"prompts/get", &ServerEngine::get_prompt},
    {"prompts/list", &ServerEngine::list<&Lists::prompts>},
    {"completion/complete", &ServerEngine::complete},
    {"logging/setLevel", &ServerEngine::set_level},
    {"ping", &ServerEngine::ping},
    {"initialize", &ServerEngine::initialize},
    {"server/discover", &ServerEngine::discover},
    {"subscriptions/listen", &ServerEngine::listen},
    {"tasks/get", &ServerEngine::task_method<&TaskMethods::get>},
    {"tasks/update", &ServerEngine::task_method<&TaskMethods::update>},
    {"tasks/cancel", &ServerEngine::task_method<&TaskMethods::cancel>},
    {"tasks/result", &ServerEngine::task_result},
    {"tasks/list", &ServerEngine::task_method<&TaskMethods::list>},
    {"skills/list", &ServerEngine::list<&Lists::skills>},
    {"skills/get", &ServerEngine::list<&Lists::skill>},
    {"resources/directory/read", &ServerEngine::list<&Lists::folder>},
};

ServerEngine::Handler ServerEngine::handler_of(const protocol::Method& method) {
    static const auto handlers = [] {
        std::vector<Handler> by_position(protocol::methods().size());
        for (const HandlerRow& row : handler_rows)
            by_position[protocol::position(*protocol::find_method(row.method))] = row.handler;
        return by_position;
    }();
    return handlers[protocol::position(method)];
}

ServerEngine::ServerEngine(std::shared_ptr<const Settings> settings, PeerIdentity identity)
    : settings_(std::move(settings)),
      identity_(std::move(identity)),
      limits_(settings_->limits),
      lists_(*settings_),
      task_methods_(settings_, identity_),
      log_level_(settings_->log_level) {
    if (!identity_.caller) identity_.caller = std::make_shared<const Caller>(Caller{.principal = identity_.principal});
}

// ---- receiving

void ServerEngine::receive(std::string_view message, TimePoint now, ReplyTo reply_to) {
    now_ = now;
    reply_to_ = reply_to;
    bytes_ = message.size();
    if (message.size() > limits_.max_message_bytes) return receive_too_long();
    MessageCharge charge(identity_.account);
    if (const auto verdict = charge.before_decoding(message.size()); verdict != MemoryDecision::granted)
        return refuse(Unreadable{}, memory_error(verdict, charge.charge()), nullptr);
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(message, decode_limits());
    if (const auto verdict = charge.after_decoding(in); verdict != MemoryDecision::granted)
        return refuse_memory(in, memory_error(verdict, charge.charge()));
    receive(std::move(in), now, {.reply_to = reply_to});
}

void ServerEngine::refuse_memory(const jsonrpc::Incoming& in, const Error& error) {
    if (in.batch) return refuse(Unreadable{}, error, nullptr);
    if (const auto* request = std::get_if<jsonrpc::Request>(&in.messages.front()))
        return refuse(Unreadable{request->id}, error, nullptr);
    note(LogLevel::warning, "dropped a message: " + error.message);
}

void ServerEngine::receive(jsonrpc::Incoming&& in, TimePoint now, Origin origin) {
    now_ = last_heard_ = now;
    caller_ = origin.caller ? std::move(origin.caller) : identity_.caller;
    reply_to_ = origin.reply_to;
    memory_ = std::move(in.memory);
    may_use_ = std::move(origin.may_use);
    carried_ = std::move(origin.trace);
    bytes_ = in.bytes;
    if (in.batch) {
        receive_batch(in.messages);
    } else {
        accept(in.messages.front(), nullptr);
    }
    features_.reset();
    in.messages.clear();  // must happen before memory_, which they may point into, is released
    memory_.reset();
    may_use_ = {};
    caller_.reset();
    carried_ = {};
}

bool ServerEngine::cannot_receive(std::string_view message, const Error& why) {
    features_.reset();
    const auto answers = [](const Action& action) {
        const auto* send = std::get_if<Send>(&action);
        return send && send->answers;
    };
    if (std::ranges::any_of(actions_, answers)) return true;  // it failed after that
    jsonrpc::Incoming in = jsonrpc::decode_in_arena(message, decode_limits());
    if (in.batch) return false;
    jsonrpc::Message& first = in.messages.front();
    if (std::holds_alternative<jsonrpc::Response>(first)) return false;
    auto* request = std::get_if<jsonrpc::Request>(&first);
    if (!request) return true;
    const auto it = running_.find(request->id);
    memory_ = std::move(in.memory);
    if (it == running_.end()) return refuse(*request, why, nullptr), true;
    const CallPtr call = *it;  // NOLINT: a copy, since close() takes it out
    answer(call, why);
    return true;
}

void ServerEngine::receive_too_long() {
    refuse(Unreadable{},
           {code::invalid_request,
            "Invalid request: the message is longer than the limit of " + std::to_string(limits_.max_message_bytes) +
                " bytes",
            LimitName::max_message_bytes},
           nullptr);
}

void ServerEngine::accept(jsonrpc::Message& message, const BatchPtr& batch) {
    if (auto* request = std::get_if<jsonrpc::Request>(&message)) {
        on_request(*request, batch);
    } else if (auto* notification = std::get_if<jsonrpc::Notification>(&message)) {
        on_notification(*notification);
    } else if (auto* response = std::get_if<jsonrpc::Response>(&message)) {
        on_response(*response);
    } else if (auto* invalid = std::get_if<jsonrpc::Invalid>(&message)) {
        refuse(Unreadable{invalid->id}, invalid->error, batch);
    } else {
        note(LogLevel::warning, "ignored a message: " + quote(std::get<jsonrpc::Ignored>(message).why));
    }
}

void ServerEngine::on_request(jsonrpc::Request& request, const BatchPtr& batch) {
    if (running_.contains(request.id))
        return refuse(
            request,
            {code::invalid_request, "Invalid request: the id " + quote(request.id.text()) + " is already in use"},
            batch);
    if (shut_down_) return refuse(request, {code::server_error, *shut_down_}, batch);
    if (batch && request.method == "initialize")
        return refuse(request, {code::invalid_request, "Invalid request: `initialize` must not be in a batch"}, batch);

    auto peer = peer_of(request);
    if (!peer) return refuse(request, peer.error(), batch);
    const auto call = std::make_shared<Call>(std::move(request.id), *std::move(peer),
                                             batch ? memory_ : std::move(memory_), std::move(request.params));
    call->reply_to = reply_to_;
    call->access.caller = caller_;
    call->access.scopes = batch ? may_use_ : std::move(may_use_);
    call->method = std::move(request.method);
    call->received = now_;
    call->bytes = bytes_;
    call->carried = carried_;
    if (observed()) call->span = settings_->new_span();
    call->row = call->peer->rules.method(call->method, Sender::client);
    if (!call->row) call->extension_method = features().methods.find(call->method);
    if (batch) {
        call->state_.batch = batch;
        ++batch->open;
    }
    const Result<void> checked = check(*call);
    if (settings_->intercepts && settings_->intercepts())
        return intercept(call, checked ? std::nullopt : std::optional(checked.error()));
    if (!checked) return answer(call, checked.error());
    dispatch(call);
}

// Makes the checks that all methods have in common. Access rules are checked later, because they are user code.
Result<void> ServerEngine::check(Call& call) {
    if (settings_->closed)
        if (auto why = settings_->closed()) return *std::move(why);
    if (auto ok = may_call(call); !ok) return ok;
    if (auto ok = read_meta(call); !ok) return ok;
    // A transport may have refused the request already, in its own way. This check covers all transports.
    if (call.access.restricts())
        if (auto refusal = access_error(call.access, call.method, call.params, features())) return *std::move(refusal);
    if (auto ok = read_replay(call); !ok) return ok;
    return count(call);
}

void ServerEngine::dispatch(const NewCall& call) {
    go_on(call,
          call->extension_method ? call_extension_method(call) : (this->*handler_of(*call->row))(call, call->params));
}

void ServerEngine::go_on(const NewCall& call, MethodOutcome&& outcome) {
    if (auto* result = std::get_if<Result<HandlerResult>>(&outcome)) {
        answer(call, std::move(*result));
    } else if (auto* handler = std::get_if<RunHandler>(&outcome)) {
        run(call, std::move(*handler));
    }
}

// Decides the era of each request. A request whose `_meta` describes its client is modern and needs no session.
Result<std::shared_ptr<const Peer>> ServerEngine::peer_of(const jsonrpc::Request& request) {
    static const protocol::Rules modern(protocol::modern_revision());
    static const protocol::Rules legacy(protocol::legacy_revisions().front());
    const auto only_modern = [&] {
        return modern.method(request.method, Sender::client) && !legacy.method(request.method, Sender::client);
    };
    if (!protocol::has_request_meta(request.params) && (peer_ || !only_modern())) return peer_ ? peer_ : unknown_peer();

    const Declared declared = declare();
    auto peer = known_peer_.find(request.params, declared);
    if (!peer) {
        auto meta = protocol::read_request_meta(request.params);
        if (!meta) return meta.error();
        const auto revision = protocol::revision(meta->protocolVersion);
        if (!revision || protocol::Rules(*revision).is_legacy())
            return protocol::unsupported_version(meta->protocolVersion);
        peer = std::make_shared<const Peer>(Peer{protocol::Rules(*revision), std::move(meta->capabilities),
                                                 std::move(meta->clientInfo), declared, meta->logLevel});
        known_peer_.keep(request.params, peer);
    }
    last_rules_ = peer->rules;
    return peer;
}

// Returns the rules for the refusal of a request before its peer is known.
protocol::Rules ServerEngine::refusal_rules(const jsonrpc::Request& request) const {
    if (protocol::has_request_meta(request.params)) return protocol::Rules(protocol::modern_revision());
    return peer_ ? peer_->rules : last_rules_;
}

Result<void> ServerEngine::may_call(const Call& call) const {
    const bool needs_session = call.peer->rules.is_legacy();
    if (needs_session && !peer_ && call.method != "initialize" && call.method != "ping")
        return Error{code::invalid_params,
                     "Invalid params: not initialized yet; send `initialize` first, or describe the client in "
                     "`params._meta` (2026-07-28)"};
    if (call.extension_method) return {};
    if (!call.row || !handler_of(*call.row))  // a notification has no handler
        return Error{code::method_not_found, "Method not found: " + quote(call.method)};
    if (!declares(call.peer->declared, call.row->needs))
        return Error{code::method_not_found,
                     "Method not found: " + quote(call.method) + "; this server did not declare that capability"};
    return {};
}

Result<void> ServerEngine::read_meta(const Call& call) const {
    json::Reader r(call.params, "params");
    const json::object* meta = r.optional_object("_meta");
    if (!r.ok()) return r.error();
    if (!meta) return {};
    if (const json::value* token = meta->if_contains("progressToken")) {
        if (!token->is_string() && !token->is_int64() && !token->is_uint64())
            return Error{code::invalid_params,
                         "Invalid params: `params._meta.progressToken` must be a string or an integer"};
        call.state_.progress_token = *token;
    }
    return {};
}

void ServerEngine::on_notification(const jsonrpc::Notification& n) {
    static const protocol::Rules modern(protocol::modern_revision());
    const protocol::Method* method = (peer_ ? peer_->rules : modern).method(n.method, Sender::client);
    if (!method || !method->notification) return note(LogLevel::info, "ignored the notification " + quote(n.method));
    if (n.method == "notifications/initialized") {
        initialized_ = changed(StateChange::Kind::initialized);
    } else if (n.method == "notifications/cancelled") {
        on_cancelled(n.params);
    } else if (n.method == "notifications/roots/list_changed" && settings_->on_roots_changed) {
        actions_.push_back(Notify{settings_->on_roots_changed});
    }
}

// ---- answers

Result<void> ServerEngine::may_run(const Call& call) const {
    if (call.state_.runs || running_.size() < limits_.max_concurrent_requests) return {};
    return Error{code::server_error,
                 "Too many requests at once: the limit is " + std::to_string(limits_.max_concurrent_requests) +
                     "; wait for answers",
                 LimitName::max_concurrent_requests};
}

void ServerEngine::run(const CallPtr& call, RunHandler&& handler) {
    if (auto ok = may_run(*call); !ok) return answer(call, ok.error());
    keep_running(call, handler.time);
    call->state_.handled = call->extension_method || call->row->uses != protocol::Uses::nothing;
    actions_.emplace_back(Run{call, handler.placement, std::move(handler.job), std::move(call->state_.reply)});
}

void ServerEngine::keep_running(const CallPtr& call, Duration time) {
    running_.insert(call);
    call->state_.runs = true;
    call->state_.time_limit = time;
    call->state_.deadline = later(now_, time);
    if (!first_deadline_ || *call->state_.deadline < *first_deadline_) first_deadline_ = call->state_.deadline;
}

MethodOutcome ServerEngine::run_task_method(Result<Job> job) {
    if (!job) return job.error();
    return RunHandler{Placement::inline_, Duration::max(), *std::move(job)};
}

MethodOutcome ServerEngine::task_result(const NewCall& call, const json::object& params) {
    json::Reader r(params, "params");
    call->state_.rare().awaits = r.optional_string("taskId").value_or("");
    return run_task_method(task_methods_.result(*call));
}

void ServerEngine::answered(const CallPtr& call, Result<HandlerResult>&& outcome) {
    if (std::exchange(call->state_.ignore_answer, false)) return;
    if (!call->state_.open)
        return note(LogLevel::debug, "dropped the answer to a request that is over: " + quote(call->id.text()));
    if (call->continued) check_replay(*call, replay_of(*call).trace.end());
    answer(call, std::move(outcome));
}

void ServerEngine::answer(const CallPtr& call, Result<HandlerResult>&& outcome) {
    if (call->state_.reply) {
        actions_.push_back(Conclude{std::move(call->state_.reply), std::move(outcome)});
        return;
    }
    // The call stays open until its answer is on its way. So an exception, for example because memory is short, leaves
    // a call that can still be answered.
    Send encoded = encode_answer(*call, outcome);
    std::optional<Ended> record = ended(call, outcome, encoded.message.json.size());
    flush_notifications(call);
    withdraw_questions_of(call, "the request was answered before the client answered");
    make_room();
    deliver(std::move(encoded), call->state_.batch);
    close(call);
    if (record) actions_.emplace_back(*std::move(record));
    if (call->state_.batch) settle(call->state_.batch);
}

void ServerEngine::refuse(const Unreadable& message, const Error& error, const BatchPtr& batch) {
    Send answer = encode_refusal(message.id, error, peer_ ? peer_->rules : last_rules_);
    Ended record = refused(nullptr, error, answer.message.json.size());
    make_room();
    deliver(std::move(answer), batch);
    actions_.emplace_back(std::move(record));
}

void ServerEngine::refuse(jsonrpc::Request& request, const Error& error, const BatchPtr& batch) {
    Send answer = encode_refusal(request.id, error, refusal_rules(request));
    Ended record = refused(refused_call(request), error, answer.message.json.size());
    make_room();
    deliver(std::move(answer), batch);
    actions_.emplace_back(std::move(record));
}

// The Send action keeps the original code, from which HTTP finds the status.
Send ServerEngine::encode_refusal(const std::optional<jsonrpc::Id>& id, Error error,
                                  const protocol::Rules& rules) const {
    const int original = std::exchange(error.code, rules.error_code(error.code));
    return {jsonrpc::encode_error(id, error, rules.unreadable_id()), reply_to_, true, true, original};
}

void ServerEngine::deliver(Send&& answer, const BatchPtr& batch) {
    if (batch) {
        collect(std::move(answer.message), *batch);
    } else {
        actions_.emplace_back(std::move(answer));
    }
}

void ServerEngine::close(const CallPtr& call) {
    call->state_.open = false;
    if (!call->state_.runs) return;
    subscriptions_.end_listen(*call);
    running_.erase(call->id);
}

// ---- deadlines and the end

void ServerEngine::expire(const CallPtr& call) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(call->state_.time_limit).count();
    const std::string why = "the handler of " + call->method + " did not finish in time";
    note(LogLevel::error, why + " (its limit is " + std::to_string(seconds) + " s)");
    call->state_.end = OperationEnd::timed_out;
    call->state_.rare().reason = why;
    answer(call, call->method == "tools/call"
                     ? Result<HandlerResult>(encode_tool_error(why, call->peer->rules))
                     : Result<HandlerResult>(Error{code::internal_error, "Internal error: " + why}));
    actions_.push_back(Stop{call});
}

void ServerEngine::expire_calls(TimePoint now) {
    if (!first_deadline_ || now < *first_deadline_) return;
    first_deadline_.reset();
    std::vector<CallPtr> late;
    for (const CallPtr& call : running_) {
        if (!call->state_.deadline) continue;
        if (*call->state_.deadline <= now) {
            late.push_back(call);
        } else if (!first_deadline_ || *call->state_.deadline < *first_deadline_) {
            first_deadline_ = call->state_.deadline;
        }
    }
    std::ranges::sort(late, {}, [](const CallPtr& call) { return *call->state_.deadline; });
    for (const CallPtr& call : late) expire(call);
}

void ServerEngine::tick(TimePoint now) {
    now_ = now;
    expire_calls(now);
    ping_client(now);
    withdraw(questions_.late(now), {code::request_timeout, "the client did not answer in time"});
}

std::optional<TimePoint> ServerEngine::next_deadline() const {
    std::optional<TimePoint> next = questions_.next_deadline();
    if (!running_.empty() && first_deadline_ && (!next || *first_deadline_ < *next)) next = first_deadline_;
    if (const auto ping = next_ping(); ping && (!next || *ping < *next)) next = ping;
    return next;
}

void ServerEngine::shut_down(std::string_view why) {
    if (shut_down_) return;
    shut_down_ = std::string(why);
    try {
        end_listeners();
        const std::vector<CallPtr> calls(running_.begin(), running_.end());
        actions_.reserve(actions_.size() + 3 * calls.size());  // so that each answered call is also stopped
        for (const CallPtr& call : calls) {
            call->state_.end = OperationEnd::cancelled;
            answer(call, Error{code::server_error, *shut_down_});
            actions_.push_back(Stop{call});
        }
        end_of_input();
    } catch (...) {  // memory is short; the caller repeats it
        shut_down_.reset();
        throw;
    }
}

std::string ServerEngine::quote(std::string_view s) const { return base::printable(s, limits_.max_error_text_bytes); }

const Features& ServerEngine::features() {
    if (!features_) features_ = settings_->features();
    return *features_;
}

}  // namespace tenon::core
