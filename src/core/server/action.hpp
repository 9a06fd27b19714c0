// The actions of the server engine. The session performs them in order.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <tenon/fwd.hpp>
#include <tenon/log.hpp>
#include <tenon/options.hpp>
#include <tenon/reply.hpp>

#include "core/server/call.hpp"

namespace tenon::core {

struct ListenCall;
struct Reach;

/// Sends this message to the client.
struct Send {
    Encoded message;
    ReplyTo reply_to = 0;  // of the request that the message belongs to, if any
    bool answers = false;  // this is the response to the request of `reply_to`, so it is the last message for it
    bool refused = false;  // an error of the engine about the message as a whole
    int error = 0;         // the error code, when the message is an error
    // Every node that serves the session makes this message, because the event behind it is announced to all nodes.
    bool everywhere = false;
    std::int64_t question = 0;            // the number of the question that this message asks; 0: it asks none
    std::chrono::seconds retry_after{0};  // above 0: the store cannot be used, and the client should try again then
};

/// Ends a request or batch without a response: it was cancelled, or the batch has no responses.
struct Finish {
    ReplyTo reply_to;
};

/// Allows the transport to close the connection of a request while the request continues. The client reconnects for the
/// rest.
struct LetPoll {
    ReplyTo reply_to;
    std::chrono::milliseconds retry;
};

/// Runs a handler. The handler answers through the Reply, on any thread. The call and the settings of the engine must
/// live until then: the owner of the Reply keeps them alive. The Context is a reference because the core only passes it
/// on: class Context belongs to the runtime, so it is incomplete here.
using Job = std::function<void(Context&, Reply<HandlerResult>)>;
struct Run {
    CallPtr call;
    Placement placement = Placement::worker;
    Job job;
    Reply<HandlerResult> reply = {};  // gets the result; empty: ServerEngine::answered() does
};

/// How a method continues with a request: it has the answer, a handler will give it, or the request stays open. A
/// request stays open for a stream, or for a task that answers it.
struct RunHandler {
    Placement placement = Placement::worker;
    Duration time;  ///< the handler's limit
    Job job;
};
struct StaysOpen {};
using MethodOutcome = std::variant<Result<HandlerResult>, RunHandler, StaysOpen>;

/// Runs a handler as a task, with the `task_terms` of its call.
struct RunTask {
    Run run;
};

/// Loads tasks from a store for a `subscriptions/listen`, and passes those in reach to ServerEngine::tasks_loaded().
struct LoadTasks {
    std::shared_ptr<ListenCall> listener;
    std::vector<std::string> ids;
    std::shared_ptr<const Reach> reach;
};

/// Runs the middleware and the access rules of a request, and then ServerEngine::proceed() unless they refuse it. A
/// refused request gets this error, whatever they do.
struct Intercept {
    std::shared_ptr<Call> call;
    Placement placement = Placement::worker;
    std::optional<Error> refusal = {};
};

/// Passes the result of a request that runs no handler to its middleware.
struct Conclude {
    Reply<HandlerResult> reply;
    Result<HandlerResult> outcome;
};

/// Calls ServerEngine::tell_updated() if access rules allow it.
struct CheckUpdate {
    Access access;
    std::string uri;
    CallPtr listener;  // null: the session subscribed with resources/subscribe
};

enum class ListKind { tools, resources, prompts };

/// A change of a list: the entry that was added or removed.
struct ListChange {
    ListKind kind;
    std::string key;             // its name, URI or URI template
    std::string uri = {};        // of a resource that the template `key` lists
    bool only_for_apps = false;  // a tool that clients without apps do not see

    Use use() const {
        const UseKind used = kind == ListKind::tools       ? UseKind::tool
                             : kind == ListKind::resources ? UseKind::resource
                                                           : UseKind::prompt;
        return {used, key, uri};
    }
};

/// Calls ServerEngine::tell_list_changed() if access rules let the client see the entry.
struct CheckListChange {
    Access access;
    ListChange change;
    CallPtr listener;  // null: the session
};

/// Tells a handler to stop. This is an action because it runs stop callbacks of the user.
struct Stop {
    CallPtr call;
};

/// Passes the client's answer to the handler that asked the question.
struct Deliver {
    Reply<json::value> reply;
    Result<json::value> answer;
};

/// Calls a function of the user that belongs to no request.
struct Notify {
    std::function<void()> function;
};

/// Tells observers and the log that a request has ended. Not sent for a success without observers.
struct Ended {
    CallPtr call;                          // null: the message could not be read
    std::shared_ptr<const Peer> peer;      // null: not known
    std::shared_ptr<const Caller> caller;  // null: not known
    TimePoint began;
    std::size_t request_bytes = 0, response_bytes = 0;
    OperationEnd end = OperationEnd::ok;
    int error = 0;  // the code of the JSON-RPC error
    std::string reason = {};
    LimitName limit = LimitName::none;  // that the request exceeded
    std::string task = {};              // the id of the task that the request became
};

struct Note {
    LogLevel level;
    std::string text;
};

using Action = std::variant<Send, Finish, LetPoll, Run, RunTask, LoadTasks, Intercept, Conclude, CheckUpdate,
                            CheckListChange, Stop, Deliver, Notify, Ended, Note>;

}  // namespace tenon::core
