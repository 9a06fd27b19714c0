// The tasks of a server: the board behind a lock, and the code that performs its actions. Thread-safe.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tenon/log.hpp>

#include "core/tasks/task_board.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

class Tasks {
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
    /// Finds a task. Performs no actions, so it may be called under the lock of a session.
    std::optional<TaskRecord> find(std::string_view id, const core::Reach& reach);
    /// Returns the time until TaskBoard::sweep() is needed; nullopt when it is not.
    std::optional<Duration> time_left();

    /// Returns 128 random bits in hexadecimal.
    static std::string new_id();

 private:
    void perform(std::vector<core::TaskAction>& actions);
    void tell_changes();

    std::mutex mutex_;  // guards the members below; may be taken under a session's lock; takes no other lock
    core::TaskBoard board_;
    std::vector<TaskRecord> changes_;  // changes to report, in order
    bool telling_ = false;             // one thread reports changes; others only add theirs

    const std::function<WallTime()> clock_;
    const std::function<void(const TaskRecord&)> tell_;
    const std::function<void(const core::TaskEnded&)> ended_;
    const LogNote note_;
};

}  // namespace tenon

#pragma GCC visibility pop
