#include "runtime/shared_tasks.hpp"

#include <algorithm>
#include <iterator>

namespace tenon {

using core::CancelledTask;
using core::HandlerResult;
using core::Reach;

namespace {

constexpr std::string_view topic = "tasks";

// Takes the answer to one question of a task. The name of a question is used once.
store::StreamName box(const std::string& id, std::string_view key) {
    return {"task " + id, "input:" + std::string(key)};
}

// Returns what a client may learn of an error of the store.
Error for_client(const Error& error) {
    if (store::is_unavailable(error)) return error;
    return {code::internal_error, "Internal error: the store of the tasks refused an operation"};
}

}  // namespace

// ---- one task for one request

// The owner is checked here, for every request on every node.
SharedTasks::Found SharedTasks::visible(const std::string& id, const Reach& reach, Found found) const {
    if (found && reach.covers(found->task)) return found;
    if (!found && store::is_unavailable(found.error())) return found;
    if (!found && store::is_corrupt(found.error()))
        return Error{code::internal_error, "Internal error: the record of this task in the store cannot be read"};
    return core::unknown_task(id, limits_);
}

template <class F>
void SharedTasks::load(const std::string& id, Reach reach, F then) {
    auto take = [id, reach = std::move(reach), then = std::move(then)](SharedTasks& self, Found found) mutable {
        then(self, self.visible(id, reach, std::move(found)));
    };
    tasks().load(id, answer<store::StoredTask>(std::move(take)));
}

void SharedTasks::find(std::string id, Reach reach, Reply<TaskRecord> reply) {
    load(id, std::move(reach), [reply = std::move(reply)](SharedTasks&, Found found) mutable {
        std::move(reply).send(found ? Result<TaskRecord>(std::move(found->task)) : found.error());
    });
}

void SharedTasks::list(std::string owner, std::uint64_t after, std::size_t max, Reply<std::vector<TaskRecord>> reply) {
    using Page = std::vector<store::StoredTask>;
    auto take = [reply = std::move(reply)](SharedTasks&, Result<Page> found) mutable {
        if (!found) return std::move(reply).send(for_client(found.error()));
        std::vector<TaskRecord> out;
        for (store::StoredTask& stored : *found) out.push_back(std::move(stored.task));
        std::move(reply).send(std::move(out));
    };
    tasks().list(std::move(owner), after, max, answer<Page>(std::move(take)));
}

// ---- answers to questions

void SharedTasks::update(std::string id, Reach reach, json::object responses, Reply<void> reply) {
    auto then = [id, responses = std::move(responses), reply = std::move(reply)](SharedTasks& self,
                                                                                 Found found) mutable {
        if (!found) return std::move(reply).send(found.error());
        if (auto ok = core::check_inputs(found->task, responses, self.limits_); !ok)
            return std::move(reply).send(ok.error());
        auto delivered = [id, task = found->task, responses, reply = std::move(reply)](
                             SharedTasks& inner, const Result<void>& done) mutable {
            if (!done) return std::move(reply).send(done.error());
            inner.wait_until_taken(id, task, responses, std::move(reply));
        };
        self.deliver(id, found->task, responses, self.answer<void>(std::move(delivered)));
    };
    load(id, std::move(reach), std::move(then));
}

// Puts the answers into boxes, from which the node that asked takes each once. A full box has an earlier answer.
void SharedTasks::deliver(const std::string& id, const TaskRecord& task, const json::object& responses,
                          Reply<void> reply) {
    for (const auto& [key, response] : responses) {
        if (!task.input_requests.contains(key)) continue;
        json::object rest(responses);
        rest.erase(key);
        auto next = [id, task, rest = std::move(rest), reply = std::move(reply)](SharedTasks& self,
                                                                                 const Result<void>& done) mutable {
            if (!done && !store::is_conflict(done.error())) return std::move(reply).send(for_client(done.error()));
            self.deliver(id, task, rest, std::move(reply));
        };
        const auto kept = std::chrono::ceil<Millis>(std::min<Duration>(limits_.ask_time, std::chrono::hours(24)));
        return sharing_.store->bus().deliver(box(id, key), json::write(response), 2 * kept + lease_time,
                                             answer<void>(std::move(next)));
    }
    std::move(reply).send({});
}

// The next tasks/get must not show a question that was answered, on any node. So the client learns that its answers
// have arrived when the node that asked has written the task without these questions. If that node is gone, the answers
// stay in their boxes.
void SharedTasks::wait_until_taken(const std::string& id, const TaskRecord& task, const json::object& responses,
                                   Reply<void> reply) {
    std::vector<std::string> keys;
    for (const auto& [key, response] : responses)
        if (task.input_requests.contains(key)) keys.emplace_back(key);
    if (keys.empty()) return std::move(reply).send({});
    bool waits = false;
    {
        const std::lock_guard lock(mutex_);
        auto& updates = updates_[id];
        waits = !left_ && updates.size() < core::max_waiting_for_task;
        if (waits) updates.push_back({std::move(keys), std::move(reply), now_ + take_time});
        if (updates.empty()) updates_.erase(id);
    }
    if (!waits) return std::move(reply).send({});
    tasks().load(
        id, answer<store::StoredTask>([id](SharedTasks& self, const Found& found) { self.end_updates(id, found); }));
}

void SharedTasks::end_updates(const std::string& id, const Found& found) {
    const auto is_open = [&](std::string_view key) { return found->task.input_requests.contains(key); };
    end_updates_if(&id, [&](const Update& update) {
        return !found || is_terminal(found->task.status) || std::ranges::none_of(update.keys, is_open);
    });
}

// Looks at the updates of one task, or of all tasks.
template <class F>
void SharedTasks::end_updates_if(const std::string* id, F is_over) {
    std::vector<Reply<void>> replies;  // sent without the lock
    {
        const std::lock_guard lock(mutex_);
        const auto end = id ? updates_.upper_bound(*id) : updates_.end();
        for (auto it = id ? updates_.lower_bound(*id) : updates_.begin(); it != end;) {
            std::erase_if(it->second, [&](Update& update) {
                if (!is_over(update)) return false;
                replies.push_back(std::move(update.reply));
                return true;
            });
            it = it->second.empty() ? updates_.erase(it) : std::next(it);
        }
    }
    for (Reply<void>& reply : replies) std::move(reply).send({});
}

void SharedTasks::end_late_updates() {
    end_updates_if(nullptr, [this](const Update& update) { return left_ || update.until <= now_; });
}

void SharedTasks::listen_for_inputs(const TaskRecord& task) {
    std::vector<std::string> asked;
    std::vector<store::Subscription> over;  // released without the lock
    {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(task.id);
        if (held == held_.end()) return;
        auto& inputs = held->second.inputs;
        for (auto it = inputs.begin(); it != inputs.end();) {
            const auto input = it++;
            if (task.input_requests.contains(input->first)) continue;
            over.push_back(std::move(input->second));
            inputs.erase(input);
        }
        for (const auto& [key, question] : task.input_requests)
            if (inputs.try_emplace(std::string(key)).second) asked.emplace_back(key);
    }
    for (const std::string& key : asked) {
        auto take = [weak = weak_from_this(), id = task.id, key](const std::string& bytes) {
            const auto self = weak.lock();
            auto parsed = json::parse(bytes);
            if (self && parsed) self->sharing_.run([&] { self->hooks_.answered(id, key, *std::move(parsed)); });
        };
        auto subscription = sharing_.store->bus().receive(box(task.id, key), std::move(take));
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(task.id);
        if (held == held_.end()) continue;
        const auto input = held->second.inputs.find(key);
        if (input != held->second.inputs.end()) std::swap(input->second, subscription);
    }
}

// ---- cancelling

/// A request that cancels a task.
struct SharedTasks::Cancelling {
    std::string id;
    Reach reach;
    Reply<CancelledTask> reply;
    int tries = max_conflicts;
};

void SharedTasks::cancel(std::string id, Reach reach, Reply<CancelledTask> reply) {
    try_cancel(std::make_shared<Cancelling>(Cancelling{std::move(id), std::move(reach), std::move(reply)}));
}

void SharedTasks::try_cancel(const std::shared_ptr<Cancelling>& request) {
    load(request->id, request->reach, [request](SharedTasks& self, Found found) {
        if (!found) return std::move(request->reply).send(found.error());
        if (is_terminal(found->task.status))
            return std::move(request->reply).send(CancelledTask{std::move(found->task), true});
        self.take_away(request, *found);
    });
}

// Ends the lease, and takes it. The node that runs the task may extend the lease in between: then this is repeated.
void SharedTasks::take_away(const std::shared_ptr<Cancelling>& request, const store::StoredTask& found) {
    auto ended = [request](SharedTasks& self, const Result<void>& done) {
        if (!done) return self.cancel_failed(request, done.error());
        auto taken = [request](SharedTasks& inner, Found task) {
            if (!task) return inner.cancel_failed(request, task.error());
            inner.write_cancelled(request, *std::move(task));
        };
        self.tasks().take_over(request->id, self.sharing_.node, lease_time,
                               self.answer<store::StoredTask>(std::move(taken)));
    };
    tasks().extend(request->id, found.token, Millis(0), answer<void>(std::move(ended)));
}

void SharedTasks::write_cancelled(const std::shared_ptr<Cancelling>& request, store::StoredTask taken) {
    TaskRecord& task = taken.task;
    if (is_terminal(task.status))  // it ended in between
        return std::move(request->reply).send(CancelledTask{std::move(task), true});
    task.status = TaskStatus::cancelled;
    task.status_message = "the client cancelled the task";
    task.updated = hooks_.clock();
    task.input_requests.clear();
    auto done = [request, task](SharedTasks& self, const Result<void>& written) {
        if (!written) return self.cancel_failed(request, written.error());
        self.announce(task.id);
        std::move(request->reply).send(CancelledTask{task, false});
    };
    tasks().update(task, taken.token, answer<void>(std::move(done)));
}

void SharedTasks::cancel_failed(const std::shared_ptr<Cancelling>& request, const Error& error) {
    const bool raced = store::is_conflict(error) || store::is_fenced(error);
    if (raced && --request->tries > 0) return try_cancel(request);
    if (raced) return std::move(request->reply).send(store::unavailable("the lease of the task changes all the time"));
    const Found failed = visible(request->id, request->reach, error);
    std::move(request->reply).send(failed.error());
}

// ---- waiting for the outcome

// The request is added before the task is loaded: a change after that is announced.
void SharedTasks::wait(std::string id, Reach reach, Reply<HandlerResult> reply) {
    bool full = false;
    {
        const std::lock_guard lock(mutex_);
        auto& waiting = waiting_[id];
        full = waiting.size() >= core::max_waiting_for_task;
        if (!full) waiting.push_back({std::move(reach), std::move(reply)});
    }
    if (full) return std::move(reply).send(core::too_many_waiting());
    tasks().load(id,
                 answer<store::StoredTask>([id](SharedTasks& self, const Found& found) { self.settle(id, found); }));
}

// Answers the requests that wait for a task, if it is over.
void SharedTasks::settle(const std::string& id, const Found& found) {
    std::vector<std::pair<Reply<HandlerResult>, Result<HandlerResult>>> answers;
    {
        const std::lock_guard lock(mutex_);
        const auto waiting = waiting_.find(id);
        if (waiting == waiting_.end()) return;
        std::vector<Waiter> still;
        for (Waiter& waiter : waiting->second) {
            const Found task = visible(id, waiter.reach, found);
            if (task && !is_terminal(task->task.status))
                still.push_back(std::move(waiter));
            else
                answers.emplace_back(std::move(waiter.reply),
                                     task ? core::outcome_of(task->task) : Result<HandlerResult>(task.error()));
        }
        waiting->second = std::move(still);
        if (waiting->second.empty()) waiting_.erase(waiting);
    }
    for (auto& [reply, outcome] : answers) std::move(reply).send(std::move(outcome));
}

// ---- changes on any node

void SharedTasks::start() {
    auto take = [weak = weak_from_this()](std::string_view bytes) {
        if (const auto self = weak.lock()) self->sharing_.run([&] { self->on_message(bytes); });
    };
    auto gap = [weak = weak_from_this()] {
        if (const auto self = weak.lock()) self->sharing_.run([&] { self->on_gap(); });
    };
    auto subscription = sharing_.store->bus().subscribe(std::string(topic), {std::move(take), std::move(gap)});
    const std::lock_guard lock(mutex_);
    subscription_ = std::move(subscription);
}

void SharedTasks::leave() {
    store::Subscription subscription;  // released without the lock
    {
        const std::lock_guard lock(mutex_);
        left_ = true;
        std::swap(subscription, subscription_);
    }
    end_late_updates();
}

void SharedTasks::announce(const std::string& id) {
    auto done = [id](SharedTasks& self, const Result<void>& published) {
        if (published) return;
        const std::lock_guard lock(self.mutex_);
        if (self.unannounced_.size() < max_unannounced) self.unannounced_.insert(id);
    };
    sharing_.store->bus().publish(std::string(topic), json::write(json::object{{"id", id}}),
                                  answer<void>(std::move(done)));
}

void SharedTasks::on_message(std::string_view bytes) {
    const auto parsed = json::parse(bytes);
    const json::object* o = parsed ? parsed->if_object() : nullptr;
    const json::value* id = o ? o->if_contains("id") : nullptr;
    if (id && id->is_string()) refresh(std::string(id->get_string()));
}

// Announcements may have been lost. A lease that was taken away is noticed when it is extended.
void SharedTasks::on_gap() {
    std::set<std::string> ids = hooks_.listened();
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, waiters] : waiting_) ids.insert(id);
        for (const auto& [id, updates] : updates_) ids.insert(id);
    }
    for (const std::string& id : ids) refresh(id);
}

void SharedTasks::refresh(const std::string& id) {
    bool needed = hooks_.has_sessions();
    {
        const std::lock_guard lock(mutex_);
        needed = needed || waiting_.contains(id) || held_.contains(id) || updates_.contains(id);
    }
    if (!needed) return;
    tasks().load(id,
                 answer<store::StoredTask>([id](SharedTasks& self, const Found& found) { self.refreshed(id, found); }));
}

void SharedTasks::refreshed(const std::string& id, const Found& found) {
    bool lost = false;
    {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(id);
        lost = found && held != held_.end() && held->second.token != 0 && held->second.token < found->token;
    }
    if (lost) lose(id, &found->task);
    if (found) hooks_.tell(found->task);
    settle(id, found);
    end_updates(id, found);
}

}  // namespace tenon
