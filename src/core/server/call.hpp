// One request of the client while it is being served.
#pragma once

#include <boost/unordered/unordered_flat_set.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>

#include "base/late_stop.hpp"
#include "base/memory_budget.hpp"
#include "jsonrpc/codec.hpp"
#include "protocol/read.hpp"
#include "protocol/versions.hpp"

namespace tenon::core {

using jsonrpc::Encoded;

struct ToolEntry;

/// What the server told the client that it has.
struct Declared {
    bool tools = false, resources = false, prompts = false, completions = false, logging = false, tasks = false;

    friend bool operator==(const Declared&, const Declared&) = default;
};

/// Who is at the other end, and which rules hold for it: of a session with a handshake, or of one request without.
struct Peer {
    protocol::Rules rules;
    protocol::ClientCapabilities capabilities = {};
    Implementation info = {};
    Declared declared = {};
    std::optional<LogLevel> log_level = {};  // what this one request wants; sessions set theirs by a method
};

/// What a handler came to: a result, and what kind of result it is where the revision wants to know.
struct HandlerResult {
    HandlerResult(Encoded e, json::object m = {}, std::string_view t = "complete")  // NOLINT: an Encoded is an answer
        : result(std::move(e)), meta(std::move(m)), type(t) {}
    Encoded result;
    json::object meta;
    std::string_view type;
    bool says_error = false;  // a tool's result with isError
};

/// The memory of a call that is run again each time the client has answered: what was asked before, and what `once`
/// made sure of. It travels, sealed, with the client.
struct Replay {
    json::object answers = {};  // by the question's key
    json::object memory = {};   // by the key of `once`
    std::uint64_t asked = 0;    // questions of this run, for keys that nobody named
};

/// Where a request came from, for a peer that is reached by several ways at once: whoever drives the engine chooses the
/// number, and gets it back with everything that belongs to the request. 0: no particular way.
using ReplyTo = std::uint64_t;

/// What a call agrees on before it becomes a task.
struct TaskTerms {
    std::string owner;
    std::chrono::milliseconds ttl;
    std::optional<Duration> time_limit;
    base::MemoryAccountPtr account = {};  // is charged for the task
};

/// The answers of a batch are collected until the last one is there, or until they are too much.
struct Batch {
    ReplyTo reply_to = 0;
    std::size_t open = 0;
    std::vector<Encoded> answers = {};
    std::size_t answer_bytes = 0;
    base::MemoryCharge charge = {};
    std::optional<Error> too_much = {};  // answers the whole batch instead
};

/// The engine's, but for the members marked const: those may be read from any thread.
struct Call {
    Call(jsonrpc::Id i, std::shared_ptr<const Peer> p, std::shared_ptr<json::Arena> m, json::object all)
        : id(std::move(i)), peer(std::move(p)), memory(std::move(m)), params(std::move(all)) {}

    const json::object& meta() const {
        static const json::object none;
        const json::value* found = params.if_contains("_meta");
        const json::object* meta = found ? found->if_object() : nullptr;
        return meta ? *meta : none;
    }

    const jsonrpc::Id id;
    const std::shared_ptr<const Peer> peer;
    const std::shared_ptr<json::Arena> memory;  // of the parameters, if not the heap
    const json::object params;
    ReplyTo reply_to = 0;    // set before the call is handed out
    std::string principal;   // set before the call is handed out; who sent it, where that was found out
    std::string method;      // set before the call is handed out
    std::string name;        // set before the call is handed out; of what it is for: a tool, a prompt, a URI
    bool for_users = false;  // set before the call is handed out; what it runs is the user's, so middleware comes first
    // Of tools/call, set before the call is handed out.
    std::shared_ptr<const ToolEntry> tool;
    const json::value* arguments = nullptr;  // in `params`, or below where the tool has defaults
    json::value with_defaults = nullptr;
    base::LateStop stop;  // safe from any thread by itself

    bool open = true;   // no answer yet, and not cancelled
    bool runs = false;  // it is among the running ones, until it is closed
    std::shared_ptr<Batch> batch;
    std::optional<json::value> progress_token;
    std::optional<double> last_progress;
    Duration time_limit = {};
    std::optional<TimePoint> deadline;
    /// Made when it is needed.
    Replay& replay() {
        if (!replay_) replay_ = std::make_unique<Replay>();
        return *replay_;
    }

    std::optional<TaskTerms> task_terms;  // it may become a task, on these terms
    std::string task;                     // the task that it became, and that it is answered as
    std::string awaits;                   // the task whose end it waits for

 private:
    std::unique_ptr<Replay> replay_;
};

using CallPtr = std::shared_ptr<Call>;

/// Calls that are found by their id, of which they have one already.
struct ById {
    using is_transparent = void;
    static const jsonrpc::Id& id(const CallPtr& call) { return call->id; }
    static const jsonrpc::Id& id(const jsonrpc::Id& own) { return own; }
    std::size_t operator()(const auto& a) const { return id(a).hash(); }
    bool operator()(const auto& a, const auto& b) const { return id(a) == id(b); }
};
using CallsById = boost::unordered_flat_set<CallPtr, ById, ById>;

}  // namespace tenon::core
