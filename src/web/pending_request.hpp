// The state of one pending request of ClientConversation.
//
//     phase        event                                         next phase, and action
//     ---------------------------------------------------------------------------------------------------------------
//     asking       head: application/json                        message
//                  head: text/event-stream                       stream
//                  head: an error status                         explanation
//                  head: an error that a sign-in may cure        refused
//                  head: 202, 204, another type                  over, FailRequest
//                  head: of a notice, or over the old transport  ignoring
//                  failed, of a POST                             over, FailRequest
//                  failed, of a GET                              as in `stream`
//                  failed or timer, of `initialized`             waiting, SetTimer; over when there were too many
//     refused      end, too many bytes                           signing_in, GetTokens
//     signing_in   signed in                                     asking, Start
//                  failed                                        as in `asking`
//     message      end, with the response                        over, Deliver
//                  end, with anything else; too many bytes       over, FailRequest
//     explanation  end, too many bytes:
//                    404 to a POST of a session                  over, SessionLost
//                    400, 404, 405 to `initialize`               parked, Start of the old transport's GET
//                    any other status to a POST                  over, FailRequest
//                    5xx to a GET                                waiting, SetTimer; over when there were too many
//                    404 to a GET of a session                   over, FailRequest, SessionLost
//                    any other status to a GET                   over, FailRequest
//     stream       event: the response                           ending, Deliver, SetTimer
//                  event: another message                        stream, Deliver
//                  event: not a message; too many bytes          over, FailRequest
//                  end, failed: it can be resumed                waiting, SetTimer; over when there were too many
//                  end, failed: it cannot be resumed             over, FailRequest
//     ending       event: a message                              ending, Deliver
//                  end, failed, timer, too many bytes            over
//     ignoring     end, failed, timer, too many bytes            over
//                  end of a response or `initialized` to the
//                  server: 429 or 5xx, or a failure              waiting, SetTimer; over when there were too many
//     waiting      timer                                         asking, Start of a GET, or of the notice
//     parked       the old stream names its endpoint             asking, Start of a POST to the endpoint
//                  the old stream fails                          over, FailRequest
//     any          cancelled, finish, close                      over, Cancel if a call runs
//
// A stream without a request (a listener, an old stream) has no FailRequest. A notice is over when its timer is due.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "framing/sse.hpp"
#include "web/conversation_steps.hpp"
#include "web/reconnect.hpp"

namespace tenon::web {

/// A message or a stream, and the HTTP calls that it needs, one after the other.
struct PendingRequest {
    enum class Kind {
        request,     ///< a request of the client, which waits for a response
        notice,      ///< a notification, a response to the server, or the DELETE of a session
        listener,    ///< the GET stream of a session
        old_stream,  ///< the stream of the 2024-11-05 transport, which brings all messages of the server
    };
    enum class Phase {
        asking,       ///< a call runs and has no response yet
        refused,      ///< drops the body of a refusal, then signs in
        signing_in,   ///< waits for tokens
        message,      ///< reads a body that is one JSON message
        explanation,  ///< reads the body of an error status
        stream,       ///< reads server-sent events
        ending,       ///< has delivered its response; the server should end the stream
        ignoring,     ///< drops a body without meaning
        waiting,      ///< its stream broke; waits before it is resumed
        parked,       ///< `initialize`, while the 2024-11-05 transport is tried
        over,
    };
    PendingRequest(Kind what, ReconnectPolicy policy) : kind(what), reconnect(policy) {}

    bool waits_for_response() const {
        return kind == Kind::request && phase != Phase::ending && phase != Phase::ignoring && phase != Phase::over;
    }

    const Kind kind;
    Phase phase = Phase::asking;
    conversation::CallId call = 0;  ///< the call that runs or signs in; 0: none
    std::optional<TimePoint> due = {};

    // The message.
    std::int64_t id = 0;
    std::string method = {};
    bool stateless = false;
    std::string session = {};
    std::string revision = {};
    std::shared_ptr<void> weight = {};

    // The call.
    ClientRequest request = {};                ///< kept only while it may be sent again after a sign-in
    std::optional<ClientRequest> notice = {};  ///< a notice that the server must hear: sent again when it is lost
    std::size_t tries = 0;
    std::size_t dropped_bytes = 0;

    // The response.
    int status = 0;
    std::string www_authenticate = {};
    std::string body = {};
    std::optional<framing::SseReader> events = {};

    // The stream, which may consist of several responses.
    bool was_open = false;  ///< a response was a stream, so every later call is a GET
    std::string last_event_id = {};
    Reconnect reconnect;
};

}  // namespace tenon::web
