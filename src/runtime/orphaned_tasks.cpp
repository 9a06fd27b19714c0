// Tasks whose node is gone: another node ends them, so that no client waits for ever.
#include "runtime/shared_tasks.hpp"

namespace tenon {

// A task is taken over when two searches found it. So a node that could not reach the store for a while, like all
// others, has time to extend its leases.
void SharedTasks::find_orphans(TimePoint now) {
    {
        const std::lock_guard lock(mutex_);
        if (searched_ && now - *searched_ < lease_interval) return;
        searched_ = now;
    }
    using Ids = std::vector<std::string>;
    auto take = [](SharedTasks& self, const Result<Ids>& found) {
        Ids again;
        {
            const std::lock_guard lock(self.mutex_);
            std::set<std::string> seen;
            for (const std::string& id : found ? *found : Ids()) {
                if (self.held_.contains(id)) continue;  // it runs here, and its lease is about to be extended
                if (self.seen_.contains(id)) again.push_back(id);
                seen.insert(id);
            }
            self.seen_ = std::move(seen);
        }
        for (const std::string& id : again) self.take_over(id);
    };
    tasks().orphans(max_orphans, answer<Ids>(std::move(take)));
}

// Of several nodes that try it, one succeeds.
void SharedTasks::take_over(const std::string& id) {
    auto taken = [id](SharedTasks& self, Found found) {
        if (found) return self.fail_orphan(*std::move(found));
        if (store::is_corrupt(found.error())) self.remove(id);  // it can neither run nor be shown
    };
    tasks().take_over(id, sharing_.node, lease_time, answer<store::StoredTask>(std::move(taken)));
}

// If this write fails, the lease runs out again, and a node repeats it.
void SharedTasks::fail_orphan(store::StoredTask taken) {
    TaskRecord& task = taken.task;
    if (is_terminal(task.status)) return;
    task.status = TaskStatus::failed;
    task.status_message = "the node that ran the task has stopped or cannot be reached";
    task.error = Error{code::internal_error, "Internal error: " + task.status_message};
    task.updated = hooks_.clock();
    task.input_requests.clear();
    auto done = [id = task.id](SharedTasks& self, const Result<void>& written) {
        if (!written) return;
        self.hooks_.note(LogLevel::warning, "a task failed because its node is gone");
        self.announce(id);
    };
    tasks().update(task, taken.token, answer<void>(std::move(done)));
}

}  // namespace tenon
