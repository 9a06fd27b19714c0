// Store: the state that several nodes share, or that survives a restart. Sessions, event logs, tasks, a bus, and small
// values. Implementations: memory (store/memory.hpp), SQLite and Redis (store/open.hpp).
//
// What holds for all operations:
//
// - They never block, and never fail at once: the result goes to a Reply, exactly once. The Reply is answered on a
// thread
//   of the store, or inside the call (memory, wrong arguments, full queues). So do not hold a lock that the Reply
//   takes. It is never answered under a lock of the store. It must be quick and must not block; it may call the store.
// - Each ends within StoreLimits::operation_time and a little, with a value or an error of store/errors.hpp. Below,
//   "store_not_found." at the end of a comment lists such an error. All can end with store_unavailable and
//   store_invalid.
// - After store_unavailable, a write may have been done or not.
// - They are safe to call from any thread. Two operations that one thread starts in order, on the same session, stream,
//   task or key, are done in that order.
// - Keys and ids are any bytes, at most StoreLimits::max_key_bytes. Values are any bytes, at most max_value_bytes.
// - Times are durations. Each store measures them with one clock of its own, so the clocks of the nodes do not matter.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/protocol/tasks.hpp>
#include <tenon/reply.hpp>
#include <tenon/store/bus.hpp>
#include <tenon/store/errors.hpp>
#include <tenon/store/event_log.hpp>
#include <tenon/store/sessions.hpp>
#include <tenon/store/tasks.hpp>
#include <tenon/store/values.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The limits of one Store object. Plain data.
struct StoreLimits {
    std::size_t max_operations = 10'000;              ///< that wait or run; more end with store_unavailable
    std::size_t max_queued_bytes = 64 * 1024 * 1024;  ///< of operations that wait or run
    std::size_t max_key_bytes = 1024;                 ///< of an id, a key, a topic, or a part of a stream's name
    std::size_t max_value_bytes = 16 * 1024 * 1024 + 64 * 1024;  ///< of a record, an event, a message or a value
    std::size_t max_batch_events = 1000;                         ///< that one read or list returns
    std::size_t max_batch_bytes = 4 * 1024 * 1024;      ///< of events that one read returns, if it is more than one
    std::size_t max_subscriptions = 100'000;            ///< of this Store object; more get only store::Listener::on_gap
    std::size_t max_waiting_messages = 1000;            ///< of one subscription; more are dropped and end in on_gap
    std::size_t max_memory_bytes = 256 * 1024 * 1024;   ///< that the memory store holds
    std::chrono::milliseconds operation_time{5000};     ///< for an operation, from its start to its reply
    std::chrono::milliseconds connect_time{5000};       ///< for a connection to Redis, its TLS and its login
    std::chrono::milliseconds first_reconnect{50};      ///< before the second attempt to connect; doubles each time
    std::chrono::milliseconds longest_reconnect{2000};  ///< between two attempts. Both vary by up to a half
};

/// One finished operation of a store, for metrics.
struct StoreOperation {
    std::string_view name;  ///< for example "events.append"; a constant of the library
    Duration took{};        ///< from the call to the reply
    int error = 0;          ///< a code of store/errors.hpp; 0: success
};

/// Options of all stores.
struct StoreOptions {
    StoreLimits limits = {};
    /// Called after each operation, on the thread that answers it, before its Reply. Must be quick and must not throw.
    /// Optional.
    std::function<void(const StoreOperation&)> observe = {};
    /// Receives lost and restored connections, for the log. Passwords never appear in it. Optional.
    LogNote log = {};
    /// The clock of a memory or SQLite store, for tests. Redis uses the clock of its server. Empty: the system's clock.
    std::function<WallTime()> clock = {};
};

/// The state of a store, from Store::check().
struct StoreStatus {
    std::string description = {};  ///< for people, for example "Redis 7.0.15 at 127.0.0.1:6379"
    WallTime time = {};            ///< the clock of the store
};

/// The parts of one store. Thread-safe. Destroying it closes it. It may be destroyed inside a Reply.
class Store {
 public:
    virtual ~Store() = default;

    /// Answers all open operations with store_unavailable, ends all subscriptions, and waits until the threads of the
    /// store have ended. Later operations end with store_unavailable. A call on a thread of the store, for example in a
    /// Reply, does not wait: then a thread may still run when the program ends. So the owner of a store should call it,
    /// after everything that uses the store has ended. Further calls have no effect.
    virtual void close() = 0;

    virtual store::Sessions& sessions() = 0;
    virtual store::EventLog& events() = 0;
    virtual store::Tasks& tasks() = 0;
    virtual store::Bus& bus() = 0;
    virtual store::Values& values() = 0;

    /// Checks that the store can be used. Call it at start-up: store_misconfigured says what to change. Also the answer
    /// for a readiness probe.
    virtual void check(Reply<StoreStatus> reply) = 0;
    /// Returns whether other processes can use the same state. False: memory.
    virtual bool is_shared() const = 0;
};

}  // namespace tenon

#pragma GCC visibility pop
