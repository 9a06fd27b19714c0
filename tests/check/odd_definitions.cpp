// Unusual but correct servers, for the rules about definitions, changes, questions and unusual requests.
#include <algorithm>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25";

Change both(Change one, Change other) {
    return [one = std::move(one), other = std::move(other)](Passing& p, Memory& memory) {
        one(p, memory);
        if (!p.line.empty()) other(p, memory);
    };
}

object plain_tool(std::string_view name) {
    return {{"name", name}, {"description", "One more"}, {"inputSchema", {{"type", "object"}}}};
}
Change also_lists(std::string_view method, std::string_view member, object entry) {
    return result(method, [member, entry = std::move(entry)](object& r) {
        if (!r.contains("nextCursor")) r[member].as_array().push_back(entry);
    });
}
Change also_lists_tool(object tool) { return also_lists("tools/list", "tools", std::move(tool)); }
Change describes(std::string_view text) {
    object tool = plain_tool("extra");
    tool["description"] = text;
    return also_lists_tool(std::move(tool));
}
Change takes(object schema) {
    object tool = plain_tool("extra");
    tool["inputSchema"] = std::move(schema);
    return also_lists_tool(std::move(tool));
}
Change declares(std::string_view feature, bool list_changed) {
    return result("initialize",
                  [=](object& r) { r["capabilities"].as_object()[feature].as_object()["listChanged"] = list_changed; });
}

// ---- definitions

std::vector<Mutant> odd_schemas() {
    const object nested{
        {"type", "object"},
        {"properties",
         {{"either", {{"anyOf", array{object{{"type", "string"}}, object{{"type", "null"}}}}}},
          {"pair", {{"type", "array"}, {"prefixItems", array{object{{"type", "number"}}}}}},
          {"tree", {{"$ref", "#/$defs/node"}}},
          {"dotted.name-1", {{"type", "array"}, {"items", object()}}}}},
        {"$defs", {{"node", {{"type", "object"}, {"properties", {{"next", {{"$ref", "#/$defs/node"}}}}}}}}}};
    return {
        {"odd.long-dotted-name", latest, {}, also_lists_tool(plain_tool("admin.tools." + std::string(52, 'x')))},
        {"odd.nested-any-of", latest, {}, takes(nested)},
        {"odd.right-to-left",
         latest,
         {},
         describes("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D\xE2\x80\x8F! \xE2\x81\xA6MCP\xE2\x81\xA9")},
        {"odd.flag-of-england",
         latest,
         {},
         describes("Weather in \xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xA5\xF3\xA0\x81\xAE"
                   "\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF")},
        {"odd.example-keys",
         latest,
         {},
         describes("Set a token such as ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, sk-ant-your-key-here-... or "
                   "AKIAIOSFODNN7EXAMPLE. A hash: 3f786850e387550fdab836ed7e6dc881de23001b")},
    };
}

// The descriptions change, and the server says so.
Change redefines_and_tells() {
    return [](Passing& p, Memory& memory) {
        if (!answers(p, "tools/list")) return;
        const std::string text = "Version " + std::to_string(++memory.count);
        result("tools/list", [&](object& r) { r["tools"].as_array()[0].as_object()["description"] = text; })(p, memory);
        p.before.push_back(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    };
}

// ---- changes during calls

void note_echo(Passing& p, Memory& memory) {
    if (asks("tools/call")(p) && names(p, "echo")) memory.kept = "changed";
}
// Sends a line `delay` answers after the first answer to `echo`.
Change later_says(std::string line, std::size_t delay) {
    return [line = std::move(line), delay](Passing& p, Memory& memory) {
        if (memory.kept == "changed" && p.is_answer() && memory.count++ == delay) p.after.push_back(line);
    };
}
Change after_echo(Change change) {
    return [change = std::move(change)](Passing& p, Memory& memory) {
        if (memory.kept == "changed") change(p, memory);
    };
}
Change reads(std::string_view uri, std::function<std::string(Memory&)> text) {
    return [=](Passing& p, Memory& memory) {
        if (!names(p, uri)) return;
        const std::string now = text(memory);
        result("resources/read", [&](object& r) { r["contents"].as_array()[0].as_object()["text"] = now; })(p, memory);
    };
}

std::vector<Mutant> odd_changes() {
    const std::string list_changed = R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})";
    const std::string updated =
        R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"note://welcome"}})";
    const std::string part_updated =
        R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"note://welcome/line/1"}})";
    const Change gets_late_tool = after_echo(also_lists_tool(plain_tool("late")));
    const Change welcome_changes =
        after_echo(reads("note://welcome", [](Memory&) { return std::string("Welcome back."); }));
    return {
        {"odd.redefines-and-tells", latest, {}, both(declares("tools", true), redefines_and_tells())},
        {"odd.tells-list-changes", latest, note_echo,
         both(declares("tools", true), both(gets_late_tool, later_says(list_changed, 0)))},
        {"odd.tells-list-changes-late", latest, note_echo,
         both(declares("tools", true), both(gets_late_tool, later_says(list_changed, 7)))},
        {"odd.list-changes-undeclared", latest, note_echo, both(declares("tools", false), gets_late_tool)},
        {"odd.tells-updates", latest, note_echo, both(welcome_changes, later_says(updated, 0))},
        {"odd.tells-updates-of-parts", latest, note_echo, both(welcome_changes, later_says(part_updated, 2))},
        // It changes with each read, like a clock. To announce each change would be absurd.
        {"odd.clock-resource",
         latest,
         {},
         reads("note://welcome", [](Memory& memory) { return "It is " + std::to_string(++memory.count); })},
    };
}

// ---- requests and refusals

Change refuses_unknown_member() {
    return instead([](const Passing& p) { return asks("ping")(p) && p.message.contains("x-tenon-check"); },
                   refusal(-32600));
}
Change refuses_twice() {
    return [](Passing& p, Memory& memory) {
        const value* id = p.message.if_contains("id");
        if (id && *id == value("tenon-check-twice") && ++memory.count == 2)
            instead(asks("ping"), refusal(-32600))(p, memory);
    };
}
Change answers_once() {
    return [](Passing& p, Memory& memory) {
        const value* id = p.message.if_contains("id");
        if (id && *id == value("tenon-check-twice") && ++memory.count == 2) p.line.clear();
    };
}
Change refuses_with(std::string_view text) {
    return instead(
        [](const Passing& p) {
            const value* arguments = p.params.if_contains("arguments");
            return asks("tools/call")(p) && names(p, "echo") && arguments && arguments->is_object() &&
                   (!arguments->get_object().contains("message") || !arguments->get_object().at("message").is_string());
        },
        giving({{"content", array{object{{"type", "text"}, {"text", text}}}}, {"isError", true}}));
}

std::vector<Mutant> odd_requests() {
    return {
        {"odd.refuses-unknown-member", latest, refuses_unknown_member()},
        {"odd.refuses-duplicate-id", latest, refuses_twice()},
        {"odd.answers-one-of-two", latest, answers_once()},
        {"odd.type-error", latest, refuses_with("TypeError: echo() missing 1 required argument: 'message'")},
        {"odd.terse-refusal", latest, refuses_with("?")},
        {"odd.upstream-first", latest, refuses_with("connect ECONNREFUSED 127.0.0.1:5432")},
        repeats_its_stream(),
    };
}

// ---- questions of 2026-07-28

// The client must declare everything that the questions need: the mode url too.
bool declares_urls(const Passing& p) { return json::write(p.params).find(R"("url":{})") != std::string::npos; }

Change asks_instead(object questions) {
    return [questions = std::move(questions)](Passing& p, Memory& memory) {
        if (!names(p, "ask") || !declares_urls(p)) return;
        result("tools/call", [&](object& r) {
            if (r.contains("inputRequests")) r["inputRequests"] = questions;
        })(p, memory);
    };
}
object question(std::string_view method, object params) {
    return {{"q", {{"method", method}, {"params", std::move(params)}}}};
}
array balanced() {
    const auto use = [](std::string_view id) {
        return object{{"type", "tool_use"}, {"id", id}, {"name", "add"}, {"input", object()}};
    };
    const auto done = [](std::string_view id) {
        return object{{"type", "tool_result"}, {"toolUseId", id}, {"content", array()}};
    };
    const object text{{"type", "text"}, {"text", "Let me see."}};
    return {object{{"role", "user"}, {"content", text}},
            object{{"role", "assistant"}, {"content", array{text, use("a"), use("b")}}},
            object{{"role", "user"}, {"content", array{done("b"), done("a")}}}};
}

std::vector<Mutant> odd_questions() {
    return {
        {"odd.extensions",
         modern,
         {},
         result("server/discover",
                [](object& r) {
                    r["capabilities"].as_object()["extensions"] =
                        object{{"com.example.x-y/a_b.c", object()}, {"io.modelcontextprotocol/ui", object()}};
                })},
        {"odd.only-a-state",
         modern,
         {},
         [](Passing& p, Memory& memory) {
             if (names(p, "ask")) result("tools/call", [](object& r) { r.erase("inputRequests"); })(p, memory);
         }},
        {"odd.asks-for-a-visit",
         modern,
         {},
         asks_instead(
             question("elicitation/create",
                      {{"mode", "url"}, {"message", "Sign in"}, {"url", "HTTPS://user.example:8443/a%20b?c=d#e"}}))},
        {"odd.asks-a-model",
         modern,
         {},
         asks_instead(question("sampling/createMessage", {{"messages", balanced()}, {"maxTokens", 10}}))},
        {"odd.mime-type-with-parameters",
         latest,
         {},
         [](Passing& p, Memory& memory) {
             if (names(p, "note://welcome"))
                 result("resources/read", [](object& r) {
                     r["contents"].as_array()[0].as_object()["mimeType"] = "text/html;profile=mcp-app; charset=utf-8";
                 })(p, memory);
         }},
        {"odd.no-mime-type",
         latest,
         {},
         [](Passing& p, Memory& memory) {
             result("resources/read", [](object& r) { r["contents"].as_array()[0].as_object().erase("mimeType"); })(
                 p, memory);
         }},
    };
}

}  // namespace

std::vector<Mutant> odd_definitions() {
    std::vector<Mutant> out = odd_schemas();
    for (auto group : {odd_changes(), odd_requests(), odd_questions()})
        for (Mutant& odd : group) out.push_back(std::move(odd));
    return out;
}

}  // namespace tenon::check::mutant
