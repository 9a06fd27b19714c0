#include "protocol/write_task.hpp"

#include "protocol/write_parts.hpp"

namespace tenon {

std::string_view to_string(TaskStatus s) {
    switch (s) {
        case TaskStatus::working: return "working";
        case TaskStatus::input_required: return "input_required";
        case TaskStatus::completed: return "completed";
        case TaskStatus::failed: return "failed";
        default: return "cancelled";
    }
}

}  // namespace tenon

namespace tenon::protocol {
namespace {

std::string digits(long long n, std::size_t width) {
    std::string out = std::to_string(n);
    return out.size() < width ? std::string(width - out.size(), '0') + out : out;
}

// Writes the state of a task, without its questions and result.
void write_state(Writer& w, const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules) {
    const bool units = rules.has(Trait::tasks_extension);
    w.field("taskId", task.id);
    w.field("status", tenon::to_string(task.status));
    w.neutralise();
    write_optional(w, "statusMessage", task.status_message);
    w.neutralise(false);
    w.field("createdAt", iso_time(task.created));
    w.field("lastUpdatedAt", iso_time(task.updated));
    w.key(units ? "ttlMs" : "ttl");
    task.ttl == std::chrono::milliseconds::max() ? w.null() : w.number(std::int64_t{task.ttl.count()});
    w.field(units ? "pollIntervalMs" : "pollInterval", std::int64_t{poll.count()});
}

}  // namespace

std::string_view to_string(TaskSupport s) {
    return s == TaskSupport::required ? "required" : s == TaskSupport::optional ? "optional" : "forbidden";
}

std::string iso_time(WallTime t) {
    using namespace std::chrono;
    const auto day = floor<days>(t);
    const year_month_day date(day);
    const hh_mm_ss<milliseconds> time(floor<milliseconds>(t - day));
    return digits(int(date.year()), 4) + "-" + digits(unsigned(date.month()), 2) + "-" +
           digits(unsigned(date.day()), 2) + "T" + digits(time.hours().count(), 2) + ":" +
           digits(time.minutes().count(), 2) + ":" + digits(time.seconds().count(), 2) + "." +
           digits(time.subseconds().count(), 3) + "Z";
}

void write_task_members(Writer& w, const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules) {
    write_state(w, task, poll, rules);
    if (!rules.has(Trait::tasks_extension)) return;
    if (task.status == TaskStatus::input_required) w.field("inputRequests", task.input_requests);
    if (!task.result.empty() && task.status == TaskStatus::completed) {
        w.key("result");
        w.raw(task.result);
    }
    if (task.error && task.status == TaskStatus::failed) {
        w.key("error");
        w.begin_object();
        w.field("code", task.error->code);
        w.field("message", task.error->message);
        if (!task.error->data.is_null()) w.field("data", task.error->data);
        w.end_object();
    }
}

jsonrpc::Encoded encode_created_task(const TaskRecord& task, std::chrono::milliseconds poll, const Rules& rules) {
    const bool wrapped = !rules.has(Trait::tasks_extension);
    jsonrpc::Encoded out;
    Writer w(out.json);
    w.begin_object();
    if (wrapped) {
        w.key("task");
        w.begin_object();
    }
    write_state(w, task, poll, rules);
    if (wrapped) w.end_object();
    w.end_object();
    return out;
}

json::object related_task(std::string_view id) { return {{"taskId", id}}; }

}  // namespace tenon::protocol
