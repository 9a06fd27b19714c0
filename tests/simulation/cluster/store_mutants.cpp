// Promises that the store breaks on purpose: the oracle must notice each of them.
#include "simulation/cluster/store_model.hpp"

namespace tenon::test {

namespace {

// A stream that no client reads.
store::StreamName nowhere() { return {"nowhere", "bnothing"}; }

}  // namespace

void StoreModel::break_promise(op::EventAppend& op) {
    const bool event = op.stream.name.starts_with("e");
    if (mutant == Mutant::forgets_keys && event) {
        web::StoredEvent stored = web::decode_event(op.bytes);
        stored.once = std::nullopt;
        op.bytes = web::encode_event(stored);
    }
    const bool loses = mutant == Mutant::loses_events && event && dice.one_in(4);
    if (loses || (mutant == Mutant::loses_answers && !event)) {
        op.stream = nowhere();
        op.last = false;
    }
    if (mutant == Mutant::repeats_events && event && !op.last && dice.one_in(4)) {
        auto again = op;
        tables_.apply(again, now());
        oracle.appended(op.stream, op.bytes, false);
    }
}

void StoreModel::break_promise(op::TaskUpdate& op) {
    const auto found = tables_.apply(op::TaskLoad{op.id}, now());
    if (!found) return;
    if (mutant == Mutant::ignores_tokens) op.token = found->token;
    if (mutant == Mutant::loses_outcomes && op.over) op.bytes = found->bytes, op.over = false;
}

void StoreModel::break_promise(Result<store::EventBatch>& batch) {
    if (mutant == Mutant::skips_events && batch->events.size() > 1) batch->events.erase(batch->events.begin());
}

void StoreModel::break_promise(Result<op::RawTask>& task) {
    if (mutant == Mutant::mixes_up_owners) task->owner = "mallory";
}

void StoreModel::break_promise(Result<op::RawSession>& session) {
    if (mutant != Mutant::mixes_up_sessions) return;
    auto record = store::decode_session(loaded_, session->bytes);
    if (!record) return;
    record->principal = "mallory";
    session->bytes = store::encode_session(*record);
}

void StoreModel::break_promise(Result<store::Lease>& lease) {
    if (mutant == Mutant::buries_the_living) lease->left = std::chrono::milliseconds(0);
}

}  // namespace tenon::test
