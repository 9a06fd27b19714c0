// Writes tasks in the form of a revision.
#pragma once

#include <tenon/protocol/tasks.hpp>

#include "protocol/write.hpp"

namespace tenon::protocol {

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";
inline constexpr std::string_view related_task_key = "io.modelcontextprotocol/related-task";

/// Encodes the result of a call that has become a task.
jsonrpc::Encoded encode_created_task(const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules);
/// Writes the members of a task and, if the revision puts them there, its questions and result.
void write_task_members(Writer& w, const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules);
/// Returns `{"taskId": ...}`, which links a message to a task under related_task_key.
json::object related_task(std::string_view id);

std::string_view to_string(TaskSupport s);

/// Returns the time in the form 2026-11-16T08:30:00.123Z.
std::string iso_time(WallTime t);

}  // namespace tenon::protocol
