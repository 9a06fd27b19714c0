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
    close(call);
    actions_.push_back(Stop{call});
    withdraw_questions_of(call, "the client cancelled the request");
    if (call->state_.batch) return settle(call->state_.batch);
    actions_.push_back(Finish{call->reply_to});
}

}  // namespace tenon::core
