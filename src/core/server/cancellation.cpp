// notifications/cancelled: the client no longer wants the answer to a request.
#include "core/server/engine.hpp"

namespace tenon::core {

void ServerEngine::on_cancelled(const json::object& params) {
    const json::value* v = params.if_contains("requestId");
    const auto id = v ? jsonrpc::Id::from(*v) : std::nullopt;
    if (!id) return note(LogLevel::warning, "ignored a cancellation without a `requestId`");
    const auto it = running_.find(*id);
    if (it == running_.end()) return;  // finished or unknown: the specification expects this race
    const CallPtr call = *it;          // NOLINT: a copy, since close() takes it out
    const json::value* reason = params.if_contains("reason");
    note(LogLevel::info, "the client cancelled " + call->method + " " + quote(call->id.text()) +
                             (reason && reason->is_string() ? ": " + quote(reason->get_string()) : ""));
    const Error why(0, "the client cancelled the request");  // never sent: the client expects no answer
    call->state_.end = OperationEnd::cancelled;
    std::optional<Ended> record = ended(call, why, 0);
    actions_.reserve(actions_.size() + 4);  // may throw; a call that is closed must also be stopped
    close(call);
    actions_.emplace_back(*std::move(record));
    if (call->state_.reply)
        actions_.push_back(
            Conclude{std::move(call->state_.reply), Error{code::server_error, "the client cancelled the request"}});
    actions_.push_back(Stop{call});
    withdraw_questions_of(call, "the client cancelled the request");
    if (call->state_.batch) return settle(call->state_.batch);
    actions_.push_back(Finish{call->reply_to});
}

}  // namespace tenon::core
