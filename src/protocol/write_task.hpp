// Tasks as a revision writes them.
#pragma once

#include <tenon/tasks.hpp>

#include "protocol/write.hpp"

namespace tenon::protocol {

inline constexpr std::string_view tasks_extension = "io.modelcontextprotocol/tasks";
inline constexpr std::string_view related_task_key = "io.modelcontextprotocol/related-task";

/// What to do with the result of a call that is a task now.
jsonrpc::Encoded encode_created_task(const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules);
/// The members of a task, and, where the revision has them there, what it asks and what it came to.
void write_task_members(Writer& w, const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules);
/// `{"taskId": ...}`: what ties a message to a task, under related_task_key.
json::object related_task(std::string_view id);
/// The same parameters, tied to a task.
jsonrpc::Encoded with_related_task(const jsonrpc::Encoded& params, std::string_view id);

std::string_view to_string(TaskSupport s);

/// 2026-11-16T08:30:00.123Z
std::string iso_time(WallTime t);

}  // namespace tenon::protocol
