// The tasks/ methods, and the decision which calls become tasks. A TaskDesk has the tasks, since they outlive the
// engine. Each method returns a Job, because tasks are changed outside the lock of the session.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/server/peer_identity.hpp"
#include "core/server/settings.hpp"

namespace tenon::core {

/// The tasks/ methods for one peer. Changes nothing itself. Not thread-safe, but its jobs may run on any thread.
class TaskMethods {
 public:
    /// `peer` must outlive this object. It may change between calls.
    TaskMethods(std::shared_ptr<const Settings> settings, const PeerIdentity& peer)
        : settings_(std::move(settings)), peer_(peer) {}

    Result<Job> get(const Call& call) const;
    Result<Job> update(const Call& call) const;
    Result<Job> cancel(const Call& call) const;
    Result<Job> result(const Call& call) const;
    Result<Job> list(const Call& call) const;

    /// Returns the conditions for this tool call to become a task; nullopt when it stays a plain call; an error when
    /// the tool and the request disagree.
    Result<std::optional<TaskTerms>> terms(const Call& call, const ToolEntry& entry) const;
    /// Returns the response to a call that became this task.
    Encoded created(const Call& call, const TaskRecord& task) const;
    /// Returns the ids of the tasks that a `subscriptions/listen` names, each once.
    Result<std::vector<std::string>> listened_ids(const Call& call) const;
    /// Returns those tasks that the request may see. Not for tasks in a store.
    std::vector<TaskRecord> look_up(const Call& call, const std::vector<std::string>& ids) const;
    /// A legacy request sees the tasks of its principal or session. A modern request of an anonymous caller also sees
    /// tasks without an owner.
    Reach reach(const Call& call) const;
    /// Returns the owner of tasks that legacy requests of this peer create.
    const std::string& session_owner() const;

 private:
    using Method = std::function<void(TaskDesk&, const std::string& id, const Reach&, Reply<HandlerResult>)>;

    Result<Job> with_task(const Call& call, Method method) const;
    Result<void> may_use(const Call& call) const;

    std::shared_ptr<const Settings> settings_;
    const PeerIdentity& peer_;
};

}  // namespace tenon::core
