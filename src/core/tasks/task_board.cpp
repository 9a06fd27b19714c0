#include "core/tasks/task_board.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace tenon::core {
namespace {

// The error of a question whose task is over.
Error withdrawn(std::string why) {
    Error out(code::server_error, std::move(why));
    out.kind = detail::ErrorKind::withdrawn;
    return out;
}

}  // namespace

// ---- the answers of the board and of a store

Result<HandlerResult> outcome_of(const TaskRecord& task) {
    if (task.error) return *task.error;
    if (!task.result.empty()) return HandlerResult{Encoded{task.result}};
    return Error{code::invalid_params, "the task was cancelled, so it has no result"};
}

Error unknown_task(std::string_view id, const Limits& limits) {
    return {code::invalid_params, "Unknown task: " + base::shorten(id, limits.max_error_text_bytes) +
                                      "; the id is wrong, or the task has expired or belongs to another client"};
}

Error too_many_tasks(const Limits& limits) {
    return {code::server_error,
            "Too many tasks: the limit is " + std::to_string(limits.max_tasks) + "; call again when some have expired",
            LimitName::max_tasks};
}

Error too_many_tasks_of_owner(const Limits& limits) {
    return {code::server_error,
            "Too many tasks of this client: the limit is " + std::to_string(limits.max_tasks_per_owner) +
                "; call again when some have expired",
            LimitName::max_tasks_per_owner};
}

Error too_many_waiting() {
    return {code::server_error, "Too many requests wait for this task: poll it with tasks/get"};
}

Result<void> check_inputs(const TaskRecord& task, const json::object& responses, const Limits& limits) {
    for (const auto& [key, answer] : responses)
        if (task.input_requests.contains(key) && !answer.is_object())
            return Error{code::invalid_params, "Invalid params: `params.inputResponses." +
                                                   base::shorten(key, limits.max_error_text_bytes) +
                                                   "` must be an object"};
    return {};
}

// ---- the requests of clients

// A task without an owner counts for the account that is charged for it: one connection of an anonymous caller. A store
// counts the tasks of all nodes itself.
Result<void> TaskBoard::may_create(const TaskTerms& terms) {
    if (!shared_ && table_.size() >= limits_.max_tasks) return too_many_tasks(limits_);
    const std::size_t own = terms.owner.empty() ? charges_.count(terms.account)
                            : shared_           ? 0
                                                : table_.count(terms.owner);
    if (own >= limits_.max_tasks_per_owner) return too_many_tasks_of_owner(limits_);
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
    // Derived from the time, so that cursors of an earlier process do not lead into the middle of the list.
    const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
    last_order_ = std::max(last_order_ + 1, static_cast<std::uint64_t>(std::max<std::int64_t>(micros, 1)));
    record.order = last_order_;
    table_.put(record);

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
    auto task = table_.get(id);
    if (task && reach.covers(*task) && now < task->expiry()) return *std::move(task);
    return unknown_task(id, limits_);
}

Result<void> TaskBoard::update(std::string_view id, const Reach& reach, const json::object& responses, WallTime now) {
    auto record = find(id, reach, now);
    if (!record) return record.error();
    const auto task = running_.find(id);
    if (task == running_.end()) return {};
    if (auto ok = check_inputs(*record, responses, limits_); !ok) return ok;
    bool changed = false;
    for (const auto& [key, answer] : responses)
        if (deliver(task->second, *record, std::string(key), answer)) changed = true;
    if (changed) settle_status(task->second, *std::move(record), now);
    return {};
}

// Returns false when the question was not asked, or was answered already.
bool TaskBoard::deliver(Running& task, TaskRecord& record, const std::string& key, const json::value& answer) {
    const auto input = task.inputs.find(key);
    if (input == task.inputs.end()) return false;
    actions_.push_back(Deliver{std::move(input->second.reply), answer});
    task.inputs.erase(input);
    record.input_requests.erase(key);
    return true;
}

Result<TaskRecord> TaskBoard::cancel(std::string_view id, const Reach& reach, WallTime now) {
    auto record = find(id, reach, now);
    const auto task = running_.find(id);
    if (!record || task == running_.end()) return record;
    end_early(task, {OperationEnd::cancelled}, "the client cancelled the task", now);
    return find(id, reach, now);
}

void TaskBoard::wait(std::string_view id, const Reach& reach, Reply<HandlerResult> reply, WallTime now) {
    const auto record = find(id, reach, now);
    const auto task = running_.find(id);
    const bool runs = record && task != running_.end();
    if (runs && task->second.waiting.size() < max_waiting_for_task) {
        task->second.waiting.push_back(std::move(reply));
        return;
    }
    Result<HandlerResult> answer = record ? outcome_of(*record) : Result<HandlerResult>(record.error());
    if (runs) answer = too_many_waiting();
    actions_.push_back(AnswerWaiting{std::move(reply), std::move(answer)});
}

std::vector<TaskRecord> TaskBoard::list(std::string_view owner, std::uint64_t after, std::size_t max, WallTime now) {
    sweep(now);
    return table_.list(owner, after, max);
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
    TaskRecord record = table_.get(task->first).value();
    actions_.push_back(StopTask{task->second.stop});
    record.status = status;
    record.status_message = why;
    if (status == TaskStatus::failed) record.error = Error{code::internal_error, "Internal error: " + why};
    end(task, std::move(record), now, withdrawn(std::move(why)), outcome);
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
    table_.put(record);
    actions_.push_back(TaskChanged{record});
}

// Ends the work of a task, without a change of its record.
void TaskBoard::drop(RunningMap::iterator task, const Error& why) {
    actions_.push_back(StopTask{task->second.stop});
    for (auto& [key, input] : task->second.inputs) actions_.push_back(Deliver{std::move(input.reply), why});
    for (auto& reply : task->second.waiting) actions_.push_back(AnswerWaiting{std::move(reply), why});
    running_.erase(task);
}

// ---- tasks in a store

void TaskBoard::answer_input(std::string_view id, const std::string& key, json::value answer, WallTime now) {
    const auto task = running_.find(id);
    if (task == running_.end()) return;
    TaskRecord record = table_.get(id).value();
    if (deliver(task->second, record, key, answer)) settle_status(task->second, std::move(record), now);
}

void TaskBoard::lose(std::string_view id, OperationEnd end, const std::string& why, WallTime now) {
    const auto task = running_.find(id);
    if (task == running_.end()) return;
    tell_ended(std::string(id), task->second, now, {end}, 0, why);
    drop(task, withdrawn(why));
}

void TaskBoard::stored(std::string_view id) {
    auto record = runs(id) ? std::nullopt : table_.get(id);
    if (!record) return;
    record->result.clear();
    table_.put(*record);
    static_cast<void>(charges_.add_result(id, 0));
}

}  // namespace tenon::core
