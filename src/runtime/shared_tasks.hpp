// The tasks of several nodes in one store. Any node answers the requests of clients, and one node runs each task.
//
//   - Clients: every request loads the task, and compares its owner with the caller (shared_tasks.cpp).
//   - The node that runs a task holds its lease. It writes each change with the token of the lease (held_tasks.cpp).
//   - A cancellation takes the lease away. So the node that ran the task can no longer write, and stops its handler.
//   - A task whose node is gone fails: each node looks for leases that ran out (orphaned_tasks.cpp).
//   - Changes are announced on the bus, by id. Nodes load what they need to know.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/limits.hpp>
#include <tenon/log.hpp>
#include <tenon/operation.hpp>
#include <tenon/store.hpp>

#include "core/tasks/task_board.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

/// What a node needs to share its tasks.
struct TaskSharing {
    std::shared_ptr<Store> store;
    std::string node;  ///< a name that is different for each start of each node
    /// Runs a function, unless the transport has ended. Every answer of the store goes through it.
    std::function<void(const std::function<void()>&)> run;
    /// Calls a function that tells the sessions of this node about the state of a task. Other nodes tell their copies
    /// of these sessions the same, so this must show that it is the same message. Empty: calls it.
    std::function<void(const TaskRecord&, const std::function<void()>&)> announce = {};
};

/// Thread-safe. Holds no lock while it calls the store or a hook.
class SharedTasks : public std::enable_shared_from_this<SharedTasks> {
 public:
    using Millis = std::chrono::milliseconds;
    static constexpr Millis lease_time{15'000};          ///< a task without a sign of life has lost its node
    static constexpr Millis lease_interval{5'000};       ///< between two signs of life
    static constexpr std::size_t max_extensions = 1000;  ///< leases that one tick extends
    static constexpr std::size_t max_orphans = 100;      ///< tasks that one search takes over
    static constexpr int max_conflicts = 16;             ///< attempts to cancel a task whose lease changes
    static constexpr std::size_t max_unannounced = 10'000;
    static constexpr Millis take_time{2'000};  ///< how long tasks/update waits for the node that asked

    /// Called without a lock.
    struct Hooks {
        std::function<void(const TaskRecord&)> tell;  ///< a task changed, here or on another node
        std::function<void(std::string id, std::string key, json::value answer)> answered;
        std::function<void(std::string id, OperationEnd end, std::string why)> lost;  ///< its handler must stop
        std::function<void(std::string id)> stored;                                   ///< the store has its outcome
        std::function<bool()> has_sessions;               ///< whether `tell` can reach a client
        std::function<std::set<std::string>()> listened;  ///< tasks for which clients listen
        std::function<WallTime()> clock;
        LogNote note;
    };

    SharedTasks(TaskSharing sharing, Limits limits, Hooks hooks)
        : sharing_(std::move(sharing)), limits_(limits), hooks_(std::move(hooks)) {}

    /// Listens to the changes of other nodes.
    void start();
    /// Stops listening. Changes that come after it are announced at once, because this node will not hear of their end.
    void leave();
    /// Extends leases, repeats what failed, and looks for orphans. Call it regularly, from one thread.
    void tick(TimePoint now);

    // For clients: see core::TaskDesk.
    void find(std::string id, core::Reach reach, Reply<TaskRecord> reply);
    void update(std::string id, core::Reach reach, json::object responses, Reply<void> reply);
    void cancel(std::string id, core::Reach reach, Reply<core::CancelledTask> reply);
    void wait(std::string id, core::Reach reach, Reply<core::HandlerResult> reply);
    void list(std::string owner, std::uint64_t after, std::size_t max, Reply<std::vector<TaskRecord>> reply);

    // For the tasks that this node runs.
    /// Adds a task. Fails above the limits for all nodes.
    void create(TaskRecord task, Reply<void> reply);
    /// Writes a change. Does nothing for a task that this node does not hold.
    void changed(const TaskRecord& task, bool quiet);
    /// Gives up a task without a change, because it has expired.
    void gone(const std::string& id);
    /// Removes a task that no client has been told about.
    void remove(const std::string& id);

 private:
    struct Held {
        store::Token token = 0;  // 0: the store has not confirmed the task yet
        bool writing = false;
        bool announce = false;                                   // whether clients must be told after the next write
        std::optional<TaskRecord> pending;                       // the newest state that is not being written yet
        std::map<std::string, store::Subscription> inputs = {};  // open questions, by key
        std::optional<TimePoint> extended = {};
    };
    struct Waiter {
        core::Reach reach;
        Reply<core::HandlerResult> reply;
    };
    /// A tasks/update whose answers are in their boxes. The node that asked has not taken all of them yet.
    struct Update {
        std::vector<std::string> keys;
        Reply<void> reply;
        TimePoint until;
    };
    struct Creation;
    struct Cancelling;
    using Found = Result<store::StoredTask>;

    store::Tasks& tasks() const { return sharing_.store->tasks(); }
    /// Makes a Reply that calls `f` with this object, if it still exists.
    template <class T, class F>
    Reply<T> answer(F f) {
        return make_reply<T>([weak = weak_from_this(), f = std::move(f)](Result<T> result) mutable {
            if (const auto self = weak.lock()) self->sharing_.run([&] { f(*self, std::move(result)); });
        });
    }
    /// Returns the task if the request reaches it, or the error for the client.
    Found visible(const std::string& id, const core::Reach& reach, Found found) const;
    template <class F>
    void load(const std::string& id, core::Reach reach, F then);

    // shared_tasks.cpp
    void deliver(const std::string& id, const TaskRecord& task, const json::object& responses, Reply<void> reply);
    void wait_until_taken(const std::string& id, const TaskRecord& task, const json::object& responses,
                          Reply<void> reply);
    void end_updates(const std::string& id, const Found& found);
    template <class F>
    void end_updates_if(const std::string* id, F is_over);
    void end_late_updates();
    void try_cancel(const std::shared_ptr<Cancelling>& request);
    void take_away(const std::shared_ptr<Cancelling>& request, const store::StoredTask& found);
    void write_cancelled(const std::shared_ptr<Cancelling>& request, store::StoredTask taken);
    void cancel_failed(const std::shared_ptr<Cancelling>& request, const Error& error);
    void settle(const std::string& id, const Found& found);
    void refresh(const std::string& id);
    void refreshed(const std::string& id, const Found& found);
    void announce(const std::string& id);
    void on_message(std::string_view bytes);
    void on_gap();

    // held_tasks.cpp
    void created(Creation& creation);
    void listen_for_inputs(const TaskRecord& task);
    void write(const std::string& id);
    void wrote(TaskRecord task, bool announced, const Result<void>& result);
    void write_again(TaskRecord task, bool announced);
    void refresh_lost(const std::string& id);
    void lose(const std::string& id, const TaskRecord* now_is);
    void extend_leases(TimePoint now);
    void repeat_failed();

    // orphaned_tasks.cpp
    void find_orphans(TimePoint now);
    void take_over(const std::string& id);
    void fail_orphan(store::StoredTask taken);

    const TaskSharing sharing_;
    const Limits limits_;
    const Hooks hooks_;
    std::mutex mutex_;  // guards the members below
    std::map<std::string, Held> held_;
    std::map<std::string, std::vector<Waiter>> waiting_;
    std::map<std::string, std::vector<Update>> updates_;
    std::set<std::string> unannounced_;  // changes that could not be announced
    std::set<std::string> seen_;         // orphans of the last search
    std::optional<TimePoint> searched_;
    TimePoint now_ = {};
    bool left_ = false;
    store::Subscription subscription_;
};

}  // namespace tenon

#pragma GCC visibility pop
