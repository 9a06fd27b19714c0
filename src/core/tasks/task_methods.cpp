#include "core/tasks/task_methods.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/cursor.hpp"
#include "json/reader.hpp"
#include "protocol/write_task.hpp"

namespace tenon::core {

using protocol::Trait;

namespace {

constexpr char cursor_kind = 'k';

Error needs_extension() {
    return {code::missing_capability,
            "the client did not declare the extension `" + std::string(protocol::tasks_extension) + "`",
            json::object{{"requiredCapabilities",
                          json::object{{"extensions", json::object{{protocol::tasks_extension, json::object()}}}}}}};
}

Error not_as_task(const std::string& name, bool required) {
    return {code::method_not_found, "Method not found: the tool `" + name +
                                        (required ? "` can only be called as a task: add `task` to the parameters"
                                                  : "` cannot be called as a task: leave `task` out")};
}

Encoded encode_task(const TaskRecord& task, std::chrono::milliseconds poll, const protocol::Rules& rules) {
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    protocol::write_task_members(w, task, poll, rules);
    w.end_object();
    return out;
}

// Makes a Reply<From> that encodes its value for the client.
template <class From, class Encode>
Reply<From> answering(Reply<HandlerResult> reply, Encode encode) {
    return make_reply<From>([reply = std::move(reply), encode = std::move(encode)](Result<From> from) mutable {
        std::move(reply).send(from ? Result<HandlerResult>(encode(*from)) : Result<HandlerResult>(from.error()));
    });
}

// `tasks` may have one more than the page: then there is another page.
Encoded encode_page(const Settings& settings, const std::vector<TaskRecord>& tasks, std::size_t page,
                    const protocol::Rules& rules) {
    Encoded out;
    json::Writer w(out.json);
    w.begin_object();
    w.key("tasks");
    w.begin_array();
    const std::size_t shown = std::min(tasks.size(), page);
    for (std::size_t i = 0; i < shown; ++i)
        w.raw(encode_task(tasks[i], settings.limits.task_poll_interval, rules).json);
    w.end_array();
    if (tasks.size() > shown && shown > 0)
        w.field("nextCursor", settings.cursors.close(cursor_kind, tasks[shown - 1].order));
    w.end_object();
    return out;
}

}  // namespace

const std::string& TaskMethods::session_owner() const {
    return peer_.principal.empty() ? peer_.session : peer_.principal;
}

Reach TaskMethods::reach(const Call& call) const {
    if (call.peer->rules.is_legacy()) return {session_owner(), session_owner()};
    return {peer_.principal, session_owner()};
}

Result<void> TaskMethods::may_use(const Call& call) const {
    if (!call.peer->rules.has(Trait::tasks_extension)) return {};
    if (call.peer->capabilities.has_extension(protocol::tasks_extension)) return {};
    return needs_extension();
}

// ---- becoming a task

Result<std::optional<TaskTerms>> TaskMethods::terms(const Call& call, const ToolEntry& entry) const {
    const protocol::Rules& rules = call.peer->rules;
    const Tool& tool = entry.definition;
    const bool required = tool.task == TaskSupport::required;
    const auto terms_for = [&](const std::string& owner) {
        return TaskTerms{owner, settings_->limits.task_ttl, entry.time, peer_.account};
    };
    if (rules.has(Trait::tasks_extension)) {
        if (tool.task == TaskSupport::forbidden || !call.peer->declared.tasks) return std::optional<TaskTerms>();
        if (auto ok = may_use(call); !ok)
            return required ? Result<std::optional<TaskTerms>>(ok.error()) : std::optional<TaskTerms>();
        return std::optional(terms_for(peer_.principal));
    }
    json::Reader r(call.params, "params");
    const bool asked = rules.has(Trait::task_requests) && call.peer->declared.tasks && call.params.contains("task");
    if (asked ? tool.task == TaskSupport::forbidden : required) return not_as_task(tool.name, required);
    if (!asked) return std::optional<TaskTerms>();
    json::Reader t(r.object("task"), "params.task");
    const auto ttl = t.optional_number("ttl");
    if (ttl && !(*ttl >= 0)) t.complain("ttl", "a number of milliseconds");
    if (!r.ok()) return r.error();
    if (!t.ok()) return t.error();
    TaskTerms terms = terms_for(session_owner());
    // A task with a shorter time to live could expire before the first poll.
    const auto shortest = static_cast<double>(settings_->limits.task_poll_interval.count());
    if (ttl && *ttl < static_cast<double>(settings_->limits.max_task_ttl.count())) {
        terms.ttl = std::chrono::milliseconds(std::llround(std::max(*ttl, shortest)));
    } else if (ttl) {
        terms.ttl = settings_->limits.max_task_ttl;
    }
    return std::optional(terms);
}

Encoded TaskMethods::created(const Call& call, const TaskRecord& task) const {
    return protocol::encode_created_task(task, settings_->limits.task_poll_interval, call.peer->rules);
}

Result<std::vector<std::string>> TaskMethods::listened_ids(const Call& call) const {
    const Limits& limits = settings_->limits;
    json::Reader r(call.params, "params");
    json::Reader f(r.object("notifications"), "params.notifications");
    const json::array* ids = f.optional_array("taskIds");
    if (!f.ok()) return f.error();
    std::vector<std::string> found;
    if (!ids || ids->empty() || !call.peer->declared.tasks) return found;
    if (auto ok = may_use(call); !ok) return ok.error();
    if (ids->size() > limits.max_subscriptions)
        f.complain("taskIds", "at most " + std::to_string(limits.max_subscriptions) + " ids");
    std::set<std::string_view> seen;
    for (const json::value& id : *ids) {
        if (!id.is_string()) f.complain("taskIds", "an array of strings");
        if (!f.ok()) return f.error();
        if (seen.insert(id.get_string()).second) found.emplace_back(id.get_string());
    }
    return found;
}

std::vector<TaskRecord> TaskMethods::look_up(const Call& call, const std::vector<std::string>& ids) const {
    std::vector<TaskRecord> found;
    for (const std::string& id : ids)
        if (auto task = settings_->tasks->look_up(id, reach(call))) found.push_back(*std::move(task));
    return found;
}

// ---- the methods

Result<Job> TaskMethods::with_task(const Call& call, Method method) const {
    if (auto ok = may_use(call); !ok) return ok.error();
    json::Reader r(call.params, "params");
    const std::string id = r.string("taskId");
    if (!r.ok()) return r.error();
    return Job([settings = settings_, id, reach = reach(call), method = std::move(method)](
                   Context&, Reply<HandlerResult> reply) { method(*settings->tasks, id, reach, std::move(reply)); });
}

Result<Job> TaskMethods::get(const Call& call) const {
    return with_task(call, [poll = settings_->limits.task_poll_interval, rules = call.peer->rules](
                               TaskDesk& tasks, const std::string& id, const Reach& reach, Reply<HandlerResult> reply) {
        tasks.find(id, reach, answering<TaskRecord>(std::move(reply), [poll, rules](const TaskRecord& task) {
                       return HandlerResult{encode_task(task, poll, rules)};
                   }));
    });
}

Result<Job> TaskMethods::update(const Call& call) const {
    json::Reader r(call.params, "params");
    json::object responses(r.object("inputResponses"), json::storage_ptr());  // on the heap: outlives this request
    if (auto ok = may_use(call); !ok) return ok.error();
    if (!r.ok()) return r.error();
    return with_task(call, [responses = std::move(responses)](TaskDesk& tasks, const std::string& id,
                                                              const Reach& reach, Reply<HandlerResult> reply) {
        tasks.update(id, reach, responses, make_reply<void>([reply = std::move(reply)](Result<void> ok) mutable {
                         std::move(reply).send(ok ? Result<HandlerResult>(Encoded{"{}"}) : ok.error());
                     }));
    });
}

Result<Job> TaskMethods::cancel(const Call& call) const {
    return with_task(call, [poll = settings_->limits.task_poll_interval, rules = call.peer->rules](
                               TaskDesk& tasks, const std::string& id, const Reach& reach, Reply<HandlerResult> reply) {
        auto encode = [poll, rules](const CancelledTask& cancelled) -> Result<HandlerResult> {
            if (rules.has(Trait::tasks_extension)) return HandlerResult{Encoded{"{}"}};
            if (!cancelled.was_over) return HandlerResult{encode_task(cancelled.task, poll, rules)};
            return Error{code::invalid_params,
                         "Cannot cancel the task: it is " + std::string(to_string(cancelled.task.status)) + " already"};
        };
        tasks.cancel(id, reach, answering<CancelledTask>(std::move(reply), std::move(encode)));
    });
}

Result<Job> TaskMethods::result(const Call& call) const {
    return with_task(call, [](TaskDesk& tasks, const std::string& id, const Reach& reach, Reply<HandlerResult> reply) {
        tasks.wait(id, reach, std::move(reply));
    });
}

Result<Job> TaskMethods::list(const Call& call) const {
    json::Reader r(call.params, "params");
    const auto cursor = r.optional_string("cursor");
    const auto after = cursor ? settings_->cursors.open(cursor_kind, *cursor) : std::uint64_t{0};
    if (!after) r.complain("cursor", "the `nextCursor` of an earlier answer to " + call.method);
    if (!r.ok()) return r.error();
    return Job([settings = settings_, after = *after, owner = session_owner(), rules = call.peer->rules](
                   Context&, Reply<HandlerResult> reply) {
        const std::size_t page = settings->limits.page_size;
        auto encode = [settings, page, rules](const std::vector<TaskRecord>& tasks) {
            return HandlerResult{encode_page(*settings, tasks, page, rules)};
        };
        settings->tasks->list(owner, after, page + 1,
                              answering<std::vector<TaskRecord>>(std::move(reply), std::move(encode)));
    });
}

}  // namespace tenon::core
