#include "store/box_receiver.hpp"

#include <algorithm>

#include <tenon/store/errors.hpp>

namespace tenon::store {

void BoxReceiver::wake() {
    {
        const std::lock_guard lock(mutex_);
        again_ = true;
        if (!take_ || reading_) return;
        reading_ = true, again_ = false;
    }
    source_.read(make_reply<EventBatch>(
        [self = shared_from_this()](Result<EventBatch>&& batch) { self->on_batch(std::move(batch)); }));
}

// No wake-up may follow a read that was refused: a queue was full, or only the connection for operations was lost.
void BoxReceiver::on_batch(Result<EventBatch>&& batch) {
    std::function<void(std::string)> take;
    bool again = false;
    std::optional<std::chrono::milliseconds> wait;
    {
        const std::lock_guard lock(mutex_);
        reading_ = false;
        again = again_;
        if (batch && !batch->events.empty()) take = std::exchange(take_, nullptr);
        const bool refused = !batch && is_unavailable(batch.error());
        if (!refused) pause_ = {};
        if (refused && !waiting_) wait = next_pause();
    }
    if (take) return take(std::move(batch->events.front().bytes));
    if (wait) return read_later(*wait);
    if (again) wake();
}

// Under the lock.
std::chrono::milliseconds BoxReceiver::next_pause() {
    waiting_ = true;
    return pause_ = std::min(std::max(2 * pause_, source_.first_pause), source_.longest_pause);
}

void BoxReceiver::read_later(std::chrono::milliseconds wait) {
    source_.after(wait, [weak = weak_from_this()] {
        const auto self = weak.lock();
        if (!self) return;
        {
            const std::lock_guard lock(self->mutex_);
            self->waiting_ = false;
        }
        self->wake();
    });
}

void BoxReceiver::end() {
    const std::function<void(std::string)> dropped = [&] {
        const std::lock_guard lock(mutex_);
        return std::exchange(take_, nullptr);
    }();  // destroyed outside the lock
}

}  // namespace tenon::store
