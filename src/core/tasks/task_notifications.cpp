// The answer of a call that became a task, notifications about tasks, and the route for messages of a handler that runs
// as a task.
#include "core/server/engine.hpp"
#include "core/server/message_meta.hpp"
#include "protocol/write_task.hpp"

namespace tenon::core {

using protocol::Trait;

bool ServerEngine::became_task(const CallPtr& call, const TaskRecord& task) {
    if (!call->state_.open) return false;
    call->state_.rare().task = task.id;
    const bool flat = call->peer->rules.has(Trait::tasks_extension);
    answer(call, HandlerResult{task_methods_.created(*call, task), flat ? "task" : "complete"});
    return true;
}

void ServerEngine::task_changed(const TaskRecord& task) {
    if (shut_down_) return;
    if (initialized_ && peer_->rules.has(Trait::task_requests) && task.owner == task_methods_.session_owner()) {
        Encoded params;
        json::Writer w(params.json);
        w.begin_object();
        protocol::write_task_members(w, task, limits_.task_poll_interval, peer_->rules);
        w.end_object();
        Encoded status = jsonrpc::encode_notification("notifications/tasks/status", params);
        // Every node that serves the session learns of the change, so one of them tells the client.
        shared_ ? send_everywhere(std::move(status)) : send(std::move(status), waiting_call(task.id));
    }
    for (const auto& [call, listener] : subscriptions_.listeners())
        if (listener.tasks.contains(task.id)) tell_of_task(listener, task);
}

void ServerEngine::tell_of_task(const ListenCall& listener, const TaskRecord& task) {
    Encoded members;
    json::Writer w(members.json);
    w.begin_object();
    protocol::write_task_members(w, task, limits_.task_poll_interval, listener.call->peer->rules);
    w.end_object();
    tell_listener(listener, "notifications/tasks", members);
}

CallPtr ServerEngine::waiting_call(std::string_view task) const {
    for (const CallPtr& call : running_)
        if (const RareCallState* rare = call->state_.rare_if_any(); rare && rare->awaits == task) return call;
    return nullptr;
}

// Returns the call whose stream carries the messages of `call`. A call that became a task is answered already, so its
// messages go to the request that waits for the task's result.
CallPtr ServerEngine::stream_of(const CallPtr& call) const {
    return call->state_.task().empty() ? call : waiting_call(call->state_.task());
}

// Writes the `_meta` of a message that belongs to a call: its task, and its trace.
void ServerEngine::write_meta(json::Writer& w, const CallPtr& call) {
    const json::object meta = call ? message_meta(*call, call->state_.task()) : json::object();
    if (!meta.empty()) w.field("_meta", meta);
}

void ServerEngine::task_over(const CallPtr& call) { withdraw_questions_of(call, "the task is over"); }

}  // namespace tenon::core
