// The tasks of a server behind a lock, and the hands that do what the board says.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tenon/log.hpp>

#include "core/tasks/task_board.hpp"

namespace tenon {

class Tasks {
 public:
    using Visit = std::function<void(core::TaskBoard&, WallTime now)>;

    Tasks(core::TaskBoard board, std::function<WallTime()> clock, std::function<void(const TaskRecord&)> tell,
          LogSink note)
        : board_(std::move(board)), clock_(std::move(clock)), tell_(std::move(tell)), note_(std::move(note)) {}

    /// Gives the board something, then does what it wants: outside the lock, so not within another one either.
    void visit(const Visit& visit);
    /// Only looks, so it may be called within the lock of a session.
    std::optional<TaskRecord> find(std::string_view id, const core::Reach& reach);
    /// Until there is something to sweep.
    std::optional<Duration> time_left();

    /// 128 random bits.
    static std::string new_id();

 private:
    void perform(std::vector<core::TaskAction>& actions);
    void tell_changes();

    std::mutex mutex_;  // guards what follows; may be entered within a session's lock, and enters no other
    core::TaskBoard board_;
    std::vector<TaskRecord> changes_;  // to be told, in order
    bool telling_ = false;             // one thread tells; the others leave theirs to it

    const std::function<WallTime()> clock_;
    const std::function<void(const TaskRecord&)> tell_;
    const LogSink note_;
};

}  // namespace tenon
