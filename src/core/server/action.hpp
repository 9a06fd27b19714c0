// What the engine wants done. Whoever drives it does these things in order, and nothing else.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <variant>

#include <tenon/context.hpp>
#include <tenon/log.hpp>
#include <tenon/options.hpp>
#include <tenon/reply.hpp>

#include "core/server/call.hpp"

namespace tenon::core {

/// Put this message on the wire.
struct Send {
    Encoded message;
    ReplyTo reply_to = 0;  // of the request it belongs to, if any
    bool answers = false;  // it is the answer to what came from there, so nothing more belongs to that
    bool refused = false;  // the answer of the engine itself to what is no proper request
    int error = 0;         // the code, when it is an error
};

/// What came from there is over without an answer: it was cancelled.
struct Finish {
    ReplyTo reply_to;
};

/// The request's connection may be ended without ending the request: its client comes back for the rest.
struct LetPoll {
    ReplyTo reply_to;
    std::chrono::milliseconds retry;
};

/// Run a user's handler. It answers through the Reply, on whatever thread it likes. The call and the settings of the
/// engine must live until then: whoever takes the answer holds them.
using Job = std::function<void(Context, Reply<HandlerResult>)>;
struct Run {
    CallPtr call;
    Placement placement = Placement::worker;
    Job job;
};

/// Run a user's handler as a task, on the terms that its call has.
struct RunTask {
    Run run;
};

/// Tell a handler to stop. An action, because it runs the user's stop callbacks.
struct Stop {
    CallPtr call;
};

/// Hand the client's answer to whoever asked.
struct Deliver {
    Reply<json::value> reply;
    Result<json::value> answer;
};

/// Call a user's function that belongs to no request.
struct Notify {
    std::function<void()> function;
};

struct Note {
    LogLevel level;
    std::string text;
};

using Action = std::variant<Send, Finish, LetPoll, Run, RunTask, Stop, Deliver, Notify, Note>;

}  // namespace tenon::core
