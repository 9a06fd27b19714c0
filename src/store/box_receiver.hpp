// Waits for the message of a box: see Bus::receive().
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::store {

/// Reads the stream of a box after each wake-up, and passes its first event on, once. Thread-safe.
class BoxReceiver : public std::enable_shared_from_this<BoxReceiver> {
 public:
    using Read = std::function<void(Reply<EventBatch>)>;
    BoxReceiver(Read read, std::function<void(std::string)> take) : read_(std::move(read)), take_(std::move(take)) {}

    /// Starts with `subscribe(wake)`. The subscription that this returns ends everything.
    template <class Subscribe>
    Subscription watch(Subscribe subscribe) {
        const auto self = shared_from_this();
        auto inner = std::make_shared<Subscription>(subscribe([weak = weak_from_this()] {
            if (const auto alive = weak.lock()) alive->wake();
        }));
        return Subscription(std::shared_ptr<void>(nullptr, [self, inner](void*) { self->end(), inner->reset(); }));
    }

 private:
    void wake();
    void on_batch(Result<EventBatch>&& batch);
    void end();

    const Read read_;
    std::mutex mutex_;
    bool reading_ = false, again_ = false;
    std::function<void(std::string)> take_;  // empty: done
};

}  // namespace tenon::store

#pragma GCC visibility pop
