// Reads tasks in the form of any revision.
#pragma once

#include <tenon/protocol/common.hpp>
#include <tenon/protocol/tasks.hpp>

namespace tenon::protocol {

/// Reads the result of tasks/get, or of a `tools/call` that has become a task. In 2025-11-25 the task is in the member
/// `task`. In 2026-07-28 the result itself is the task.
Result<TaskInfo> read_task(const json::value& result);
/// Reads the result of tasks/list.
Result<Page<TaskInfo>> read_tasks(const json::value& result);

/// Reads `taskSupport` of the member `execution` of a tool.
TaskSupport task_support(const json::object& execution);
/// Returns whether the server accepts `task` in `tools/call` (2025-11-25).
bool accepts_task_calls(const json::object& capabilities);

}  // namespace tenon::protocol
