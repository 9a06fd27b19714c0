// The tasks that this node runs: they are created in the store, every change is written, and their leases are extended.
#include "runtime/shared_tasks.hpp"

namespace tenon {

// ---- beginning

/// A task that is being created, and what the store says about it.
struct SharedTasks::Creation {
    Creation(TaskRecord record, Reply<void> to) : task(std::move(record)), reply(std::move(to)) {}
    /// Notes one of three answers. Returns whether it was the last.
    template <class F>
    bool note(F&& f) {
        const std::lock_guard lock(mutex);
        f();
        return --open == 0;
    }

    const TaskRecord task;
    Reply<void> reply;
    std::mutex mutex;
    int open = 3;
    Found stored = Error{};
    Result<std::size_t> of_owner = std::size_t{0}, of_all = std::size_t{0};
};

// Counts after the task was added, so that nodes that create tasks at the same time cannot exceed a limit. The three
// operations are on their way together.
void SharedTasks::create(TaskRecord task, Reply<void> reply) {
    {
        const std::lock_guard lock(mutex_);
        held_.try_emplace(task.id);
    }
    const auto creation = std::make_shared<Creation>(std::move(task), std::move(reply));
    const TaskRecord& record = creation->task;
    tasks().create(record, sharing_.node, lease_time,
                   answer<store::StoredTask>([creation](SharedTasks& self, Found stored) {
                       if (creation->note([&] { creation->stored = std::move(stored); })) self.created(*creation);
                   }));
    tasks().count(record.owner, answer<std::size_t>([creation](SharedTasks& self, Result<std::size_t> count) {
                      if (creation->note([&] { creation->of_owner = std::move(count); })) self.created(*creation);
                  }));
    tasks().size(answer<std::size_t>([creation](SharedTasks& self, Result<std::size_t> count) {
        if (creation->note([&] { creation->of_all = std::move(count); })) self.created(*creation);
    }));
}

void SharedTasks::created(Creation& creation) {
    const TaskRecord& task = creation.task;
    Result<void> outcome;
    if (!creation.stored)
        outcome = creation.stored.error();
    else if (!creation.of_owner)
        outcome = creation.of_owner.error();
    else if (!creation.of_all)
        outcome = creation.of_all.error();
    else if (*creation.of_all > limits_.max_tasks)
        outcome = core::too_many_tasks(limits_);
    else if (!task.owner.empty() && *creation.of_owner > limits_.max_tasks_per_owner)
        outcome = core::too_many_tasks_of_owner(limits_);
    if (!outcome) {
        remove(task.id);
        if (!store::is_unavailable(outcome.error()) && outcome.error().limit == LimitName::none)
            outcome = Error{code::internal_error, "Internal error: the task cannot be stored"};
        return std::move(creation.reply).send(std::move(outcome));
    }
    {
        const std::lock_guard lock(mutex_);
        if (const auto held = held_.find(task.id); held != held_.end()) {
            held->second.token = creation.stored->token;
            held->second.extended = now_;
        }
    }
    std::move(creation.reply).send({});
    write(task.id);
}

void SharedTasks::remove(const std::string& id) {
    gone(id);
    tasks().remove(id, answer<bool>([](SharedTasks&, const Result<bool>&) {}));
}

void SharedTasks::gone(const std::string& id) {
    std::optional<Held> over;  // released without the lock
    const std::lock_guard lock(mutex_);
    if (const auto held = held_.find(id); held != held_.end()) {
        over = std::move(held->second);
        held_.erase(held);
    }
}

// ---- writing

// One write of a task is on its way at a time. Later changes wait, and only the newest of them is written.
void SharedTasks::changed(const TaskRecord& task, bool quiet) {
    {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(task.id);
        if (held == held_.end()) return;
        held->second.pending = task;
        held->second.announce |= !quiet;
    }
    listen_for_inputs(task);
    write(task.id);
}

void SharedTasks::write(const std::string& id) {
    std::optional<TaskRecord> task;
    store::Token token = 0;
    bool tell = false, at_once = false;
    {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(id);
        if (held == held_.end() || held->second.token == 0 || held->second.writing || !held->second.pending) return;
        held->second.writing = true;
        task.swap(held->second.pending);
        token = held->second.token;
        tell = std::exchange(held->second.announce, false);
        at_once = left_;
    }
    auto done = [task = *task, tell, at_once](SharedTasks& self, const Result<void>& result) {
        self.wrote(task, tell && !at_once, result);
    };
    tasks().update(*std::move(task), token, answer<void>(std::move(done)));
    if (tell && at_once) announce(id);
}

void SharedTasks::wrote(TaskRecord task, bool announced, const Result<void>& result) {
    if (!result && store::is_unavailable(result.error())) return write_again(std::move(task), announced);
    if (!result && (store::is_fenced(result.error()) || store::is_not_found(result.error())))
        return refresh_lost(task.id);
    if (!result && task.result.empty()) return lose(task.id, nullptr);
    if (!result) {  // the store refuses this record: clients learn that there is no result
        hooks_.note(LogLevel::error, "the store refuses the result of a task: " + result.error().message);
        task.status = TaskStatus::failed;
        task.result.clear();
        task.error = Error{code::internal_error, "Internal error: the store cannot keep the result of the task"};
        task.status_message = task.error->message;
        write_again(task, announced);
        return write(task.id);
    }
    bool more = false;
    std::optional<Held> over;  // released without the lock
    {
        const std::lock_guard lock(mutex_);
        const auto held = held_.find(task.id);
        if (held != held_.end()) {
            held->second.writing = false;
            more = held->second.pending.has_value();
            if (!more && is_terminal(task.status)) {
                over = std::move(held->second);
                held_.erase(held);
            }
        }
    }
    if (announced) announce(task.id);
    if (over) hooks_.stored(task.id);
    if (more) write(task.id);
}

// Keeps a record that could not be written, unless there is a newer one. tick() writes it.
void SharedTasks::write_again(TaskRecord task, bool announced) {
    const std::lock_guard lock(mutex_);
    const auto held = held_.find(task.id);
    if (held == held_.end()) return;
    held->second.writing = false;
    held->second.announce |= announced;
    if (!held->second.pending) held->second.pending = std::move(task);
}

// ---- losing a task

// Another node has the task now, or it has expired: asks the store which, for the log and the observers.
void SharedTasks::refresh_lost(const std::string& id) {
    tasks().load(id, answer<store::StoredTask>([id](SharedTasks& self, const Found& found) {
                     self.lose(id, found ? &found->task : nullptr);
                 }));
}

void SharedTasks::lose(const std::string& id, const TaskRecord* now_is) {
    gone(id);
    if (now_is && now_is->status == TaskStatus::cancelled)
        return hooks_.lost(id, OperationEnd::cancelled, "the client cancelled the task");
    hooks_.lost(id, OperationEnd::protocol_error,
                now_is ? "another node took the task over" : "the task has expired, or was removed from the store");
}

// ---- time

void SharedTasks::tick(TimePoint now) {
    {
        const std::lock_guard lock(mutex_);
        now_ = now;
        if (left_) return;
    }
    end_late_updates();
    extend_leases(now);
    repeat_failed();
    find_orphans(now);
}

void SharedTasks::extend_leases(TimePoint now) {
    std::vector<std::pair<std::string, store::Token>> due;
    {
        const std::lock_guard lock(mutex_);
        for (auto& [id, held] : held_) {
            if (held.token == 0 || (held.extended && now - *held.extended < lease_interval)) continue;
            if (due.size() >= max_extensions) break;
            held.extended = now;
            due.emplace_back(id, held.token);
        }
    }
    for (const auto& [id, token] : due)
        tasks().extend(id, token, lease_time, answer<void>([id = id](SharedTasks& self, const Result<void>& result) {
                           if (result || store::is_unavailable(result.error())) return;
                           self.refresh_lost(id);
                       }));
}

void SharedTasks::repeat_failed() {
    std::vector<std::string> unwritten;
    std::set<std::string> untold;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, held] : held_)
            if (held.pending && !held.writing) unwritten.push_back(id);
        untold.swap(unannounced_);
    }
    for (const std::string& id : unwritten) write(id);
    for (const std::string& id : untold) announce(id);
}

}  // namespace tenon
