// The bus of a store: messages between nodes. See store.hpp for what holds for all operations.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include <tenon/reply.hpp>
#include <tenon/store/event_log.hpp>
#include <tenon/store/subscription.hpp>

#pragma GCC visibility push(default)

namespace tenon::store {

/// Receives the messages of a topic. Both functions are called one at a time for one subscription, on a thread of the
/// store or inside publish(), and never under a lock. They must be quick, must not block and must not throw.
struct Listener {
    /// One message. It is valid only during the call.
    std::function<void(std::string_view bytes)> on_message;
    /// Messages may have been lost: the connection to the store was interrupted, or a queue was full. Read again what
    /// the messages were about. Also called once when the subscription has begun. Optional.
    std::function<void()> on_gap = {};
};

/// Messages between the nodes that share a store.
///
/// | operation | guarantee |
/// |---|---|
/// | publish | at most once for each subscription that exists at that time. A loss is reported by on_gap |
/// | EventLog::watch | at least one call after each change, however often the connection breaks |
/// | deliver, receive | stored before it is acknowledged; received exactly once, or the deliverer gets an error |
///
/// Use publish() for what can be read again or repeated: list changes, resource updates, task changes, cancellations.
/// Use deliver() for what must not be lost: answers to questions.
class Bus {
 public:
    virtual ~Bus() = default;

    /// Sends a message to all subscriptions of the topic, on all nodes, this one included. Answers when the store has
    /// accepted it. Messages of one Store object to one topic arrive in their order.
    virtual void publish(std::string topic, std::string bytes, Reply<void> reply) = 0;
    /// Subscribes to a topic. Never fails: while the store is unreachable, messages are lost, and on_gap is called
    /// after the next connection.
    virtual Subscription subscribe(std::string topic, Listener listener) = 0;

    /// Stores a message for the receiver of a box, and wakes it on whichever node it is. A box takes one message.
    /// store_conflict: it has had one. The message is kept for `ttl`, also when receive() is called later.
    virtual void deliver(StreamName box, std::string bytes, std::chrono::milliseconds ttl, Reply<void> reply) = 0;
    /// Passes the message of a box to `take`, once, as soon as there is one. A failure of the store delays it; the
    /// receiver needs its own timeout. Ends when the subscription is destroyed.
    virtual Subscription receive(StreamName box, std::function<void(std::string bytes)> take) = 0;
};

}  // namespace tenon::store

#pragma GCC visibility pop
