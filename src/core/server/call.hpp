// One request of the client while it is served.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/operation.hpp>
#include <tenon/reply.hpp>

#include "base/late_stop.hpp"
#include "base/memory_budget.hpp"
#include "base/token_bucket.hpp"
#include "core/server/access.hpp"
#include "core/server/replay_trace.hpp"
#include "jsonrpc/codec.hpp"
#include "observe/span_ids.hpp"
#include "protocol/read.hpp"
#include "protocol/versions.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

using jsonrpc::Encoded;

struct ToolEntry;
struct MethodEntry;

/// The capabilities that the server declared to the client.
struct Declared {
    bool tools = false, resources = false, prompts = false, completions = false, logging = false, tasks = false;
    bool skills = false, apps = false;

    friend bool operator==(const Declared&, const Declared&) = default;
};

/// The client, as it described itself, and the rules of its revision. Legacy clients: one for each session. Modern
/// clients: built from the `_meta` of the request.
struct Peer {
    protocol::Rules rules;
    protocol::ClientCapabilities capabilities = {};
    Implementation info = {};
    Declared declared = {};
    std::optional<LogLevel> log_level = {};  // of this request; legacy clients use `logging/setLevel` instead
};

/// The outcome of a handler: a result, and its `resultType` for revisions that have one.
class HandlerResult {
 public:
    HandlerResult(Encoded e, std::string_view t = "complete")  // NOLINT: an Encoded is an answer
        : result(std::move(e)), type(t) {}
    HandlerResult(Encoded e, json::object&& meta) : result(std::move(e)) {
        if (!meta.empty()) meta_ = std::move(meta);
    }

    /// Returns the members that the author added to `_meta`.
    const json::object& meta() const {
        static const json::object none;
        return meta_ ? *meta_ : none;
    }
    json::object& own_meta() { return meta_ ? *meta_ : meta_.emplace(); }

    Encoded result;
    std::string_view type = "complete";
    bool says_error = false;  // a tool's result with isError

 private:
    std::optional<json::object> meta_;  // seldom set, and an outcome is moved often
};

/// The state of a call that runs again each time the client has answered questions: the answers so far, and the results
/// of `Context::once`. The client keeps this state, sealed, as `requestState`.
struct Replay {
    json::object answers = {};  // by the question's key
    json::object memory = {};   // by the key of `once`
    json::object spans = {};    // of questions without an answer, by the question's key; see QuestionSpan
    ReplayTrace trace = {};     // compares this run with the run before
    std::uint64_t asked = 0;    // questions of this run; numbers the keys of questions without a key
};

/// Names the route to the sender of a request, for peers with several routes, such as HTTP connections. The transport
/// chooses the number. The engine puts it into every action that belongs to the request. 0: no particular route.
using ReplyTo = std::uint64_t;

/// What the transport knows about a message.
struct Origin {
    ReplyTo reply_to = 0;
    MayUse may_use = {};                        // the features that the sender may use
    std::shared_ptr<const Caller> caller = {};  // the sender; null: the peer of the engine
    SharedTrace trace = {};                     // from the header fields of the request; `_meta` comes first
};

/// The conditions for a call to become a task.
struct TaskTerms {
    std::string owner;
    std::chrono::milliseconds ttl;
    std::optional<Duration> time_limit;
    base::MemoryAccountPtr account = {};  // charged for the task
};

/// Collects the responses of a batch until all are there or they exceed a limit.
struct Batch {
    ReplyTo reply_to = 0;
    std::size_t open = 0;
    std::vector<Encoded> answers = {};
    std::size_t answer_bytes = 0;
    base::MemoryCharge charge = {};
    std::optional<Error> too_much = {};  // the limit that was exceeded; this error is then the only response
};

/// The part of a call's state that most calls never need.
struct RareCallState {
    std::string task;                 // the id of the task that the call became
    std::string awaits;               // the id of the task that this `tasks/result` waits for
    std::set<std::string> hidden;     // URIs of subscriptions/listen that access rules hide from the client
    base::TokenBucket notifications;  // Limits::max_notifications_per_second
    std::optional<double> last_progress;
    std::optional<Encoded> delayed_progress;  // the parameters of a notification above that limit
    std::size_t dropped_logs = 0;
    std::string reason;  // why the call failed, for observers, if the error has arguments in its text
    Replay replay;
};

/// The part of a call that only the engine reads and changes. Guarded like the engine.
struct CallState {
    bool open = true;                 // not answered and not cancelled
    bool runs = false;                // is in ServerEngine::running_ until it is closed
    bool ignore_answer = false;       // the next answer of the middleware: see ServerEngine::accepted()
    bool handled = false;             // a handler of the user was started
    std::optional<OperationEnd> end;  // how the call ends, whatever its answer is: it is late, or cancelled
    std::shared_ptr<Batch> batch;
    std::optional<json::value> progress_token;
    Duration time_limit = {};
    std::optional<TimePoint> deadline;
    Reply<HandlerResult> reply;  // gets the answer instead of the client: middleware comes first

    /// Returns the rare part, and makes it at the first use.
    RareCallState& rare() {
        if (!rare_) rare_ = std::make_unique<RareCallState>();
        return *rare_;
    }
    /// Returns null if it was not needed yet.
    RareCallState* rare_if_any() const { return rare_.get(); }
    /// Returns the id of the task that the call became; empty: it is not a task.
    std::string_view task() const { return rare_ ? std::string_view(rare_->task) : std::string_view(); }

 private:
    std::unique_ptr<RareCallState> rare_;
};

/// One call. The engine sets the public members before it hands the call out, as a CallPtr. They do not change after
/// that, so any thread may read them.
class Call {
 public:
    Call(jsonrpc::Id i, std::shared_ptr<const Peer> p, std::shared_ptr<json::Arena> m, json::object all)
        : id(std::move(i)), peer(std::move(p)), memory(std::move(m)), params(std::move(all)) {}

    const json::object& meta() const {
        static const json::object none;
        const json::value* found = params.if_contains("_meta");
        const json::object* meta = found ? found->if_object() : nullptr;
        return meta ? *meta : none;
    }

    const std::string& principal() const { return access.caller->principal; }

    const jsonrpc::Id id;
    const std::shared_ptr<const Peer> peer;
    const std::shared_ptr<json::Arena> memory;  // of the parameters; null: they are on the heap
    const json::object params;
    ReplyTo reply_to = 0;
    Access access;  // the sender, and the features that it may use
    std::string method;
    const protocol::Method* row = nullptr;  // of the method; null for a method of an extension
    std::shared_ptr<const MethodEntry> extension_method;
    std::string name;                        // the tool, prompt or URI of the call
    bool continued = false;                  // the client sent it again, with its answers to questions
    std::shared_ptr<const ToolEntry> tool;   // for tools/call
    const json::value* arguments = nullptr;  // for tools/call and methods of extensions; in `params` or `with_defaults`
    json::value with_defaults = nullptr;
    std::optional<TaskTerms> task_terms;  // set when the call may become a task
    mutable base::LateStop stop;          // thread-safe
    TimePoint received = {};
    std::size_t bytes = 0;       // of the message
    bool known_name = false;     // `name` is a registered tool, prompt or method
    SharedTrace carried = {};    // the trace of the request's transport: see Origin
    observe::SpanIds span = {};  // of this call; zeros: operations are not observed

 private:
    friend class ServerEngine;
    mutable CallState state_;  // mutable: a CallPtr, which is a pointer to const, identifies the call to the engine
};

/// A call that the engine is still preparing.
using NewCall = std::shared_ptr<Call>;
/// A call that was handed out.
using CallPtr = std::shared_ptr<const Call>;

/// Hashes and compares calls by their id, so that a set finds them by id without storing the id twice.
struct ById {
    using is_transparent = void;
    static const jsonrpc::Id& id(const CallPtr& call) { return call->id; }
    static const jsonrpc::Id& id(const jsonrpc::Id& own) { return own; }
    std::size_t operator()(const auto& a) const { return id(a).hash(); }
    bool operator()(const auto& a, const auto& b) const { return id(a) == id(b); }
};
using CallsById = boost::unordered_flat_set<CallPtr, ById, ById>;

}  // namespace tenon::core

#pragma GCC visibility pop
