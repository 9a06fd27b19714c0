// What clients do with tasks, wherever the tasks are: on the board of this process, or in a store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>
#include <tenon/protocol/tasks.hpp>
#include <tenon/reply.hpp>

#include "core/server/action.hpp"

namespace tenon::core {

/// The owners whose tasks a request may see.
struct Reach {
    std::string owner;
    std::string also;  // a second owner, or the same one

    bool covers(const TaskRecord& task) const { return task.owner == owner || task.owner == also; }
};

/// The answer to a cancellation: the task, and whether it was over before.
struct CancelledTask {
    TaskRecord task;
    bool was_over = false;
};

/// The requests of clients about tasks. Thread-safe. Each function answers exactly once, at once or later, never under
/// a lock; so call it without a lock. It checks every time that the request reaches the task. While a store cannot be
/// used, the error is code::store_unavailable.
class TaskDesk {
 public:
    virtual ~TaskDesk() = default;
    virtual void find(std::string id, Reach reach, Reply<TaskRecord> reply) = 0;
    virtual void update(std::string id, Reach reach, json::object responses, Reply<void> reply) = 0;
    virtual void cancel(std::string id, Reach reach, Reply<CancelledTask> reply) = 0;
    /// Answers with the outcome of the task once it is over.
    virtual void wait(std::string id, Reach reach, Reply<HandlerResult> reply) = 0;
    /// Answers with up to `max` tasks with an order above `after`, sorted by order.
    virtual void list(std::string owner, std::uint64_t after, std::size_t max,
                      Reply<std::vector<TaskRecord>> reply) = 0;
    /// Finds a task at once. May be called under the lock of a session. Not for tasks in a store.
    virtual std::optional<TaskRecord> look_up(std::string_view id, const Reach& reach) = 0;
    /// Returns whether the tasks are in a store that other nodes use, too.
    virtual bool is_shared() const = 0;
};

}  // namespace tenon::core
