// ClientTransport: carries a client's messages to a server. See transport/process.hpp, http_client.hpp, memory.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/error.hpp>
#include <tenon/json.hpp>
#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/trace_context.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// One message, with the data that a transport needs for headers and streams.
struct OutgoingMessage {
    enum class Kind {
        request,
        notification,
        response,
        cancellation,  ///< cancels the request `id` by a notification; if `stateless`, a transport may close its stream
    };
    Kind kind = Kind::request;
    std::string body = {};      ///< the message: JSON without a newline
    std::int64_t id = 0;        ///< id of the request, or of the request to cancel
    std::string method = {};    ///< method of a request or notification
    std::string name = {};      ///< the tool, prompt or URI that the request names
    std::string revision = {};  ///< protocol revision; empty before it is known
    bool stateless = false;     ///< the request carries its own context (2026-07-28) and needs no session
    std::vector<std::pair<std::string, json::value>> mirrored = {};  ///< headers that repeat tool arguments
    SharedTrace trace = {};  ///< the trace of the request, for headers that repeat it
};

/// A connection to one server. Implementations must be thread-safe. They may call events from any thread, but only one
/// at a time, and never from inside send().
class ClientTransport {
 public:
    struct Events {
        std::function<void()> opened;                   ///< messages can be sent; the first event
        std::function<void(std::string_view)> message;  ///< one whole message was received
        /// A message over the limit was dropped. It may be the response to any request, so all open requests fail. A
        /// transport that knows the request calls `failed` instead.
        std::function<void(std::size_t limit)> too_long;
        std::function<void(std::int64_t request, Error why)> failed;  ///< this request will get no response
        /// The server has ended the session; a new handshake is needed. `request` was refused for that reason and had
        /// no effect; 0 when there is no such request.
        std::function<void(std::int64_t request)> session_lost;
        /// true: the user must act (sign in) before requests continue. false: the user has acted. Between the two,
        /// timeouts are suspended.
        std::function<void(bool)> user_asked;
        /// Requests carry other credentials from now on: after a sign-in, a step-up or a refresh. Private results of
        /// the cache are dropped. May be empty.
        std::function<void()> credentials_changed;
        std::function<void(Error why)> closed;  ///< the connection has ended; the last event
        LogNote note;                           ///< receives the transport's log
    };
    struct Bounds {
        std::size_t max_message_bytes;        ///< see ClientLimits::max_message_bytes
        std::size_t max_queued_output_bytes;  ///< see ClientLimits::max_queued_output_bytes
    };

    virtual ~ClientTransport() = default;
    /// Returns the protocol extensions that this transport uses, such as a way to sign in: their settings, by name. The
    /// client declares them together with ClientOptions::extensions.
    virtual json::object extensions() const { return {}; }
    /// Connects in the background and reports `opened` or `closed`. Called once.
    virtual void start(Events events, Bounds bounds) = 0;
    /// Queues a message; never blocks. Messages leave in order. Returns an error, and sends nothing, when the queue is
    /// full.
    virtual Result<void> send(OutgoingMessage message) = 0;
    /// Connects again after `closed`, when `wait` has passed. Called only from inside `closed`. Returns false when the
    /// transport cannot connect again.
    virtual bool reopen(Duration wait) { return static_cast<void>(wait), false; }
    /// Returns whether requests carry OutgoingMessage::mirrored. If not, the client does not list the tools for it.
    virtual bool sends_mirrored() const { return true; }
    /// Returns how messages are carried, for observers, as OpenTelemetry names it: "pipe" or "tcp".
    virtual std::string_view network_transport() const { return "pipe"; }
    /// Closes cleanly until the deadline, then by force. Calls no event after it has returned.
    virtual void close(TimePoint deadline) = 0;
};

}  // namespace tenon

#pragma GCC visibility pop
