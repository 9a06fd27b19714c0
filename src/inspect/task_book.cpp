#include "inspect/task_book.hpp"

#include "protocol/write.hpp"

namespace tenon::inspect {

TaskBook::TaskBook(Session& session, Calls& calls, Recorder& recorder)
    : session_(session), calls_(calls), recorder_(recorder) {
    calls_.on_task = [this](Link&, const ClientTask& task, const std::string& tool, const std::string& call) {
        {
            const std::lock_guard lock(mutex_);
            if (known_.size() >= max_tasks) known_.erase(known_.begin());
            known_.insert_or_assign(task.id(), Known{tool, call});
        }
        try {
            tell(task.poll());
        } catch (const Exception&) {  // the task exists nevertheless; the page asks again
        }
    };
}

json::object TaskBook::describe(const TaskInfo& info) const {
    json::object out = {
        {"task", info.id},         {"status", to_string(info.status)}, {"message", info.status_message},
        {"created", info.created}, {"updated", info.updated},          {"questions", info.input_requests}};
    if (info.ttl) out["ttl_ms"] = info.ttl->count();
    if (info.poll_interval) out["poll_ms"] = info.poll_interval->count();
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(info.id); known != known_.end()) {
        out["tool"] = known->second.tool;
        out["call"] = known->second.call;
    }
    return out;
}

json::object TaskBook::tell(const TaskInfo& info) {
    json::object data = describe(info);
    recorder_.tell("task", data);
    return data;
}

json::object TaskBook::list() {
    const auto link = session_.ready();
    json::array tasks;
    std::set<std::string> listed;
    json::object out;
    try {
        for (const TaskInfo& info : link->client->list_tasks()) {
            listed.insert(info.id);
            tasks.push_back(describe(info));
        }
    } catch (const Exception& e) {
        if (e.error().code != code::method_not_found) out["problem"] = e.error().message;
    }
    std::map<std::string, Known> known;
    {
        const std::lock_guard lock(mutex_);
        known = known_;
    }
    for (const auto& [id, task] : known) {
        if (listed.contains(id)) continue;
        try {
            tasks.push_back(describe(link->client->task(id).poll()));
        } catch (const Exception&) {  // the server has forgotten it
            const std::lock_guard lock(mutex_);
            known_.erase(id);
        }
    }
    out["tasks"] = std::move(tasks);
    return out;
}

json::object TaskBook::get(const std::string& id) { return tell(session_.ready()->client->task(id).poll()); }

json::object TaskBook::cancel(const std::string& id) {
    const ClientTask task = session_.ready()->client->task(id);
    task.cancel();
    return tell(task.poll());
}

json::object TaskBook::provide_input(const std::string& id, json::object responses) {
    session_.ready()->client->task(id).provide_input(std::move(responses));
    return {};
}

json::object TaskBook::result(const std::string& id) {
    CallPlan plan;
    plan.kind = "task";
    plan.name = id;
    return calls_.start_work(std::move(plan), [this, id](Link& link, const CallOptions& options, json::object& data) {
        data["task"] = id;
        const ClientTask task = link.client->task(id);
        const ToolResult result = task.result(options);
        tell(task.poll());
        const protocol::Rules rules(protocol::newest_revision);
        return json::parse(protocol::encode(result, rules).json).value();
    });
}

void TaskBook::forget_all() {
    const std::lock_guard lock(mutex_);
    known_.clear();
}

}  // namespace tenon::inspect
