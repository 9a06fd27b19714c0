// tenon tasks: lists the tasks of a server, shows or cancels one, or waits for its result.
#include <algorithm>

#include "commands.hpp"
#include "content.hpp"
#include "json_text.hpp"
#include "layout.hpp"
#include "near.hpp"
#include "session.hpp"
#include "tool_result.hpp"
#include "trust.hpp"

namespace tenon::program {
namespace {

json::object task_json(const TaskInfo& task) {
    json::object out{{"taskId", task.id}, {"status", to_string(task.status)}};
    if (!task.status_message.empty()) out.emplace("statusMessage", task.status_message);
    if (!task.created.empty()) out.emplace("createdAt", task.created);
    if (!task.updated.empty()) out.emplace("lastUpdatedAt", task.updated);
    if (task.ttl) out.emplace("ttlMs", task.ttl->count());
    if (task.result) out.emplace("result", *task.result);
    if (task.error) out.emplace("error", json::object{{"code", task.error->code}, {"message", task.error->message}});
    return out;
}

std::vector<SafeText> row_of(const TaskInfo& task) {
    return {safe_line(task.id), safe_line(to_string(task.status)), safe_line(task.created),
            safe_line(task.status_message)};
}

void show_tasks(const std::vector<TaskInfo>& tasks, bool as_json, Console& console) {
    if (as_json) {
        json::array all;
        for (const TaskInfo& task : tasks) all.emplace_back(task_json(task));
        return console.print([&](Out& out) { out << compact_json(json::object{{"tasks", std::move(all)}}) << "\n"; });
    }
    Table table{{{"TASK", Look::bold}, {"STATUS"}, {"CREATED"}, {"MESSAGE"}}, {}};
    for (const TaskInfo& task : tasks) table.rows.push_back(row_of(task));
    if (!table.rows.empty()) console.print([&](Out& out) { write_table(out, table); });
}

void show_task(const TaskInfo& task, bool as_json, Console& console) {
    if (!as_json) return show_tasks({task}, false, console);
    console.print([&](Out& out) { out << compact_json(task_json(task)) << "\n"; });
}

}  // namespace

Status run_tasks(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    const std::vector<std::string> actions = {"list", "show", "result", "cancel"};
    const std::string action = words.empty() ? "list" : words[0];
    if (std::ranges::find(actions, action) == actions.end())
        throw usage_failure("`tenon tasks` cannot `" + action + "`", suggestion(action, actions));
    if (action != "list" && words.size() < 2)
        throw usage_failure("the ID of the task is missing", "`tenon call --detach` prints it");
    const Settings settings = settings_of(line);
    Keeper keeper(line);
    Session session(target, settings, console);
    if (action == "list") {
        show_tasks(session.with_client([&](Client& client) { return client.list_tasks(session.call_options()).all(); }),
                   settings.json, console);
        return Status::ok;
    }
    const ClientTask task = session.with_client([&](Client& client) { return client.task(words[1]); });
    if (action == "result") {
        const ToolResult result = session.with_client(
            [&](Client&) { return task.result(with_progress(session.call_options(), settings, console)); });
        return show_result(result, "the task", settings, keeper, console);
    }
    if (action == "cancel") session.with_client([&](Client&) { task.cancel(session.call_options()); });
    show_task(session.with_client([&](Client&) { return task.poll(session.call_options()); }), settings.json, console);
    return Status::ok;
}

}  // namespace tenon::program
