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
///     listen:n0af.7                 the stream n0af.7 begins, and shows the events after this one
///     resume:n0af.7                 the stream n0af.7 goes on with another connection
///     moved:LOG                     the last event: the request runs again, and LOG has its further events
///     retry:500                     the client should close the connection, and reconnect after half a second
///                                   (empty) lets a client resume the stream before its first message
struct StoredEvent {
    std::string_view requests = {};  ///< the ids of the stream's requests, a JSON array
    std::string_view data = {};
    std::optional<long long> retry_ms = {};
    std::optional<std::uint64_t> once = {};  ///< the key of a message that several nodes may add
    std::string_view listens = {};           ///< marks the place from which on this stream shows the log
    std::string_view resumes = {};           ///< marks the place where this stream got another connection
    std::string_view moved = {};             ///< the log that continues this one
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
/// Returns the id of an event. `log`: for a GET stream of a shared session, listener_log and the name of the stream.
std::string event_id(std::string_view log, std::uint64_t event);

/// The log of the messages that belong to no request. Several GET streams share it: see ListenerView.
inline constexpr std::string_view listener_log = "s";
/// Returns the first part of the event ids of a GET stream.
std::string listener_place(std::string_view stream);
/// Returns the GET stream to which an event id belongs; nullopt: it belongs to the log of a request.
std::optional<std::string> listener_of(const EventPlace& place);

}  // namespace tenon::web
