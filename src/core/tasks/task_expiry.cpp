// Removes tasks after their `ttl`, and ends tasks and questions that took too long.
#include <algorithm>

#include "core/tasks/task_board.hpp"

namespace tenon::core {

void TaskBoard::sweep(WallTime now) {
    if (now < next_) return;
    for (auto next = table_.next_to_expire(); next && next->when <= now; next = table_.next_to_expire())
        expire(next->id, now);
    for (auto it = running_.begin(); it != running_.end();) {
        const auto task = it++;
        if (task->second.deadline && *task->second.deadline <= now) {
            end_early(task, {OperationEnd::timed_out, LimitName::handler_time}, "the task did not finish in time", now);
            continue;
        }
        std::vector<std::string> late;
        for (const auto& [key, input] : task->second.inputs)
            if (input.deadline <= now) late.push_back(key);
        for (const std::string& key : late) give_up(task->second, key);
        auto record = late.empty() ? std::nullopt : table_.get(task->first);
        if (!record) continue;
        for (const std::string& key : late) record->input_requests.erase(key);
        settle_status(task->second, *std::move(record), now);
    }
    look_ahead();
}

void TaskBoard::expire(const std::string& id, WallTime now) {
    if (const auto task = running_.find(id); task != running_.end()) {
        tell_ended(id, task->second, now, {OperationEnd::timed_out, LimitName::task_ttl}, 0, "the task has expired");
        drop(task, {code::invalid_params, "the task has expired"});
        if (shared_) actions_.push_back(TaskGone{id});
    }
    table_.erase(id);
    charges_.close(id);
}

// Computes when sweep() is needed next.
void TaskBoard::look_ahead() {
    next_ = WallTime::max();
    if (const auto task = table_.next_to_expire()) next_ = task->when;
    for (const auto& [id, task] : running_) {
        if (task.deadline) next_ = std::min(next_, *task.deadline);
        for (const auto& [key, input] : task.inputs) next_ = std::min(next_, input.deadline);
    }
}

}  // namespace tenon::core
