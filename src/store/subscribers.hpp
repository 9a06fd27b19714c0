// The subscriptions of one Store object.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/store.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::store {

/// Subscriptions by topic. Thread-safe. Calls listeners outside its lock, and each listener one call at a time: a
/// message that arrives meanwhile waits, and the thread inside the listener passes it on.
class Subscribers : public std::enable_shared_from_this<Subscribers> {
 public:
    /// Called outside the lock when the first subscription of a topic begins and after the last one ended. The calls
    /// for one topic may overtake each other, so ask has() for the truth.
    using Changed = std::function<void(const std::string& topic)>;

    Subscribers(const StoreLimits& limits, Changed changed)
        : max_subscriptions_(limits.max_subscriptions),
          max_waiting_(limits.max_waiting_messages),
          changed_(std::move(changed)) {}

    /// Adds a subscription. `topic` may have any number of them. Calls on_gap at once if `announce`: otherwise the
    /// caller calls gap() as soon as the subscription has begun.
    Subscription add(std::string topic, Listener listener, bool announce);

    bool has(std::string_view topic) const;
    bool empty() const;
    std::vector<std::string> topics() const;

    void publish(std::string_view topic, std::string_view bytes);
    /// Reports to the subscriptions of a topic that messages may have been lost.
    void gap(std::string_view topic);
    /// Like gap(), but only for subscriptions that had no call of on_gap yet.
    void begin(std::string_view topic);
    void gap_all();
    /// Ends all subscriptions, and drops the function `changed`.
    void close();

 private:
    struct Entry;
    using EntryPtr = std::shared_ptr<Entry>;
    std::vector<EntryPtr> entries_of(std::string_view topic) const;
    void remove(const std::string& topic, const Entry* entry);
    void tell(const EntryPtr& entry, const std::string* message) const;

    const std::size_t max_subscriptions_, max_waiting_;
    mutable std::mutex mutex_;
    Changed changed_;
    std::size_t count_ = 0;
    std::map<std::string, std::vector<EntryPtr>, std::less<>> entries_;
};

}  // namespace tenon::store

#pragma GCC visibility pop
