// The events and the actions of ClientConversation (web/client_conversation.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/client_transport.hpp>
#include <tenon/error.hpp>
#include <tenon/limits.hpp>
#include <tenon/log.hpp>

#include "framing/http_response.hpp"
#include "web/client_request.hpp"

namespace tenon::web::conversation {

/// The number of an HTTP call. A call is one HTTP request. It may be sent again after a sign-in, with the same number.
using CallId = std::uint64_t;

// ---- events

/// The client sends a message.
struct Send {
    OutgoingMessage message;
    std::shared_ptr<void> weight = {};  ///< destroyed when the message no longer counts as queued output
};
/// The request of a call was written completely.
struct Sent {
    CallId call;
};
/// The head of the response to a call.
struct Head {
    CallId call;
    const framing::HttpResponse& response;
    bool sign_in_may_help =
        false;  ///< the response is a refusal, and the caller can do GetTokens. Only after Start::may_sign_in
};
/// Bytes of the body of a response.
struct Piece {
    CallId call;
    std::string_view bytes;
};
/// The response is complete. The last event of a call.
struct End {
    CallId call;
};
/// There is no response, or only a part of it, or GetTokens failed. The last event of a call.
struct Failed {
    CallId call;
    Error why;
};
/// The tokens that GetTokens asked for are available.
struct GotTokens {
    CallId call;
};
/// The last event or its actions could not be handled completely, for example because memory is short. Fails the
/// request of that event, so that its caller does not wait for ever.
struct Broken {
    Error why;
};
/// The time of SetTimer has come.
struct TimerDue {};
/// The client ends: drop all requests, tell the server. `Finished` follows.
struct Finish {};
/// Drop everything now, without telling the server.
struct Close {};

/// The events of a call, in the order Sent, Head, Piece, End. The last one is End or Failed.
using CallEvent = std::variant<Sent, Head, Piece, End, Failed>;
using Event = std::variant<Send, Sent, Head, Piece, End, Failed, GotTokens, Broken, TimerDue, Finish, Close>;

// ---- actions

/// Send this HTTP request. Then report Sent, Head, Piece and End, or Failed.
struct Start {
    CallId call;
    ClientRequest request;
    Urgency urgency = Urgency::normal;
    bool may_sign_in = false;  ///< Head::sign_in_may_help may be true; false on the last try
    /// The server's revision is known, and requires metadata (RFC 9728) of servers that want tokens.
    bool needs_metadata = false;
};
/// Stop a call. No event of it may follow. It may be waiting for GetTokens.
struct Cancel {
    CallId call;
};
/// Stop a refused call if it still runs, and get new tokens. Then report GotTokens or Failed.
struct GetTokens {
    CallId call;
};
/// A message of the server.
struct Deliver {
    std::string message;
};
/// A request will get no response.
struct FailRequest {
    std::int64_t request;
    Error why;
};
/// The server has ended the session. `request` was refused for that reason; 0: none was.
struct SessionLost {
    std::int64_t request;
};
/// The only stream of the 2024-11-05 transport has ended: no request can be answered any more.
struct ConnectionLost {
    Error why;
};
/// Report TimerDue at this time. Replaces the time of the last SetTimer.
struct SetTimer {
    TimePoint at;
};
/// Finish is complete: the server was told, or could not be reached.
struct Finished {};
struct Log {
    LogLevel level;
    std::string text;
};

using Action =
    std::variant<Start, Cancel, GetTokens, Deliver, FailRequest, SessionLost, ConnectionLost, SetTimer, Finished, Log>;
using Actions = std::vector<Action>;

}  // namespace tenon::web::conversation
