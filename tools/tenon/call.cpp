// tenon call: calls a tool.
#include <unistd.h>

#include "commands.hpp"
#include "content.hpp"
#include "json_text.hpp"
#include "listing.hpp"
#include "permission.hpp"
#include "terminal.hpp"
#include "tool_result.hpp"
#include "trust.hpp"
#include "typed_arguments.hpp"

namespace tenon::program {
namespace {

// The arguments before the tool's schema is known: KEY=VALUE words, or one whole object.
struct GivenArguments {
    std::vector<std::string> words = {};
    std::optional<json::object> whole = {};
};

json::object object_of(const std::string& text, const std::string& where) {
    auto v = json::parse(text);
    if (!v) throw usage_failure(where + " is not JSON: " + v.error().message);
    if (!v->is_object()) throw usage_failure(where + " is not a JSON object", "write {\"KEY\": VALUE, ...}");
    return std::move(v->get_object());
}

std::string read_or_fail(const Result<std::string>& text, const std::string& where) {
    if (!text) throw usage_failure("cannot read " + where + ": " + text.error().message);
    return *text;
}

// Reads the arguments before a server is started, so a missing file fails early.
GivenArguments arguments_given(const std::vector<std::string>& words) {
    if (words.empty()) return {};
    const std::string& first = words.front();
    const bool whole = first == "-" || first.starts_with('@') || first.starts_with('{');
    if (!whole) return {words, {}};
    if (words.size() > 1)
        throw usage_failure("`" + words[1] + "` cannot be combined with arguments in one JSON object");
    if (first == "-")
        return {{}, object_of(read_or_fail(read_whole_input(STDIN_FILENO), "standard input"), "standard input")};
    if (first.starts_with('{')) return {{}, object_of(first, "the argument")};
    const std::string file = first.substr(1);
    return {{}, object_of(read_or_fail(read_whole_file(file), file), file)};
}

void confirm(const Tool& tool, const json::object& arguments, Permission& permission, Session& session,
             Console& console) {
    if (permission.given(tool)) return;
    if (!has_terminal())
        throw usage_failure("you never allowed `" + tool.name + "`, and there is no terminal to ask on",
                            "--yes calls any tool without asking, --allow " + tool.name + " only this one");
    Terminal terminal(console, session.interrupt().token());
    permission.ask(tool, arguments, terminal);
}

Status call_for_json(Session& session, const Tool& tool, json::object arguments, Console& console) {
    const Status status = show_json_result(session.with_client([&](Client& client) {
        return without_envelope(client.request("tools/call", {{"name", tool.name}, {"arguments", std::move(arguments)}},
                                               with_progress(session.call_options(), session.settings(), console)));
    }),
                                           console);
    if (status != Status::ok) session.fail_if_unanswered();
    return status;
}

Status call_for_people(Session& session, const Tool& tool, json::object arguments, Keeper& keeper, Console& console) {
    const ToolResult result = session.with_client([&](Client& client) {
        return client.call_tool(tool.name, std::move(arguments),
                                with_progress(session.call_options(), session.settings(), console));
    });
    if (result.isError) session.fail_if_unanswered();  // the tool only repeats it
    return show_result(result, tool.name, session.settings(), keeper, console);
}

// Starts a task and prints its id. A tool that did not become a task has ended, so its result is shown.
Status start_only(Session& session, const Tool& tool, json::object arguments, Keeper& keeper, Console& console) {
    const ClientTask task = session.with_client(
        [&](Client& client) { return client.start_tool(tool.name, std::move(arguments), session.call_options()); });
    if (task.id().empty()) {
        const ToolResult result = session.with_client([&](Client&) { return task.result(); });
        return show_result(result, tool.name, session.settings(), keeper, console);
    }
    console.print([&](Out& out) {
        if (session.settings().json)
            out << compact_json(json::object{{"taskId", task.id()}}) << "\n";
        else
            out << safe_line(task.id()) << "\n";
    });
    return Status::ok;
}

}  // namespace

Status run_call(const CommandLine& line, Console& console) {
    std::vector<std::string> words = line.words;
    const Target target = take_target(line, words, approval(line, console));
    if (words.empty()) throw usage_failure("TOOL is missing", "`tenon list TARGET tools` lists the tools");
    const std::string name = words.front();
    words.erase(words.begin());
    const GivenArguments given = arguments_given(words);
    const Settings settings = settings_of(line);
    Keeper keeper(line);
    Permission permission(line, target);

    Session session(target, settings, console);
    const Tool tool = find_tool(session, name);
    json::object arguments = given.whole ? *given.whole : typed_arguments(given.words, tool.inputSchema);
    check_arguments(arguments, tool.inputSchema);
    confirm(tool, arguments, permission, session, console);
    if (line.has("detach")) return start_only(session, tool, std::move(arguments), keeper, console);
    if (settings.json) return call_for_json(session, tool, std::move(arguments), console);
    return call_for_people(session, tool, std::move(arguments), keeper, console);
}

}  // namespace tenon::program
