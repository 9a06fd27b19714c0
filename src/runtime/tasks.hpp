// The tasks of a server: the board behind a lock, and the code that performs its actions. With a store, SharedTasks
// answers clients instead of the board. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tenon/log.hpp>

#include "core/tasks/task_board.hpp"
#include "runtime/shared_tasks.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

class Tasks final : public core::TaskDesk {
 public:
    using Visit = std::function<void(core::TaskBoard&, WallTime now)>;

    /// `tell` gets each change of a task, and `ended` the end of each task that this process ran.
    Tasks(core::TaskBoard board, std::function<WallTime()> clock, std::function<void(const TaskRecord&)> tell,
          std::function<void(const core::TaskEnded&)> ended, LogNote note)
        : board_(std::move(board)),
          clock_(std::move(clock)),
          tell_(std::move(tell)),
          ended_(std::move(ended)),
          note_(std::move(note)) {}

    /// Calls `visit` with the board, then performs its actions outside the lock. Must not be called while another lock
    /// is held.
    void visit(const Visit& visit);

    // See core::TaskDesk.
    void find(std::string id, core::Reach reach, Reply<TaskRecord> reply) override;
    void update(std::string id, core::Reach reach, json::object responses, Reply<void> reply) override;
    void cancel(std::string id, core::Reach reach, Reply<core::CancelledTask> reply) override;
    void wait(std::string id, core::Reach reach, Reply<core::HandlerResult> reply) override;
    void list(std::string owner, std::uint64_t after, std::size_t max, Reply<std::vector<TaskRecord>> reply) override;
    /// Performs no actions, so it may be called under the lock of a session.
    std::optional<TaskRecord> look_up(std::string_view id, const core::Reach& reach) override;
    bool is_shared() const override { return shared() != nullptr; }
    /// Answers with those of the tasks that the request reaches, in the same order.
    void find_all(const std::vector<std::string>& ids, const core::Reach& reach, Reply<std::vector<TaskRecord>> reply);

    /// Removes a task that no client has been told about.
    void forget(const std::string& id);
    /// Adds a new task to the store, and forgets it if that fails.
    void publish(const TaskRecord& task, Reply<void> reply);

    /// Lets a store have the tasks from now on. Null: this process has them. Call it while no task runs.
    void share(std::shared_ptr<SharedTasks> shared);
    /// Returns null unless a store has the tasks.
    std::shared_ptr<SharedTasks> shared() const {
        const std::lock_guard lock(mutex_);
        return shared_;
    }
    /// Removes expired tasks, and does what the store needs. Call it regularly, from one thread.
    void tick(TimePoint now);
    /// Cancels all tasks of this process, and gives up the store, if there is one.
    void end_all();

    /// Returns the time until TaskBoard::sweep() is needed; nullopt when it is not.
    std::optional<Duration> time_left();

    /// Returns 128 random bits in hexadecimal.
    static std::string new_id();

 private:
    using Change = std::variant<core::TaskChanged, core::TaskGone>;
    void perform(std::vector<core::TaskAction>& actions);
    void tell_changes();
    void tell(const Change& change, SharedTasks* shared) const;

    mutable std::mutex mutex_;  // guards the members below; may be taken under a session's lock; takes no other lock
    core::TaskBoard board_;
    std::vector<Change> changes_;  // changes to report, in order
    bool telling_ = false;         // one thread reports changes; others only add theirs
    std::shared_ptr<SharedTasks> shared_;

    const std::function<WallTime()> clock_;
    const std::function<void(const TaskRecord&)> tell_;
    const std::function<void(const core::TaskEnded&)> ended_;
    const LogNote note_;
};

}  // namespace tenon

#pragma GCC visibility pop
