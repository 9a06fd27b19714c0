// What the client engine is given to do, and what it wants done. Whoever drives it does these things in order.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include <tenon/client_options.hpp>
#include <tenon/client_transport.hpp>
#include <tenon/reply.hpp>

namespace tenon::core {

/// A call of the user from its beginning to its end, whatever number of requests that takes.
using CallId = std::int64_t;
/// A question of the server that a handler answers.
using AskId = std::int64_t;

using ProgressSink = std::shared_ptr<const std::function<void(const Progress&)>>;

/// What the user wants. Kinds other than `request` are one thing with a handshake and another without.
struct ClientCall {
    enum class Kind {
        request,
        connect,      // ends when the server has introduced itself
        ping,         // whether the server answers
        set_level,    // params.level
        subscribe,    // params.uri
        unsubscribe,  // params.uri
        listen,       // params.notifications; the engine's own
    };
    Kind kind = Kind::request;
    std::string method = {};
    json::object params = {};
    json::object meta = {};
    std::optional<Duration> timeout = {};
    Duration longest = Duration::max();  // that it may take, whatever the server reports or asks meanwhile
    bool fresh = false;
    std::size_t attempt = 0;  // to listen again, after the subscription broke
    ProgressSink progress = {};
    Reply<json::value> reply = {};
};

/// Put this message on the wire.
struct Transmit {
    OutgoingMessage message;
};

/// Hand the server's answer to whoever called.
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

/// Run a user's handler, and tell the engine by answered().
struct Ask {
    AskId id;
    AskRequest request;
    std::stop_token stop;
};

/// Tell a handler that nobody waits for it. An action, because it runs the user's stop callbacks.
struct StopAsk {
    std::stop_source stop;
};

/// Tell the user what the server told.
struct Announce {
    std::string method;
    json::object params;
};

/// The transport closed, but a new way to the server is worth a try: reopen(), or closed() again.
struct Reopen {
    Error why;
};

/// End the transport: there is nothing to talk about.
struct Hangup {};

struct ClientNote {
    LogLevel level;
    std::string text;
};

using ClientAction =
    std::variant<Transmit, HandOver, ReportProgress, Ask, StopAsk, Announce, Reopen, Hangup, ClientNote>;

}  // namespace tenon::core
