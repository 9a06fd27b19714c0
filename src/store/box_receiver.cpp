#include "store/box_receiver.hpp"

namespace tenon::store {

void BoxReceiver::wake() {
    {
        const std::lock_guard lock(mutex_);
        again_ = true;
        if (!take_ || reading_) return;
        reading_ = true, again_ = false;
    }
    read_(make_reply<EventBatch>(
        [self = shared_from_this()](Result<EventBatch>&& batch) { self->on_batch(std::move(batch)); }));
}

// A failed read is repeated after the next wake-up: the backend wakes all subscriptions when it works again.
void BoxReceiver::on_batch(Result<EventBatch>&& batch) {
    std::function<void(std::string)> take;
    bool again = false;
    {
        const std::lock_guard lock(mutex_);
        reading_ = false;
        again = again_;
        if (batch && !batch->events.empty()) take = std::exchange(take_, nullptr);
    }
    if (take) return take(std::move(batch->events.front().bytes));
    if (again) wake();
}

void BoxReceiver::end() {
    const std::function<void(std::string)> dropped = [&] {
        const std::lock_guard lock(mutex_);
        return std::exchange(take_, nullptr);
    }();  // destroyed outside the lock
}

}  // namespace tenon::store
