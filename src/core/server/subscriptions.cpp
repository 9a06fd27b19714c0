// The methods by which clients subscribe to changes: resources/subscribe and resources/unsubscribe (legacy), and
// subscriptions/listen (2026-07-28), a request whose answer is a stream of notifications.
#include "core/server/engine.hpp"

namespace tenon::core {

MethodOutcome ServerEngine::subscribe(const NewCall& call, const json::object& params) {
    const auto uri = checked_uri(params);
    if (!uri) return uri.error();
    if (!has_resource(*uri)) return unknown_resource(*uri);
    subscriber_ = call->access;
    if (auto ok = subscriptions_.add(*uri, limits_, identity_.account); !ok) return ok.error();
    changed(StateChange::Kind::subscribe, *uri);
    return Encoded{"{}"};
}

MethodOutcome ServerEngine::unsubscribe(const NewCall&, const json::object& params) {
    const auto uri = checked_uri(params);
    if (!uri) return uri.error();
    subscriptions_.remove(*uri);
    changed(StateChange::Kind::unsubscribe, *uri);
    return Encoded{"{}"};
}

MethodOutcome ServerEngine::listen(const NewCall& call, const json::object&) {
    auto listener = read_listen(call, limits_);
    if (!listener) return listener.error();
    if (const RareCallState* rare = call->state_.rare_if_any())
        for (const std::string& uri : rare->hidden) listener->uris.erase(uri);
    if (auto ok = ActiveSubscriptions::charge(*listener, identity_.account); !ok) return ok.error();
    auto ids = task_methods_.listened_ids(*call);
    if (!ids) return ids.error();
    if (auto ok = may_run(*call); !ok) return ok.error();

    running_.insert(call);
    call->state_.runs = true;
    call->state_.deadline.reset();
    accepted(call);
    if (!ids->empty() && settings_->tasks->is_shared()) {
        actions_.push_back(LoadTasks{std::make_shared<ListenCall>(*std::move(listener)), *std::move(ids),
                                     std::make_shared<const Reach>(task_methods_.reach(*call))});
        return StaysOpen{};
    }
    const auto tasks = ids->empty() ? std::vector<TaskRecord>() : task_methods_.look_up(*call, *ids);
    start_listening(*std::move(listener), tasks);
    // A task may have changed since it started. So each listener first gets the current state of its tasks.
    tell_listener_of_tasks(call, tasks);
    return StaysOpen{};
}

void ServerEngine::start_listening(ListenCall&& listener, const std::vector<TaskRecord>& tasks) {
    for (const TaskRecord& task : tasks) listener.tasks.insert(task.id);
    const CallPtr call = listener.call;
    const ListenCall& kept = subscriptions_.add(std::move(listener));
    send(encode_acknowledgement(kept, tasks), call);
}

bool ServerEngine::tasks_loaded(const std::shared_ptr<ListenCall>& listener,
                                const Result<std::vector<TaskRecord>>& tasks) {
    const CallPtr call = listener->call;
    if (!call->state_.open) return false;
    if (!tasks) return answer(call, tasks.error()), false;
    start_listening(std::move(*listener), *tasks);
    return true;
}

void ServerEngine::tell_listener_of_tasks(const CallPtr& call, const std::vector<TaskRecord>& tasks) {
    const auto listener = subscriptions_.listeners().find(call.get());
    if (listener == subscriptions_.listeners().end()) return;
    for (const TaskRecord& task : tasks)
        if (listener->second.tasks.contains(task.id)) tell_of_task(listener->second, task);
}

void ServerEngine::add_listened_tasks(std::set<std::string>& ids) const {
    for (const auto& [call, listener] : subscriptions_.listeners())
        ids.insert(listener.tasks.begin(), listener.tasks.end());
}

void ServerEngine::tell_listener(const ListenCall& listener, std::string_view method, const Encoded& members) {
    send(encode_for(listener, method, members), listener.call);
}

void ServerEngine::end_listeners() {
    while (!subscriptions_.listeners().empty()) {
        const CallPtr call = subscriptions_.listeners().begin()->second.call;
        answer(call, HandlerResult{Encoded{"{}"}, end_of_listen(*call)});
    }
}

}  // namespace tenon::core
