// The state of a task, and whether calls of a tool may be tasks.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/json.hpp>

#pragma GCC visibility push(default)

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

enum class TaskStatus : std::uint8_t { working, input_required, completed, failed, cancelled };

/// Returns whether the status is final. A finished task does not change until it expires.
constexpr bool is_terminal(TaskStatus s) { return s != TaskStatus::working && s != TaskStatus::input_required; }
std::string_view to_string(TaskStatus s);

/// The state of a task, as a client sees it.
struct TaskInfo {
    std::string id = {};  ///< empty: the call ended without becoming a task
    TaskStatus status = TaskStatus::working;
    std::string status_message = {};
    std::string created = {}, updated = {};                       ///< ISO 8601, as the server wrote them
    std::optional<std::chrono::milliseconds> ttl = {};            ///< counted from `created`; empty: unlimited
    std::optional<std::chrono::milliseconds> poll_interval = {};  ///< as the server wishes; empty: not set
    json::object input_requests = {};                             ///< open questions, by key (2026-07-28)
    std::optional<json::value> result = {};                       ///< of a completed task (2026-07-28)
    std::optional<Error> error = {};                              ///< of a failed task (2026-07-28)
};

/// One task, as a server and store::Tasks keep it.
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

}  // namespace tenon

#pragma GCC visibility pop
