// The input of the client engine, and its actions. Client::Impl performs the actions in order.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/client_transport.hpp>
#include <tenon/reply.hpp>

#include "core/client/output_schema.hpp"

namespace tenon::core {

/// Identifies a call of the user. One call may take several requests.
using CallId = std::int64_t;
/// Identifies a question of the server.
using AskId = std::int64_t;

using ProgressSink = std::shared_ptr<const std::function<void(const Progress&)>>;

/// Facts about the requests of a call, for observers: those of the last one.
struct CallFacts {
    std::string request;   // its id, as JSON
    std::string revision;  // empty: not known yet
    std::size_t request_bytes = 0, response_bytes = 0;
};

/// A call of the user. Kinds other than `request` are carried out differently in the legacy and the modern era.
struct ClientCall {
    enum class Kind {
        request,
        connect,      // ends when the server has answered `initialize` or `server/discover`
        ping,         // checks that the server answers
        set_level,    // params.level
        subscribe,    // params.uri
        unsubscribe,  // params.uri
        listen,       // params.notifications; used by the engine itself
        learn,        // a page of tools/list; used by the engine itself
        keep_alive,   // a periodic ping; used by the engine itself
        follow,       // params.taskId; ends with the result of the task
    };
    /// How a tool call is handled that may become a task.
    enum class Tasks : std::uint8_t {
        raw,     // the call is sent as it is, and ends with the task
        follow,  // becomes a task if the tool requires it, and ends with the result of the task
        start,   // becomes a task if the tool allows it, and ends with the task
    };
    Kind kind = Kind::request;
    std::string method = {};
    json::object params = {};
    json::object meta = {};
    std::optional<Duration> timeout = {};
    Duration longest = Duration::max();  // the longest that the call may take; progress and questions do not extend it
    bool fresh = false;                  // do not answer from the cache
    Tasks tasks = Tasks::raw;
    std::optional<std::chrono::milliseconds> task_ttl = {};
    std::string tool = {};    // whose task `follow` is about; empty: not known
    std::size_t attempt = 0;  // counts attempts to listen again after the connection broke; 0: the first request
    ProgressSink progress = {};
    /// Receives the schema that the result of a tool must match. The caller then checks the result itself, so that
    /// other calls do not wait while a schema is compiled. Null: the engine checks the result.
    std::shared_ptr<OutputSchemaPtr> schema = {};
    std::shared_ptr<CallFacts> facts = {};  // gets facts until the answer is handed over; null: not wanted
    Reply<json::value> reply = {};
};

/// Sends this message to the server.
struct Transmit {
    OutgoingMessage message;
};

/// Passes the server's answer to the caller.
struct HandOver {
    Reply<json::value> reply;
    Result<json::value> answer;
};

struct ReportProgress {
    ProgressSink sink;
    Progress progress;
};

struct RootsRequest {};
using AskRequest = std::variant<ElicitRequest, ElicitUrlRequest, SampleRequest, RootsRequest>;
using AskAnswer = std::variant<ElicitResult, SampleResult, std::vector<Root>>;

/// Runs a handler for a question of the server. Its answer goes to ClientEngine::answered().
struct Ask {
    AskId id;
    AskRequest request;
    std::stop_token stop;
    std::string method = {};
    TraceContext trace = {};  // of the server's span
};

/// Tells a handler that its answer is not needed any more. This is an action because it runs stop callbacks of the
/// user.
struct StopAsk {
    std::stop_source stop;
};

/// Passes a notification of the server to the user's callbacks.
struct Announce {
    std::string method;
    json::object params;
};

/// Reopens the closed transport with ClientTransport::reopen(). When that fails, call ClientEngine::cannot_reopen().
struct Reopen {
    Error why;
    Duration wait = Duration::zero();
};

/// Closes the transport, because connecting failed.
struct Hangup {};

struct ClientNote {
    LogLevel level;
    std::string text;
};

using ClientAction =
    std::variant<Transmit, HandOver, ReportProgress, Ask, StopAsk, Announce, Reopen, Hangup, ClientNote>;
/// A list, so that actions can be moved from one to another without memory: an action must not be lost.
using ClientActions = std::list<ClientAction>;

}  // namespace tenon::core
