// Batches (2025-03-26 and before): one array of several messages, answered with one array.
#include "core/server/engine.hpp"

namespace tenon::core {

void ServerEngine::receive_batch(jsonrpc::Messages& messages) {
    if (!peer_ || !peer_->rules.has(protocol::Trait::batches)) {
        const std::string why = peer_ ? "revision " + std::string(peer_->rules.name()) + " has no batches"
                                      : "send `initialize` first, alone";
        return refuse(Unreadable{}, {code::invalid_request, "Invalid request: " + why}, nullptr);
    }
    auto batch = std::make_shared<Batch>();
    batch->reply_to = reply_to_;
    batch->open = 1;  // keeps the batch open until all its messages are read
    batch->charge = new_charge();
    for (jsonrpc::Message& message : messages) accept(message, batch);
    settle(batch);
}

void ServerEngine::collect(Encoded&& answer, Batch& batch) {
    if (batch.too_much) return;
    batch.answer_bytes += answer.json.size();
    const std::size_t needed = 2 * batch.answer_bytes;  // at the end the responses are copied into one message
    if (batch.answer_bytes > limits_.max_queued_output_bytes) {
        batch.too_much = Error{code::server_error,
                               "The answers of the batch are too long: the limit is " +
                                   std::to_string(limits_.max_queued_output_bytes) +
                                   " bytes (Limits::max_queued_output_bytes); send smaller batches",
                               LimitName::max_queued_output_bytes};
    } else if (const auto verdict = batch.charge.cover(needed); verdict != MemoryDecision::granted) {
        batch.too_much = memory_error(verdict, batch.charge);
    }
    if (!batch.too_much) return batch.answers.push_back(std::move(answer));
    batch.answers = {};
    batch.charge.release();
}

void ServerEngine::settle(const BatchPtr& batch) {
    if (--batch->open > 0) return;
    if (batch->too_much) {
        actions_.push_back(Send{jsonrpc::encode_error(std::nullopt, *batch->too_much, peer_->rules.unreadable_id()),
                                batch->reply_to, true, true, batch->too_much->code});
    } else if (batch->answers.empty()) {
        actions_.push_back(Finish{batch->reply_to});
    } else {
        actions_.push_back(Send{jsonrpc::encode_batch(batch->answers), batch->reply_to, true});
    }
}

}  // namespace tenon::core
