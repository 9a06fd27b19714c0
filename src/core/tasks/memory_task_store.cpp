#include <map>
#include <set>
#include <utility>

#include <tenon/tasks.hpp>

namespace tenon {
namespace {

class MemoryTaskStore final : public TaskStore {
 public:
    Result<void> put(const TaskRecord& task) override {
        erase(task.id);
        orders_.emplace(task.id, task.order);
        expiries_.emplace(task.expiry(), task.order);
        tasks_.insert_or_assign(task.order, task);
        ++counts_[task.owner];
        return {};
    }

    std::optional<TaskRecord> get(std::string_view id) override {
        const auto it = orders_.find(id);
        return it == orders_.end() ? std::nullopt : std::optional(tasks_.at(it->second));
    }

    void erase(std::string_view id) override {
        const auto it = orders_.find(id);
        if (it == orders_.end()) return;
        const auto task = tasks_.find(it->second);
        expiries_.erase({task->second.expiry(), task->first});
        const auto owned = counts_.find(task->second.owner);
        if (--owned->second == 0) counts_.erase(owned);
        tasks_.erase(task);
        orders_.erase(it);
    }

    std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max) override {
        std::vector<TaskRecord> out;
        for (auto it = tasks_.upper_bound(after); it != tasks_.end() && out.size() < max; ++it)
            if (it->second.owner == owner) out.push_back(it->second);
        return out;
    }

    std::size_t size() override { return tasks_.size(); }
    std::size_t count(std::string_view owner) override {
        const auto it = counts_.find(owner);
        return it == counts_.end() ? 0 : it->second;
    }

    std::optional<TaskExpiry> next_to_expire() override {
        if (expiries_.empty()) return std::nullopt;
        return TaskExpiry{expiries_.begin()->first, tasks_.at(expiries_.begin()->second).id};
    }

 private:
    std::map<std::uint64_t, TaskRecord> tasks_;  // by order
    std::map<std::string, std::uint64_t, std::less<>> orders_;
    std::map<std::string, std::size_t, std::less<>> counts_;  // by owner
    std::set<std::pair<WallTime, std::uint64_t>> expiries_;
};

}  // namespace

std::shared_ptr<TaskStore> memory_task_store() { return std::make_shared<MemoryTaskStore>(); }

}  // namespace tenon
