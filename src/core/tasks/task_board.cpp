#include "core/tasks/task_board.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace tenon::core {
namespace {

// Requests that wait for one task. Cancelled requests count, too, until the task ends.
constexpr std::size_t max_waiting = 256;

Result<HandlerResult> outcome_of(const TaskRecord& task) {
    if (task.error) return *task.error;
    if (!task.result.empty()) return HandlerResult{Encoded{task.result}};
    return Error{code::invalid_params, "the task was cancelled, so it has no result"};
}

// The error of a question whose task is over.
Error withdrawn(std::string why) {
    Error out(code::server_error, std::move(why));
    out.kind = detail::ErrorKind::withdrawn;
    return out;
}

}  // namespace

// A task without an owner counts for the account that is charged for it: one connection of an anonymous caller.
Result<void> TaskBoard::may_create(const TaskTerms& terms) {
    if (store_->size() >= limits_.max_tasks)
        return Error{
            code::server_error,
            "Too many tasks: the limit is " + std::to_string(limits_.max_tasks) + "; call again when some have expired",
            LimitName::max_tasks};
    const std::size_t own = terms.owner.empty() ? charges_.count(terms.account) : store_->count(terms.owner);
    if (own >= limits_.max_tasks_per_owner)
        return Error{code::server_error,
                     "Too many tasks of this client: the limit is " + std::to_string(limits_.max_tasks_per_owner) +
                         "; call again when some have expired",
                     LimitName::max_tasks_per_owner};
    return {};
}

Result<TaskRecord> TaskBoard::create(NewTask task, WallTime now) {
    sweep(now);
    if (auto ok = may_create(task.terms); !ok) return ok.error();
    if (auto ok = charges_.open(task.id, task.terms.account); !ok) return ok.error();
    TaskRecord record;
    record.id = task.id;
    record.owner = std::move(task.terms.owner);
    record.created = record.updated = now;
    record.ttl = task.terms.ttl;
    // Derived from the time, so that it is above the orders of an earlier process with the same store.
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
    last_order_ = std::max(last_order_ + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(micros, 1)));
    record.order = last_order_;
    if (auto ok = store_->put(record); !ok) return charges_.close(task.id), ok.error();

    Running running{task.rules,   std::move(task.stop), std::move(task.session),
                    std::nullopt, std::move(task.call), task.transport,
                    now};
    if (task.terms.time_limit)
        running.deadline = later(now, std::chrono::duration_cast<std::chrono::milliseconds>(*task.terms.time_limit));
    next_ = std::min({next_, record.expiry(), running.deadline.value_or(WallTime::max())});
    running_.emplace(std::move(task.id), std::move(running));
    return record;
}

Result<TaskRecord> TaskBoard::find(std::string_view id, const Reach& reach, WallTime now) {
    sweep(now);
    auto task = store_->get(id);
    if (task && reach.covers(*task) && now < task->expiry()) return *std::move(task);
    return Error{code::invalid_params, "Unknown task: " + base::shorten(id, limits_.max_error_text_bytes) +
                                           "; the id is wrong, or the task has expired or belongs to another client"};
}

Result<void> TaskBoard::update(std::string_view id, const Reach& reach, const json::object& responses, WallTime now) {
    auto record = find(id, reach, now);
    if (!record) return record.error();
    const auto task = running_.find(id);
    if (task == running_.end()) return {};
    auto& inputs = task->second.inputs;
    for (const auto& [key, answer] : responses)
        if (inputs.contains(key) && !answer.is_object())
            return Error{code::invalid_params, "Invalid params: `params.inputResponses." +
                                                   base::shorten(key, limits_.max_error_text_bytes) +
                                                   "` must be an object"};
    bool changed = false;
    for (const auto& [key, answer] : responses) {
        const auto input = inputs.find(key);
        if (input == inputs.end()) continue;  // not asked, or answered already
        actions_.push_back(Deliver{std::move(input->second.reply), answer});
        inputs.erase(input);
        record->input_requests.erase(key);
        changed = true;
    }
    if (changed) settle_status(task->second, *std::move(record), now);
    return {};
}

Result<TaskRecord> TaskBoard::cancel(std::string_view id, const Reach& reach, WallTime now) {
    auto record = find(id, reach, now);
    if (!record || is_terminal(record->status)) return record;
    const auto task = running_.find(id);
    if (task == running_.end()) {  // another process runs it, or the process that ran it has ended
        record->status = TaskStatus::cancelled;
        record->updated = now;
        keep(*record);
        return record;
    }
    end_early(task, {OperationEnd::cancelled}, "the client cancelled the task", now);
    return find(id, reach, now);
}

void TaskBoard::wait(std::string_view id, const Reach& reach, Reply<HandlerResult> reply, WallTime now) {
    const auto record = find(id, reach, now);
    const auto task = running_.find(id);
    const bool runs = record && !is_terminal(record->status) && task != running_.end();
    if (runs && task->second.waiting.size() < max_waiting) {
        task->second.waiting.push_back(std::move(reply));
        return;
    }
    Result<HandlerResult> answer = record ? outcome_of(*record) : Result<HandlerResult>(record.error());
    if (runs) {
        answer = Error{code::server_error, "Too many requests wait for this task: poll it with tasks/get"};
    } else if (record && !is_terminal(record->status)) {
        answer = Error{code::internal_error, "the task is not run by this process: poll it with tasks/get"};
    }
    actions_.push_back(AnswerWaiting{std::move(reply), std::move(answer)});
}

std::vector<TaskRecord> TaskBoard::list(std::string_view owner, std::uint64_t after, std::size_t max, WallTime now) {
    sweep(now);
    return store_->list(owner, after, max);
}

// ---- how a task ends

// `record` has its final status already.
void TaskBoard::end(RunningMap::iterator task, TaskRecord record, WallTime now, const Error& why, Outcome outcome) {
    record.updated = now;
    record.input_requests.clear();
    tell_ended(record.id, task->second, now, outcome, record.error ? record.error->code : 0, record.status_message);
    for (auto& [key, input] : task->second.inputs) actions_.push_back(Deliver{std::move(input.reply), why});
    for (auto& reply : task->second.waiting) actions_.push_back(AnswerWaiting{std::move(reply), outcome_of(record)});
    running_.erase(task);
    keep(record);
}

void TaskBoard::tell_ended(const std::string& id, const Running& task, WallTime now, Outcome outcome, int error,
                           std::string reason) {
    if (!task.call) return;
    if (outcome.end == OperationEnd::ok || outcome.end == OperationEnd::tool_error) reason.clear();
    actions_.push_back(TaskEnded{id, task.call, task.transport, task.created, now, outcome.end, error,
                                 std::move(reason), outcome.limit});
}

void TaskBoard::end_early(RunningMap::iterator task, Outcome outcome, std::string why, WallTime now) {
    const auto status = outcome.end == OperationEnd::cancelled ? TaskStatus::cancelled : TaskStatus::failed;
    auto record = store_->get(task->first);
    actions_.push_back(StopTask{task->second.stop});
    if (!record) record = TaskRecord{.id = task->first};
    record->status = status;
    record->status_message = why;
    if (status == TaskStatus::failed) record->error = Error{code::internal_error, "Internal error: " + why};
    end(task, *std::move(record), now, withdrawn(std::move(why)), outcome);
}

void TaskBoard::end_session(std::string_view session, WallTime now) {
    for (auto it = running_.begin(); it != running_.end();) {
        const auto task = it++;
        if (task->second.session == session)
            end_early(task, {OperationEnd::cancelled}, "the session that started the task has ended", now);
    }
}

void TaskBoard::end_all(WallTime now) {
    while (!running_.empty()) end_early(running_.begin(), {OperationEnd::cancelled}, "the server has stopped", now);
}

void TaskBoard::keep(const TaskRecord& record) {
    if (auto ok = store_->put(record); !ok)
        actions_.push_back(Note{LogLevel::error, "the task store failed: " + ok.error().message});
    actions_.push_back(TaskChanged{record});
}

}  // namespace tenon::core
