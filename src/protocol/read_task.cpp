#include "protocol/read_task.hpp"

#include <algorithm>
#include <array>

#include "json/find.hpp"
#include "protocol/read_parts.hpp"

namespace tenon::protocol {
namespace {

using std::chrono::milliseconds;

constexpr std::array all_statuses = {TaskStatus::working, TaskStatus::input_required, TaskStatus::completed,
                                     TaskStatus::failed, TaskStatus::cancelled};

TaskStatus read_status(Part& r) {
    const std::string text = r.string("status");
    for (const TaskStatus status : all_statuses)
        if (text == tenon::to_string(status)) return status;
    if (r.ok()) r.complain("status", "working, input_required, completed, failed or cancelled");
    return TaskStatus::failed;
}

// The same member is called `ttl` in 2025-11-25 and `ttlMs` in 2026-07-28.
std::optional<milliseconds> read_time(Part& r, std::string_view name, std::string_view name_with_unit) {
    constexpr double longest = 1e15;
    const std::string_view key = r.members().contains(name_with_unit) ? name_with_unit : name;
    const json::value* v = r.members().if_contains(key);
    if (!v || v->is_null()) return std::nullopt;
    const auto number = r.optional_number(key);
    if (!number) return std::nullopt;
    return milliseconds(static_cast<std::int64_t>(std::clamp(*number, 0.0, longest)));
}

Error read_error(const json::object& o, const std::string& path, Problem& problem) {
    Part r(o, path, problem);
    Error out{code::internal_error, r.string("message")};
    if (const auto number = r.optional_number("code"); number && *number >= -1e9 && *number <= 1e9)
        out.code = static_cast<int>(*number);
    if (const json::value* data = o.if_contains("data")) out.data = *data;
    return out;
}

TaskInfo read_task_members(Part& r) {
    TaskInfo out;
    out.id = r.string("taskId");
    out.status = read_status(r);
    out.status_message = r.text("statusMessage");
    out.created = r.text("createdAt");
    out.updated = r.text("lastUpdatedAt");
    out.ttl = read_time(r, "ttl", "ttlMs");
    out.poll_interval = read_time(r, "pollInterval", "pollIntervalMs");
    if (const json::object* questions = r.optional_object("inputRequests")) out.input_requests = *questions;
    if (const json::object* result = r.optional_object("result")) out.result = *result;
    if (const json::object* error = r.optional_object("error"))
        out.error = read_error(*error, r.path("error"), r.problem());
    return out;
}

TaskInfo read_listed_task(const json::value& v, const std::string& path, Problem& problem) {
    Part r(v, path, problem);
    return read_task_members(r);
}

}  // namespace

Result<TaskInfo> read_task(const json::value& result) {
    return read_answer(result, [](Part& r) {
        const json::object* created = r.optional_object("task");
        if (!created) return read_task_members(r);
        Part task(*created, r.path("task"), r.problem());
        return read_task_members(task);
    });
}

Result<Page<TaskInfo>> read_tasks(const json::value& result) {
    return read_answer(result, [](Part& r) {
        Page<TaskInfo> page;
        page.items = r.list("tasks", read_listed_task);
        page.nextCursor = r.optional_string("nextCursor");
        return page;
    });
}

TaskSupport task_support(const json::object& execution) {
    const json::value* support = execution.if_contains("taskSupport");
    if (!support) return TaskSupport::forbidden;
    if (*support == json::value("required")) return TaskSupport::required;
    return *support == json::value("optional") ? TaskSupport::optional : TaskSupport::forbidden;
}

bool accepts_task_calls(const json::object& capabilities) {
    const json::object* o = &capabilities;
    for (const std::string_view key : {"tasks", "requests", "tools", "call"}) {
        o = json::find_object(*o, key);
        if (!o) return false;
    }
    return true;
}

}  // namespace tenon::protocol
