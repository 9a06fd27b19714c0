// Tasks: tool calls that continue after their response. The client polls their state by an id.
// Covers the extension io.modelcontextprotocol/tasks (2026-07-28) and the experimental tasks of 2025-11-25.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>
#include <tenon/json.hpp>

namespace tenon {

/// Calendar time. Unlike TimePoint it is shown to clients and survives a restart.
using WallTime = std::chrono::system_clock::time_point;

/// Returns `now + wait`, or WallTime::max() on overflow.
inline WallTime later(WallTime now, std::chrono::milliseconds wait) {
    using std::chrono::milliseconds;
    return wait >= std::chrono::duration_cast<milliseconds>(WallTime::max() - now) ? WallTime::max() : now + wait;
}

/// Whether calls of a tool may or must be tasks.
enum class TaskSupport : std::uint8_t { forbidden, optional, required };

/// When a call of 2026-07-28 becomes a task, if the client has the extension.
enum class TaskStart : std::uint8_t {
    at_once,     ///< before its handler runs
    by_handler,  ///< when the handler calls Context::become_task(); before that it may ask questions
};

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// Returns whether the status is final. A finished task does not change until it expires.
constexpr bool is_terminal(TaskStatus s) { return s != TaskStatus::working && s != TaskStatus::input_required; }
std::string_view to_string(TaskStatus s);

/// One task, as a TaskStore keeps it.
struct TaskRecord {
    std::string id = {};
    std::string owner = {};  ///< may access the task, see SessionOptions::owner; empty: every peer that knows the id
    TaskStatus status = TaskStatus::working;
    std::string status_message = {};
    WallTime created = {}, updated = {};
    std::chrono::milliseconds ttl = {};  ///< counted from `created`; milliseconds::max() never expires
    json::object input_requests = {};    ///< open questions to the client, by key (2026-07-28)
    std::string result = {};             ///< as JSON; empty while the task runs and when it failed
    std::optional<Error> error = {};     ///< set when the task failed
    std::uint64_t order = 0;             ///< grows with each new task

    WallTime expiry() const { return later(created, ttl); }
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
