// The form of an event in a log that several nodes read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::web {

/// One event of a stream. In the log it is text: the requests, if it is the first one, and then the event itself.
///
///     open:[1,2]\n{"jsonrpc":...}   the first event, of the requests 1 and 2
///     {"jsonrpc":...}               a message
///     once:17\n{"jsonrpc":...}      a message that several nodes may add. Only the first event with this key counts
///     listen:                       a newer stream shows the events after this one
///     retry:500                     the client should close the connection, and reconnect after half a second
///                                   (empty) lets a client resume the stream before its first message
struct StoredEvent {
    std::string_view requests = {};  ///< the ids of the stream's requests, a JSON array
    std::string_view data = {};
    std::optional<long long> retry_ms = {};
    std::optional<std::uint64_t> once = {};  ///< the key of a message that several nodes may add
    bool listens = false;                    ///< marks the place from which on another stream shows the log
};

std::string encode_event(const StoredEvent& event);
/// The result refers to `text`. Any text is readable.
StoredEvent decode_event(std::string_view text);
/// Returns the event for a client. `id`: 0 leaves the id out.
std::string to_sse(const StoredEvent& event, std::string_view log, std::uint64_t id);

/// The name of a log and the number of an event: the content of `Last-Event-ID`.
struct EventPlace {
    std::string log;
    std::uint64_t event = 0;
};
std::optional<EventPlace> read_event_place(std::string_view text);

}  // namespace tenon::web
