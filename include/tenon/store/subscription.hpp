// Subscription: ends a subscription to a bus or a stream.
#pragma once

#include <memory>
#include <utility>

#pragma GCC visibility push(default)

namespace tenon::store {

/// Ends a subscription when it is destroyed or reset. Move-only. A call of the subscribed function that has begun on
/// another thread may end later; so the function must own what it uses. May be destroyed inside the function, and after
/// the store.
class Subscription {
 public:
    Subscription() = default;
    /// For implementations of stores: `ends` ends the subscription when it is released.
    explicit Subscription(std::shared_ptr<void> ends) : ends_(std::move(ends)) {}
    Subscription(Subscription&&) noexcept = default;
    Subscription& operator=(Subscription&&) noexcept = default;

    void reset() { ends_.reset(); }
    /// Returns whether there is a subscription.
    explicit operator bool() const { return ends_ != nullptr; }

 private:
    std::shared_ptr<void> ends_;
};

}  // namespace tenon::store

#pragma GCC visibility pop
