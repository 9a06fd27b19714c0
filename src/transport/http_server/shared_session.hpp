// The part of a session that only exists when several nodes serve it: its events in the store, its GET streams, and the
// answers that reach other nodes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tenon/limits.hpp>

#include "core/server/action.hpp"
#include "transport/http_server/cluster_node.hpp"
#include "transport/http_server/log_follower.hpp"
#include "web/stored_event.hpp"

namespace tenon {

/// Thread-safe. Functions that are called under the lock of a session only queue what the store must do; flush(), which
/// is called without a lock, does it.
class SharedSession : public std::enable_shared_from_this<SharedSession> {
 public:
    using Stream = core::ReplyTo;
    struct Options {
        std::shared_ptr<ClusterNode> node;
        std::string id;
        std::string copy;  ///< begins the ids of questions: unique for each copy of a session
        store::Keep keep;
        std::chrono::milliseconds ttl;         ///< of the session in the store, after its last use
        std::chrono::milliseconds answer_ttl;  ///< of an answer that waits for its node
        /// Called without a lock when an event was stored or could not be, in order for each stream.
        std::function<void(Stream, const Result<store::EventId>&)> stored;
        /// Called without a lock when another node has ended the log of a stream: this node has lost its request.
        std::function<void(Stream)> fenced = {};
        /// Called without a lock with the client's answer to a question.
        std::function<void(std::string)> answered;
    };
    /// While it lives, messages of this thread belong to the announcement with this key. Every node that serves a
    /// session adds such a message to the log, and readers show only the first one with the key.
    class Announcing {
     public:
        explicit Announcing(std::uint64_t key) : before_(std::exchange(key_, key)) {}
        ~Announcing() { key_ = before_; }
        Announcing(const Announcing&) = delete;
        Announcing& operator=(const Announcing&) = delete;
        static std::optional<std::uint64_t> key() { return key_; }

     private:
        static inline thread_local std::optional<std::uint64_t> key_;
        const std::optional<std::uint64_t> before_;
    };
    explicit SharedSession(Options options) : options_(std::move(options)) {}

    const std::string& copy() const { return options_.copy; }
    ClusterNode& node() const { return *options_.node; }
    const std::shared_ptr<ClusterNode>& node_ptr() const { return options_.node; }
    std::chrono::milliseconds ttl() const { return options_.ttl; }
    /// Returns a name for a new GET stream: no other stream of the session has it.
    std::string new_stream() const { return node().name() + "." + std::to_string(node().next_copy()); }
    store::StreamName log(std::string name) const { return {options_.id, std::move(name)}; }
    /// Returns the box for the answer to a question.
    store::StreamName box(const std::string& question) const { return {options_.id, "answer:" + question}; }
    std::chrono::milliseconds answer_ttl() const { return options_.answer_ttl; }

    // Called under the lock of the session: see flush().
    void append(Stream stream, std::string log, std::optional<std::string> payload, bool last);
    /// Sends a message that belongs to no request. `everywhere`: see core::Send; the message has the key of the
    /// announcement that this thread makes.
    void tell_listener(std::string message, bool everywhere);
    void expect_answer(std::int64_t question);
    /// Adds the mark of a GET stream to the log of messages without a request, and passes its place to `done`. Call it
    /// without a lock.
    void mark_listener(const web::StoredEvent& mark, std::function<void(const Result<store::EventId>&)> done);

    // Calls of restartable tools: see restarts.hpp. Call these without a lock, except forget_call().
    /// Returns where the store keeps the call that writes to this log.
    store::StreamName record_of(const std::string& log_name) const { return log("run:" + log_name); }
    /// Returns where the store keeps the cancellation of a request.
    store::StreamName cancellation_of(const jsonrpc::Id& id) const { return log("cancel:" + id.text()); }
    const store::Keep& keep() const { return options_.keep; }
    /// Stores a call before its handler starts. `done` is called without a lock.
    void store_call(Stream stream, const std::string& log_name, jsonrpc::Id id, std::string record,
                    std::function<void(std::optional<Error>)> done);
    /// Returns the request whose call is stored for this stream.
    std::optional<jsonrpc::Id> stored_call(Stream stream) const;
    /// Removes the call from the store, if it is there: it is over. Call it under the lock of the session.
    void forget_call(Stream stream);
    /// Returns false when this node takes the log over already. Otherwise the caller must call taken() at the end.
    bool begin_taking(const std::string& log_name);
    void taken(const std::string& log_name);
    /// Calls `f` about ClusterNode::lease_interval later, without a lock. For what the store could not do.
    void retry_later(std::function<void()> f);

    /// Does what was queued. Call it without a lock.
    void flush();

    /// Whether the state must be loaded again before the next request, because announcements may have been lost.
    void set_stale(bool stale) { stale_.store(stale); }
    bool stale() const { return stale_.load(); }

    /// Adds a GET stream. Returns false when there are `most` already.
    bool add(const std::shared_ptr<LogFollower>& follower, std::size_t most);
    /// Closes the GET streams that show this log, except this one.
    void close_followers(const std::string& log, const LogFollower* except);
    /// Closes all GET streams. The clients reconnect after `retry_ms`.
    void close_all(long long retry_ms);
    std::size_t followers() const;
    /// Returns whether retry_later() has something to do.
    bool has_retries() const;

    /// Forgets the questions for which `asks` returns false.
    void forget_answered(const std::function<bool(std::int64_t)>& asks);
    /// Keeps GET streams alive, and the session in the store. `gone` is called when it is no longer there.
    void tick(TimePoint now, bool keep_alive, bool used, std::function<void()> gone);

 private:
    using Work = std::function<void(SharedSession&)>;
    void queue(Work work);
    std::vector<std::shared_ptr<LogFollower>> all_followers() const;

    const Options options_;
    std::atomic<bool> stale_{false};
    mutable std::mutex mutex_;  // guards the members below
    std::vector<Work> queued_;
    bool flushing_ = false;
    std::vector<std::shared_ptr<LogFollower>> followers_;
    std::map<std::int64_t, store::Subscription> answers_;
    struct StoredCall {
        jsonrpc::Id id;
        std::string log;
    };
    std::map<Stream, StoredCall> calls_;          // of restartable tools
    std::set<std::string> taking_;                // logs that this node takes over just now
    std::vector<std::function<void()>> retries_;  // at most one for each log of `taking_`
    std::optional<TimePoint> touched_, checked_;
};

}  // namespace tenon
