// One node of several that share a store: its name, its lease, and the sessions that it loads from the store.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>
#include <tenon/store.hpp>

#include "transport/http_server/node_confirmations.hpp"
#include "transport/http_server/waiting_requests.hpp"

namespace tenon {

/// The outcome of loading a session: a record, or an error of the store. `code::store_not_found`: there is no session.
using LoadedSession = Result<store::SessionRecord>;

/// The connection of an endpoint to its store. Thread-safe. Holds no lock while it calls the store or a callback.
class ClusterNode : public std::enable_shared_from_this<ClusterNode> {
 public:
    static constexpr std::size_t max_waiting_loads = 4096;  ///< requests that wait for a session
    static constexpr int max_conflicts = 32;                ///< attempts to change a record that other nodes change too
    static constexpr std::chrono::milliseconds lease_time{15'000};     ///< a node without a sign of life is gone
    static constexpr std::chrono::milliseconds lease_interval{5'000};  ///< between two signs of life
    static constexpr std::chrono::milliseconds max_load_age{10'000};   ///< of a loaded session that no request took
    static constexpr std::size_t max_ended = 4096;  ///< ended sessions that are remembered, for max_load_age at most

    /// `name`: lower-case letters and digits, different for each start of each node.
    ClusterNode(std::shared_ptr<Store> store, std::string name);

    const std::string& name() const { return name_; }
    Store& store() const { return *store_; }
    /// Returns a number for a new copy of a session on this node, from 1 on. A session may have several copies here,
    /// one after the other; their streams and questions need different names.
    std::uint64_t next_copy() { return ++copies_; }
    /// Returns a new random name.
    static std::string new_name();

    /// Returns the session, whose record then names this node (SessionExtra::copies). Returns nullopt while it is being
    /// loaded; then `retry` is called once, when the caller
    /// should ask again. Above max_waiting_loads, the network with the most waiting requests is refused first.
    std::optional<LoadedSession> load(const std::string& id, const std::function<void()>& retry,
                                      const std::string& network);

    /// Drops a session that was loaded, because it ended. A load that is running finds no session.
    void mark_ended(const std::string& id);
    /// Returns whether a session has ended a short time ago. Ask after a copy was made: its record may be older.
    bool was_ended(const std::string& id);

    /// Gets the error of an operation; nullopt: it succeeded.
    using Done = std::function<void(std::optional<Error>)>;
    void create(store::SessionRecord record, std::chrono::milliseconds ttl, Done done);
    /// Changes a record, whatever other nodes do at the same time. `edit` may be called several times.
    void change(const std::string& id, std::function<void(store::SessionRecord&)> edit, std::chrono::milliseconds ttl,
                Done done);
    void remove(const std::string& id, Done done);
    /// Extends the life of a session, unless it was ended: then the error is `code::store_not_found`.
    void touch(const std::string& id, std::chrono::milliseconds ttl, Done done);

    /// Sends a message to all nodes, with the name of this one. `done` may be empty.
    void publish(json::object message, Done done = {});
    /// Sends a message to all nodes, and calls `done` when these nodes have confirmed it: see NodeConfirmations. With
    /// an error, the message was not sent, and at least one of these nodes needs it.
    void publish_confirmed(json::object message, std::vector<std::string> nodes, Done done);
    /// Confirms a message of another node, if it asks this one. Call it when everything was done.
    void confirm(const json::object& message);
    /// Calls `on_message` with each message of all nodes, in the same order on every node, and `on_gap` when messages
    /// may have been lost. `own`: this node has sent it.
    using OnMessage = std::function<void(const json::object& message, bool own)>;
    void listen(OnMessage on_message, std::function<void()> on_gap);

    /// Extends the lease of this node when it is time. Call it regularly, from one thread.
    void tick(TimePoint now);
    /// Tells `done` whether the lease of a node has run out. A store that cannot be reached says nothing.
    void is_gone(const std::string& node, std::function<void(bool)> done);
    /// Ends the lease and the subscription. Operations that run are still reported.
    void leave();

    /// Calls `f`, unless close() was called. Every answer of the store goes through it.
    template <class F>
    void run(F&& f) {
        const Running running(*this);
        if (!closed_.load()) f();
    }
    /// Waits for the functions of run() on other threads, and lets no other begin: call it before the threads that they
    /// use are destroyed.
    void close();

 private:
    /// Counts the functions that run, for close(). A function may run inside another one.
    class Running {
     public:
        explicit Running(ClusterNode& node) : node_(node) { ++node_.running_, ++depth_; }
        ~Running() {
            --depth_;
            --node_.running_;
            node_.running_.notify_all();
        }
        Running(const Running&) = delete;
        Running& operator=(const Running&) = delete;
        static std::size_t depth() { return depth_; }

     private:
        static inline thread_local std::size_t depth_ = 0;
        ClusterNode& node_;
    };
    struct Kept {
        LoadedSession session;
        std::size_t uses;  // the requests that wait for it
        TimePoint when;
    };
    void start_load(const std::string& id, int tries = max_conflicts);
    void add_own_copy(const std::string& id, store::StoredSession stored, int tries);
    void loaded(const std::string& id, LoadedSession session);
    std::optional<LoadedSession> take(const std::string& id);  // under the lock
    void try_change(const std::string& id, std::function<void(store::SessionRecord&)> edit,
                    std::chrono::milliseconds ttl, int tries, Done done);
    void acquire();
    template <class T>
    Reply<T> report_to(Done done);

    const std::shared_ptr<Store> store_;
    const std::string name_;
    std::atomic<std::uint64_t> copies_{0};
    std::atomic<std::size_t> running_{0};
    std::atomic<bool> closed_{false};
    NodeConfirmations confirmations_;
    std::mutex mutex_;  // guards the members below
    WaitingRequests waiting_{max_waiting_loads};
    std::map<std::string, bool> loading_;  // true: the request that began to load it has not looked for it since
    std::map<std::string, Kept> kept_;
    std::map<std::string, TimePoint> ended_;
    std::deque<std::string> ended_order_;
    TimePoint now_ = {};  // of the last tick
    store::Subscription subscription_;
    std::optional<TimePoint> extended_;
    std::optional<store::Token> lease_;
    bool left_ = false;
};

}  // namespace tenon
