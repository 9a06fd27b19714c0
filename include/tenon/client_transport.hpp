// ClientTransport: how a client's messages reach a server. See transport/process.hpp, http_client.hpp, memory.hpp.
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

namespace tenon {

/// One message, and what a transport with headers or with a stream a request needs to know of it.
struct OutgoingMessage {
    enum class Kind {
        request,
        notification,
        response,
        cancellation,  ///< a notification that the request `id` is over; where `stateless`, ending its stream says so
                       ///< too
    };
    Kind kind = Kind::request;
    std::string body = {};      ///< the message: JSON without a newline
    std::int64_t id = 0;        ///< of a request, and of the request that is cancelled
    std::string method = {};    ///< of a request or a notification
    std::string name = {};      ///< of the tool or prompt, or the URI, that a request is for
    std::string revision = {};  ///< of the protocol; empty before it is known
    bool stateless = false;     ///< the request says everything about itself (2026-07-28): there is no session
    std::vector<std::pair<std::string, json::value>> mirrored = {};  ///< headers that repeat arguments of a tool call
};

/// A way to one server. Implementations are thread-safe, and call events from any thread but never from within send(),
/// and never two at once.
class ClientTransport {
 public:
    struct Events {
        std::function<void()> opened;                   ///< messages can be sent; before all others
        std::function<void(std::string_view)> message;  ///< one whole message
        /// A message over the limit was dropped, and may be the answer to any request: all that wait fail with that.
        /// A transport that knows which request it answers calls `failed` instead.
        std::function<void(std::size_t limit)> too_long;
        std::function<void(std::int64_t request, Error why)> failed;  ///< this request will have no answer
        /// The server has forgotten the session; a new one needs a new handshake. `request`, which may be 0, was
        /// refused for that, and nothing of it was done.
        std::function<void(std::int64_t request)> session_lost;
        /// The user is asked for something that requests wait for (true), and has answered (false): no time-out of the
        /// server runs meanwhile.
        std::function<void(bool)> user_asked;
        std::function<void(Error why)> closed;  ///< there is no way to the server any more
        LogSink note;
    };
    struct Bounds {
        std::size_t max_message_bytes;
        std::size_t max_queued_output_bytes;
    };

    virtual ~ClientTransport() = default;
    /// Begins, in the background: `opened` or `closed` tells how it went. Once.
    virtual void start(Events events, Bounds bounds) = 0;
    /// Never waits. Messages leave in this order. An error when too much waits to be sent; then it is not sent.
    virtual Result<void> send(OutgoingMessage message) = 0;
    /// From within `closed` only: makes a new way to the server after it. False where that cannot be.
    virtual bool reopen() { return false; }
    /// Ends it, in good order while there is time, and otherwise at once. No event comes after it returned.
    virtual void close(TimePoint deadline) = 0;
};

}  // namespace tenon
