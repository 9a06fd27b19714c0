// Waits for the message of a box: see Bus::receive().
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::store {

/// Reads the stream of a box after each wake-up, and passes its first event on, once. Repeats a read that the store
/// refused, with growing pauses, until the subscription ends. Thread-safe.
class BoxReceiver : public std::enable_shared_from_this<BoxReceiver> {
 public:
    /// What it needs of a backend.
    struct Source {
        std::function<void(Reply<EventBatch>)> read;
        std::function<void(std::chrono::milliseconds wait, std::function<void()> work)> after;
        std::chrono::milliseconds first_pause, longest_pause;  ///< before a refused read is repeated
    };
    BoxReceiver(Source source, std::function<void(std::string)> take)
        : source_(std::move(source)), take_(std::move(take)) {}

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
    std::chrono::milliseconds next_pause();
    void read_later(std::chrono::milliseconds wait);
    void end();

    const Source source_;
    std::mutex mutex_;  // guards the members below
    bool reading_ = false, again_ = false;
    bool waiting_ = false;  // a refused read will be repeated
    std::chrono::milliseconds pause_{0};
    std::function<void(std::string)> take_;  // empty: done
};

}  // namespace tenon::store

#pragma GCC visibility pop
