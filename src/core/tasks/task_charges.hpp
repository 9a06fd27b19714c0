// Charges the memory budget of a server for its tasks.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/memory.hpp"

namespace tenon::core {

/// One charge for each task. Not thread-safe.
class TaskCharges {
 public:
    /// Returns the number of tasks that an account is charged for; 0 without an account.
    std::size_t count(const MemoryAccountPtr& account) const {
        const auto it = counts_.find(account.get());
        return it == counts_.end() ? 0 : it->second;
    }
    /// Starts to charge an account for a task.
    Result<void> open(const std::string& id, const MemoryAccountPtr& account) {
        if (!account) return {};
        MemoryCharge charge(account);
        if (const auto verdict = charge.resize(bytes_of_task); verdict != MemoryDecision::granted)
            return memory_error(verdict, charge);
        charges_.emplace(id, std::move(charge));
        ++counts_[account.get()];
        return {};
    }
    /// Charges for the result of a task, too. Does nothing for a task without a charge, such as one of another process.
    Result<void> add_result(std::string_view id, std::size_t bytes) {
        const auto it = charges_.find(id);
        if (it == charges_.end()) return {};
        if (const auto verdict = it->second.resize(bytes_of_task + bytes); verdict != MemoryDecision::granted)
            return memory_error(verdict, it->second);
        return {};
    }
    void close(std::string_view id) {
        const auto it = charges_.find(id);
        if (it == charges_.end()) return;
        const auto count = counts_.find(it->second.account().get());
        if (--count->second == 0) counts_.erase(count);
        charges_.erase(it);
    }

 private:
    static constexpr std::size_t bytes_of_task = 2048;

    std::map<std::string, MemoryCharge, std::less<>> charges_;
    std::map<const base::MemoryAccount*, std::size_t> counts_;
};

}  // namespace tenon::core
