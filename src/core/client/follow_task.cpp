// Calls that became tasks. The engine polls the task and answers its questions, and the call ends with the task's
// result.
//
// 2025-11-25: the client asks for a task. tasks/get polls its state, and tasks/result waits for its result. Questions
// come as requests.
// 2026-07-28: the server decides. tasks/get has the state, the questions and the result. tasks/update answers
// questions.
#include <algorithm>

#include "core/client/engine.hpp"
#include "protocol/read_task.hpp"
#include "protocol/write_task.hpp"

namespace tenon::core {

using TaskMode = ClientCall::Tasks;
using protocol::Trait;

namespace {

constexpr std::size_t max_poll_failures = 3;

Error cancelled_by_server(const TaskInfo& task) {
    std::string text = "the task was cancelled";
    if (!task.status_message.empty()) text += ": " + task.status_message;
    return {code::call_cancelled, std::move(text)};
}

}  // namespace

// Returns whether the server may turn a tool call into a task.
bool ClientEngine::may_be_task() const {
    const protocol::ClientAbilities& can = settings_->identity.abilities;
    if (rules_->has(Trait::tasks_extension)) return can.tasks || can.extensions.contains(protocol::tasks_extension);
    return rules_->has(Trait::task_requests) && protocol::accepts_task_calls(server_->capabilities.raw);
}

// In 2025-11-25 the client asks for a task.
void ClientEngine::add_task(ClientCall& call) const {
    if (call.tasks == TaskMode::raw || call.method != "tools/call" || !rules_->has(Trait::task_requests)) return;
    const TaskSupport support = tools_.task_of(call.tool);
    const bool wanted =
        support == TaskSupport::required || (support == TaskSupport::optional && call.tasks == TaskMode::start);
    if (!wanted || !may_be_task()) return;
    json::object task;
    if (call.task_ttl) task.emplace("ttl", call.task_ttl->count());
    call.params.insert_or_assign("task", std::move(task));
}

bool ClientEngine::is_created_task(const ClientCall& call, const json::object& result) const {
    if (call.tasks == TaskMode::raw || call.method != "tools/call") return false;
    if (!rules_->has(Trait::tasks_extension)) return call.params.contains("task") && result.contains("task");
    const json::value* type = result.if_contains("resultType");
    return may_be_task() && type && *type == json::value("task");
}

void ClientEngine::begin_task(Calls::iterator it, const json::value& result) {
    Pending& p = it->second;
    auto task = protocol::read_task(result);
    if (!task) return finish(it, task.error());
    if (p.call.tasks == TaskMode::start) return finish(it, result);
    FollowedTask followed{task->id, true};
    if (p.call.progress && rules_->has(Trait::task_requests)) {
        followed.progress_token = p.request;
        task_progress_.emplace(*p.request, it->first);
    }
    on_wire_.erase(*p.request);
    p.request.reset();
    p.inputs.clear();
    p.state.reset();
    p.task = std::move(followed);
    on_task_state(it, *std::move(task));
}

void ClientEngine::follow(CallId id, Pending& p) {
    p.task = FollowedTask{std::string(p.call.params.at("taskId").as_string())};
    p.task->poll = limits_.task_poll_time;
    send_for_task(id, p, FollowedTask::Request::get);
}

void ClientEngine::send_for_task(CallId id, Pending& p, FollowedTask::Request request, json::object params) {
    p.step = Step::response;
    p.task->request = request;
    params.emplace("taskId", p.task->id);
    rearm(id, p, later(now_, p.time));
    const char* method = request == FollowedTask::Request::get      ? "tasks/get"
                         : request == FollowedTask::Request::update ? "tasks/update"
                                                                    : "tasks/result";
    send_method(id, p, method, params);
}

void ClientEngine::poll_later(CallId id, Pending& p) {
    p.step = Step::next_poll;
    rearm(id, p, later(now_, p.task->poll));
}

// tasks/result takes as long as the task. So the call does not fail when the result is late, as long as the server
// answers polls.
void ClientEngine::poll_again(CallId id, Pending& p) {
    if (p.request) on_wire_.erase(*p.request);
    p.request.reset();
    send_for_task(id, p, FollowedTask::Request::get);
}

void ClientEngine::on_task_response(Calls::iterator it, Result<json::value> outcome) {
    Pending& p = it->second;
    on_wire_.erase(*p.request);
    p.request.reset();
    if (!outcome) return poll_failed(it, outcome.error());
    p.task->failures = 0;
    if (p.task->request == FollowedTask::Request::update) return poll_later(it->first, p);
    if (p.task->request == FollowedTask::Request::result) {
        if (!outcome->is_object())
            return finish(it,
                          Error{code::invalid_answer, "The server's answer is invalid: `result` must be an object"});
        return conclude(it, *std::move(outcome));
    }
    auto task = protocol::read_task(*outcome);
    if (!task) return finish(it, task.error());
    on_task_state(it, *std::move(task));
}

// A broken connection does not end the task, so the next poll may succeed.
void ClientEngine::poll_failed(Calls::iterator it, Error why) {
    const bool local = why.code == code::connection_closed || why.code == code::http_refused;
    if (local && ++it->second.task->failures < max_poll_failures) return poll_later(it->first, it->second);
    finish(it, std::move(why));
}

void ClientEngine::on_task_state(Calls::iterator it, TaskInfo task) {
    Pending& p = it->second;
    const Duration wish = task.poll_interval ? Duration(*task.poll_interval) : limits_.task_poll_time;
    p.task->poll =
        std::clamp(wish, limits_.min_task_poll_time, std::max(limits_.min_task_poll_time, limits_.request_time));
    tell_status(p, task);
    if (is_terminal(task.status)) return task_over(it, std::move(task));
    if (task.status == TaskStatus::working) return poll_later(it->first, p);
    if (rules_->has(Trait::tasks_extension)) return ask_for_task(it, task.input_requests);
    send_for_task(it->first, p, FollowedTask::Request::result);  // the questions come as requests
}

void ClientEngine::task_over(Calls::iterator it, TaskInfo task) {
    if (!rules_->has(Trait::tasks_extension))
        return send_for_task(it->first, it->second, FollowedTask::Request::result);
    if (task.status == TaskStatus::cancelled) return finish(it, cancelled_by_server(task));
    if (task.status == TaskStatus::failed)
        return finish(it, task.error.value_or(Error{code::internal_error, "the task failed: " + task.status_message}));
    if (!task.result)
        return finish(it, Error{code::invalid_answer,
                                "The server's answer is invalid: the task is completed, but has "
                                "no `result`"});
    conclude(it, *std::move(task.result));
}

// In 2026-07-28 there are no progress notifications for tasks, but a message of their status.
void ClientEngine::tell_status(Pending& p, const TaskInfo& task) {
    const bool told = task.status_message.empty() || p.task->told == task.status_message;
    if (!p.call.progress || told || !rules_->has(Trait::tasks_extension)) return;
    p.task->told = task.status_message;
    Progress report;
    report.progress = static_cast<double>(++p.task->reports);
    report.message = task.status_message;
    actions_.push_back(ReportProgress{p.call.progress, std::move(report)});
}

// A question that was answered may be repeated until the server has seen the answer.
void ClientEngine::ask_for_task(Calls::iterator it, const json::object& questions) {
    Pending& p = it->second;
    json::object open;
    for (const auto& [key, question] : questions)
        if (!p.task->answered.contains(std::string(key))) open.emplace(key, question);
    if (open.empty()) return poll_later(it->first, p);
    if (++p.rounds > limits_.max_input_rounds)
        return finish(it, Error{code::invalid_answer, "the task asked for input more than " +
                                                          std::to_string(limits_.max_input_rounds) + " times"});
    p.inputs.clear();
    if (auto ok = ask(it->first, p, open); !ok) finish(it, ok.error());
}

// The user has answered all questions.
void ClientEngine::answer_task(CallId id, Pending& p) {
    for (const auto& [key, answer] : p.inputs) p.task->answered.emplace(key);
    send_for_task(id, p, FollowedTask::Request::update, {{"inputResponses", std::exchange(p.inputs, {})}});
}

void ClientEngine::cancel_task(const std::string& task) {
    ClientCall cancel;
    cancel.method = "tasks/cancel";
    cancel.params = {{"taskId", task}};
    admit(std::move(cancel));
}

}  // namespace tenon::core
