// tenon call: calls a tool.
#include <unistd.h>

#include <algorithm>

#include "commands.hpp"
#include "content.hpp"
#include "describe.hpp"
#include "json_text.hpp"
#include "listing.hpp"
#include "progress_line.hpp"
#include "terminal.hpp"
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

void confirm(const Tool& tool, const json::object& arguments, const CommandLine& line, Session& session,
             Console& console) {
    if (tool.annotations.readOnlyHint.value_or(false) || line.has("yes")) return;
    if (!has_terminal())
        throw usage_failure("`" + tool.name + "` is not marked read-only, and there is no terminal to ask on",
                            "--yes calls it without asking");
    Terminal terminal(console, session.interrupt().token());
    const bool destroys = tool.annotations.destructiveHint.value_or(true);
    terminal.say({{Look::bold, safe_line(tool.name)},
                  {Look::plain, destroys ? Literal(" may change or destroy things. It gets:")
                                         : Literal(" may add or change things. It gets:")}});
    say_quoted(terminal, pretty_json(arguments).view());
    if (!ask_yes_or_no(terminal, SafeText("Call it?"), false)) throw Failure(Status::interrupted, "not called");
}

CallOptions with_progress(CallOptions options, const Settings& settings, Console& console) {
    if (settings.quiet || !console.notes_facts().terminal) return options;
    options.on_progress = [&console, turn = std::size_t{0}](const Progress& progress) mutable {
        console.bar(progress_line(progress, turn++, console.notes_facts().width));
    };
    return options;
}

Status show_json(Session& session, const Tool& tool, json::object arguments, Console& console) {
    json::object result = session.with_client([&](Client& client) {
        return without_envelope(client.request("tools/call", {{"name", tool.name}, {"arguments", std::move(arguments)}},
                                               with_progress(session.call_options(), session.settings(), console)));
    });
    if (!result.contains("isError")) result.emplace("isError", false);
    console.bar({});
    console.print([&](Out& out) { out << compact_json(result) << "\n"; });
    return result.at("isError") == json::value(true) ? Status::tool_error : Status::ok;
}

bool has_text(const ToolResult& result) {
    return std::ranges::any_of(result.content, [](const Content& c) { return std::holds_alternative<TextContent>(c); });
}

bool show_result(const ToolResult& result, const Tool& tool, Keeper& keeper, Out& out) {
    ContentWriter writer(out, keeper, tool.name);
    for (const Content& content : result.content) writer.write(content);
    if (result.structuredContent && !has_text(result)) writer.write(*result.structuredContent);
    return writer.dropped_bytes();
}

Status show(Session& session, const Tool& tool, json::object arguments, Keeper& keeper, Console& console) {
    const ToolResult result = session.with_client([&](Client& client) {
        return client.call_tool(tool.name, std::move(arguments),
                                with_progress(session.call_options(), session.settings(), console));
    });
    console.bar({});
    bool dropped = false;
    const auto write = [&](Out& out) {
        if (result.isError) out << Styled(Look::red, "tenon: " + safe_line(tool.name) + " failed: ");
        dropped = show_result(result, tool, keeper, out);
    };
    if (result.isError)
        console.note(write);
    else
        console.print(write);
    if (dropped && !session.settings().quiet)
        console.note(
            [](Out& out) { out << Styled(Look::dim, "--save DIR keeps images, audio and other bytes") << "\n"; });
    return result.isError ? Status::tool_error : Status::ok;
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

    Session session(target, settings, console);
    const Tool tool = find_tool(session, name);
    json::object arguments = given.whole ? *given.whole : typed_arguments(given.words, tool.inputSchema);
    check_arguments(arguments, tool.inputSchema);
    confirm(tool, arguments, line, session, console);
    if (settings.json) return show_json(session, tool, std::move(arguments), console);
    return show(session, tool, std::move(arguments), keeper, console);
}

}  // namespace tenon::program
