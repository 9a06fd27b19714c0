// Event logs in a store: one stream per request, and streams for answers to questions. See store.hpp for what holds for
// all operations.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tenon/reply.hpp>
#include <tenon/store/subscription.hpp>

#pragma GCC visibility push(default)

namespace tenon::store {

/// Names a stream. All streams of a group are in one slot of a Redis Cluster, and Sessions::remove() and
/// EventLog::remove_group() remove them together.
struct StreamName {
    std::string group;  ///< the id of the session. Requests without a session: any name, for example the request's own
    std::string name;   ///< unique in the group; not empty

    friend bool operator==(const StreamName&, const StreamName&) = default;
    friend auto operator<=>(const StreamName&, const StreamName&) = default;
};

/// The number of an event. The first event of a stream has 1, and each further event has the next number, also after
/// trimming. Usable in an SSE event id, together with the name of the stream. 0 is before the first event.
using EventId = std::uint64_t;

/// How much of a stream is kept. The newest event is always kept.
struct Keep {
    std::size_t max_events = 1000;
    std::size_t max_bytes = 1024 * 1024;
    /// For each event. The whole stream is removed when this time has passed since its last change; Redis may keep it an
    /// eighth longer. By the clock of the store.
    std::chrono::milliseconds max_age = std::chrono::minutes(30);
};

/// One event. Its bytes are not interpreted, and may be empty.
struct Event {
    EventId id = 0;
    std::string bytes;

    friend bool operator==(const Event&, const Event&) = default;
};

/// Some events of a stream, in order.
struct EventBatch {
    std::vector<Event> events = {};
    EventId last = 0;       ///< the newest event of the stream; 0: none yet. Above the batch: there is more to read
    bool finished = false;  ///< no event will follow `last`
    bool gap = false;       ///< events between `after` and the first one of the batch were trimmed
};

/// Streams of events. An acknowledged event is stored: it survives the death of every node, and with SQLite or a Redis
/// with persistence also the death of the store.
class EventLog {
 public:
    virtual ~EventLog() = default;

    /// Adds an event at the end, trims the stream, and wakes its watchers on all nodes, in one atomic step. Answers
    /// with the id of the event. The first append creates the stream. Appends of one Store object to one stream keep
    /// their order.
    ///
    /// `last` also finishes the stream. store_conflict: the stream is finished already, and nothing was added. So of
    /// several nodes that append a final response, exactly one succeeds.
    virtual void append(StreamName stream, std::string bytes, bool last, Keep keep, Reply<EventId> reply) = 0;
    /// Reads events with an id above `after`: at most `max_events`, and as many as fit in `max_bytes`, but at least
    /// one. StoreLimits::max_batch_events and max_batch_bytes bound both. store_not_found: there is no such stream
    /// (yet).
    virtual void read(StreamName stream, EventId after, std::size_t max_events, std::size_t max_bytes,
                      Reply<EventBatch> reply) = 0;
    /// Finishes a stream without an event, creates it if needed, and wakes its watchers. store_conflict: it is finished
    /// already.
    virtual void finish(StreamName stream, Keep keep, Reply<void> reply) = 0;
    /// Removes the oldest events until the rest satisfies `keep`. Answers with the number of removed events.
    virtual void trim(StreamName stream, Keep keep, Reply<std::size_t> reply) = 0;
    /// Removes a stream. Answers whether it existed. Does not wake watchers.
    virtual void remove(StreamName stream, Reply<bool> reply) = 0;
    /// Removes all streams of a group. Answers with their number.
    virtual void remove_group(std::string group, Reply<std::size_t> reply) = 0;

    /// Calls `wake` after each append() and finish() of any node, without polling. Several changes may cause one call,
    /// and there may be calls without a change. Calls it once when watching has begun, and once after each reconnection
    /// to the store. So a reader that reads all new events after each call misses nothing. Ends when the subscription
    /// is destroyed. `wake` runs like the function of Bus::subscribe().
    virtual Subscription watch(StreamName stream, std::function<void()> wake) = 0;
};

}  // namespace tenon::store

#pragma GCC visibility pop
