// Decides which messages of a session's log belong to one GET stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>

#include "web/stored_event.hpp"

namespace tenon::web {

/// One connection of a GET stream, which reads the log of the messages without a request. Each message belongs to one
/// stream: the newest one whose mark `listen:` stands before it. The messages before the first mark belong to the first
/// stream. All readers see the same order, so they agree, and no message is shown by two streams. A stream that a newer
/// one has replaced still shows its own messages to a client that resumes it. Not thread-safe.
class ListenerView {
 public:
    static constexpr std::size_t max_keys = 4096;  ///< that are remembered; a slower node would repeat a message

    struct Start {
        std::string stream;       ///< the name of the stream
        std::uint64_t after = 0;  ///< the client has seen the messages of the stream up to this event
        std::uint64_t mark = 0;   ///< the event that announced this connection. It ends at the next mark of its kind
        bool first = false;       ///< no stream was opened before. Counts only if the beginning of the log is lost
    };
    enum class Step : std::uint8_t {
        skip,   ///< nothing to show
        show,   ///< show this message
        live,   ///< this connection's own mark: everything before it was shown, and the stream goes on
        again,  ///< the messages before the first mark are to be shown: read the log from its beginning again
        end,    ///< nothing more belongs to this connection
    };
    explicit ListenerView(Start start);

    /// Call it after the first read. `trimmed`: the log has lost its beginning.
    void set_trimmed(bool trimmed) { trimmed_ = trimmed; }
    /// Takes the events of the log, in order, from the first one on.
    Step take(std::uint64_t id, const StoredEvent& event);

    const Start& start() const { return start_; }

 private:
    enum class Owner : std::uint8_t { unknown, mine, other };
    Step take_mark(std::uint64_t id, const StoredEvent& mark);
    bool is_new(std::optional<std::uint64_t> key);

    const Start start_;
    Owner owner_;
    bool trimmed_ = false;
    bool skipped_ = false;  // a message whose owner was unknown
    // The keys of messages that several nodes may have added, the newest ones. The log is read from its first event on,
    // so that the keys from before `start_.after` are known.
    std::set<std::uint64_t> keys_;
    std::deque<std::uint64_t> key_order_;
};

}  // namespace tenon::web
