// How each request ends: its answer, and what observers and the log are told of it, exactly once, whatever the end is.
#include <algorithm>

#include <tenon/store/errors.hpp>

#include "core/server/engine.hpp"
#include "core/server/named.hpp"
#include "protocol/write.hpp"

namespace tenon::core {
namespace {

OperationEnd end_of(const Result<HandlerResult>& outcome, bool handled) {
    if (!outcome) return handled ? OperationEnd::protocol_error : OperationEnd::refused;
    if (outcome->type == "input_required") return OperationEnd::input_required;
    if (outcome->says_error) return handled ? OperationEnd::tool_error : OperationEnd::refused;
    return OperationEnd::ok;
}

}  // namespace

const std::shared_ptr<const Peer>& unknown_peer() {
    static const auto unknown =
        std::make_shared<const Peer>(Peer{protocol::Rules(protocol::legacy_revisions().front())});
    return unknown;
}

// Without observers, only failures are worth a record: they are logged.
std::optional<Ended> ServerEngine::ended(const CallPtr& call, const Result<HandlerResult>& outcome,
                                         std::size_t bytes) const {
    const CallState& state = call->state_;
    const OperationEnd end = state.end ? *state.end : end_of(outcome, state.handled);
    const bool failed = end != OperationEnd::ok && end != OperationEnd::input_required;
    if (!failed && !observed()) return std::nullopt;
    Ended out{.call = call,
              .peer = call->peer == unknown_peer() ? peer_ : call->peer,
              .caller = call->access.caller,
              .began = call->received,
              .request_bytes = call->bytes,
              .response_bytes = bytes,
              .end = end};
    if (!outcome) {
        const Error& error = outcome.error();
        out.error = call->peer->rules.error_code(error.code);
        out.limit = error.limit;
    }
    if (end == OperationEnd::timed_out) out.limit = LimitName::handler_time;
    out.task = state.task();
    const RareCallState* rare = state.rare_if_any();
    if (rare && !rare->reason.empty()) {
        out.reason = rare->reason;
    } else if (!outcome) {
        out.reason = outcome.error().message;
    }
    return out;
}

Ended ServerEngine::refused(CallPtr call, const Error& error, std::size_t bytes) const {
    return {.call = std::move(call),
            .peer = peer_,
            .caller = caller_ ? caller_ : identity_.caller,
            .began = now_,
            .request_bytes = bytes_,
            .response_bytes = bytes,
            .end = OperationEnd::refused,
            .error = error.code,
            .reason = error.message,
            .limit = error.limit};
}

// Makes a call of a request that is refused before its peer is known, for its record only.
CallPtr ServerEngine::refused_call(jsonrpc::Request& request) const {
    const auto call = std::make_shared<Call>(request.id, unknown_peer(), memory_, std::move(request.params));
    call->access.caller = caller_ ? caller_ : identity_.caller;
    call->method = std::move(request.method);
    call->row = protocol::find_method(call->method);
    call->received = now_;
    call->carried = carried_;
    if (observed()) call->span = settings_->new_span();
    return call;
}

// Makes room for an answer and its record, so that both are sent or neither is: adding them cannot fail any more.
void ServerEngine::make_room() {
    constexpr std::size_t needed = 2;
    if (actions_.capacity() - actions_.size() < needed) actions_.reserve(2 * actions_.capacity() + needed);
}

// Takes the result out of `outcome`, and replaces it by an error if it is too long.
Send ServerEngine::encode_answer(const Call& call, Result<HandlerResult>& outcome) const {
    const protocol::Rules& rules = call.peer->rules;
    if (outcome) {
        Encoded result = protocol::complete_result(std::move(outcome->result), outcome->type, outcome->meta(),
                                                   settings_->info, rules);
        if (result.json.size() <= limits_.max_message_bytes)
            return {jsonrpc::encode_result(call.id, std::move(result)), call.reply_to, true};
        outcome = Error{code::internal_error,
                        "Internal error: the result has " + std::to_string(result.json.size()) +
                            " bytes, and the limit is " + std::to_string(limits_.max_message_bytes),
                        LimitName::max_message_bytes};
    }
    const auto retry = store::retry_after(outcome.error());
    if (retry) outcome = Error{code::server_error, "the store of this server cannot be used at the moment; try again"};
    Error error = outcome.error();
    error.code = rules.error_code(error.code);
    Send out{jsonrpc::encode_error(call.id, error), call.reply_to, true, false, error.code};
    if (retry) out.retry_after = std::max(std::chrono::seconds(1), std::chrono::ceil<std::chrono::seconds>(*retry));
    return out;
}

}  // namespace tenon::core
