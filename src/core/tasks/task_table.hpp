// The records of the tasks that one process keeps in memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/protocol/tasks.hpp>

namespace tenon::core {

/// Tasks by id, by order and by expiry. TaskBoard bounds their number. Not thread-safe.
class TaskTable {
 public:
    /// The task that expires first.
    struct Expiry {
        WallTime when;
        std::string id;
    };

    /// Adds the task, or replaces the one with the same id.
    void put(const TaskRecord& task) {
        erase(task.id);
        orders_.emplace(task.id, task.order);
        expiries_.emplace(task.expiry(), task.order);
        tasks_.insert_or_assign(task.order, task);
        ++counts_[task.owner];
    }
    std::optional<TaskRecord> get(std::string_view id) const {
        const auto it = orders_.find(id);
        return it == orders_.end() ? std::nullopt : std::optional(tasks_.at(it->second));
    }
    void erase(std::string_view id) {
        const auto it = orders_.find(id);
        if (it == orders_.end()) return;
        const auto task = tasks_.find(it->second);
        expiries_.erase({task->second.expiry(), task->first});
        const auto owned = counts_.find(task->second.owner);
        if (--owned->second == 0) counts_.erase(owned);
        tasks_.erase(task);
        orders_.erase(it);
    }
    /// Returns up to `max` tasks of an owner with an order above `after`, sorted by order.
    std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max) const {
        std::vector<TaskRecord> out;
        for (auto it = tasks_.upper_bound(after); it != tasks_.end() && out.size() < max; ++it)
            if (it->second.owner == owner) out.push_back(it->second);
        return out;
    }
    std::size_t size() const { return tasks_.size(); }
    /// Returns the number of tasks of an owner.
    std::size_t count(std::string_view owner) const {
        const auto it = counts_.find(owner);
        return it == counts_.end() ? 0 : it->second;
    }
    /// Returns nullopt when there are no tasks.
    std::optional<Expiry> next_to_expire() const {
        if (expiries_.empty()) return std::nullopt;
        return Expiry{expiries_.begin()->first, tasks_.at(expiries_.begin()->second).id};
    }

 private:
    std::map<std::uint64_t, TaskRecord> tasks_;  // by order
    std::map<std::string, std::uint64_t, std::less<>> orders_;
    std::map<std::string, std::size_t, std::less<>> counts_;  // by owner
    std::set<std::pair<WallTime, std::uint64_t>> expiries_;
};

}  // namespace tenon::core
