// Tasks: tool calls that go on after they were answered. The client asks for their state later, by an id.
// The extension io.modelcontextprotocol/tasks of 2026-07-28, and the experimental tasks of 2025-11-25.
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

/// The time of the calendar: what a client reads, and what outlives a process.
using WallTime = std::chrono::system_clock::time_point;

/// `now + wait`, or the end of time when that is beyond it.
inline WallTime later(WallTime now, std::chrono::milliseconds wait) {
    using std::chrono::milliseconds;
    return wait >= std::chrono::duration_cast<milliseconds>(WallTime::max() - now) ? WallTime::max() : now + wait;
}

/// Whether a tool may be, or must be, called as a task.
enum class TaskSupport : std::uint8_t { forbidden, optional, required };

/// When a call of 2026-07-28 becomes a task, where the client has the extension.
enum class TaskStart : std::uint8_t {
    at_once,     ///< before its handler runs
    by_handler,  ///< when the handler calls Context::become_task(), if it does: it may ask the client before that
};

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// A task that has come to its end stays as it is until it expires.
constexpr bool is_terminal(TaskStatus s) { return s != TaskStatus::working && s != TaskStatus::input_required; }
std::string_view to_string(TaskStatus s);

struct TaskRecord {
    std::string id = {};
    std::string owner = {};  ///< who may reach it, see SessionOptions::owner; empty: whoever knows the id
    TaskStatus status = TaskStatus::working;
    std::string status_message = {};
    WallTime created = {}, updated = {};
    std::chrono::milliseconds ttl = {};  ///< from `created` on; the longest there is: for ever
    json::object input_requests = {};    ///< what the client is asked, by key (2026-07-28)
    std::string result = {};             ///< what the call came to, as JSON; empty while it runs and when it failed
    std::optional<Error> error = {};     ///< the error that the call came to
    std::uint64_t order = 0;             ///< later tasks have a higher one

    WallTime expiry() const { return later(created, ttl); }
};

struct TaskExpiry {
    WallTime when;
    std::string id;
};

/// Where tasks are kept. Write your own to let results outlive the process, or to share them between machines; the
/// handler itself always runs, and is asked and cancelled, in the process that started it.
///
/// Never called by two threads at once, and always under a lock: it must not call back or throw, and should be quick.
class TaskStore {
 public:
    virtual ~TaskStore() = default;
    /// Adds it, or replaces the one with this id.
    virtual Result<void> put(const TaskRecord& task) = 0;
    virtual std::optional<TaskRecord> get(std::string_view id) = 0;
    virtual void erase(std::string_view id) = 0;
    /// The first `max` tasks of an owner whose order is above `after`, in order.
    virtual std::vector<TaskRecord> list(std::string_view owner, std::uint64_t after, std::size_t max) = 0;
    virtual std::size_t size() = 0;
    /// The tasks of an owner.
    virtual std::size_t count(std::string_view owner) = 0;
    /// The one that expires first.
    virtual std::optional<TaskExpiry> next_to_expire() = 0;
};

/// The default store: in memory.
std::shared_ptr<TaskStore> memory_task_store();

}  // namespace tenon
