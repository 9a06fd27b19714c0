// Tasks: tool calls that continue after their response. The client polls their state by an id.
// Covers the extension io.modelcontextprotocol/tasks (2026-07-28) and the experimental tasks of 2025-11-25.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>
#include <tenon/protocol/tasks.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// When a call of 2026-07-28 becomes a task, if the client has the extension.
enum class TaskStart : std::uint8_t {
    at_once,     ///< before its handler runs
    by_handler,  ///< when the handler calls Context::become_task(); before that it may ask questions
};

/// The task `id` expires at `when`.
struct TaskExpiry {
    WallTime when;
    std::string id;
};

/// Stores tasks. Implement it to keep results after a restart, or to share them between machines. The handler of a task
/// always runs in the process that started it.
///
/// Tenon calls a store under a lock, from one thread at a time. The functions must not call Tenon and must not throw,
/// and should be quick.
class TaskStore {
 public:
    virtual ~TaskStore() = default;
    /// Adds the task, or replaces the one with the same id.
    virtual Result<void> put(const TaskRecord& task) = 0;
    virtual std::optional<TaskRecord> get(std::string_view id) = 0;
    virtual void erase(std::string_view id) = 0;
    /// Returns up to `max` tasks of an owner with an order above `after`, sorted by order.
    virtual std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max) = 0;
    virtual std::size_t size() = 0;
    /// Returns the number of tasks of an owner.
    virtual std::size_t count(std::string_view owner) = 0;
    /// Returns the task that expires first, or nullopt when there are no tasks.
    virtual std::optional<TaskExpiry> next_to_expire() = 0;
};

/// Makes the default store, which keeps tasks in memory.
std::shared_ptr<TaskStore> memory_task_store();

}  // namespace tenon

#pragma GCC visibility pop
