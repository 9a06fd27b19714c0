// Mutants of the rules about definitions, changes, questions and unusual requests.
#include <unistd.h>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25";

// Adds an entry to the last page of a list.
Change also_lists(std::string_view method, std::string_view member, object entry) {
    return result(method, [member, entry = std::move(entry)](object& r) {
        if (!r.contains("nextCursor")) r[member].as_array().push_back(entry);
    });
}
Change also_lists_tool(std::string_view member, value special) {
    object tool{{"name", "extra"}, {"description", "One more"}, {"inputSchema", {{"type", "object"}}}};
    tool[member] = std::move(special);
    return also_lists("tools/list", "tools", std::move(tool));
}
// Each list has another description of its first entry.
Change redefines(std::string_view method, std::string_view member) {
    return [=](Passing& p, Memory& memory) {
        if (!answers(p, method)) return;
        const std::string text = "Version " + std::to_string(++memory.count);
        result(method, [&](object& r) { r[member].as_array()[0].as_object()["description"] = text; })(p, memory);
    };
}

// Notes calls of `echo`, after which the server has changed.
void note_echo(Passing& p, Memory& memory) {
    if (asks("tools/call")(p) && names(p, "echo")) memory.kept = "changed";
}
Change after_echo(Change change) {
    return [change = std::move(change)](Passing& p, Memory& memory) {
        if (memory.kept == "changed") change(p, memory);
    };
}
Change lists_changes(std::string_view feature) {
    return result("initialize", [feature](object& r) {
        object& all = r["capabilities"].as_object();
        if (!all.contains(feature)) all[feature] = object();
        all[feature].as_object()["listChanged"] = true;
    });
}
Change both(Change one, Change other) {
    return [one = std::move(one), other = std::move(other)](Passing& p, Memory& memory) {
        one(p, memory);
        other(p, memory);
    };
}
Change welcome_changes() {
    return after_echo([](Passing& p, Memory& memory) {
        if (names(p, "note://welcome"))
            result("resources/read",
                   [](object& r) { r["contents"].as_array()[0].as_object()["text"] = "Welcome back."; })(p, memory);
    });
}

object tool_like(std::string_view name) {
    return {{"name", name}, {"description", "New"}, {"inputSchema", {{"type", "object"}}}};
}

std::vector<Mutant> definition_mutants() {
    const object array_of_anything{{"type", "object"}, {"properties", {{"tags", {{"type", "array"}}}}}};
    return {
        {"TOOL-1.portable-name", latest, {}, also_lists_tool("name", json::value(boost::json::string(65, 'a')))},
        {"TOOL-1.portable-root",
         latest,
         {},
         also_lists_tool("inputSchema", {{"type", "object"}, {"anyOf", array{object{{"required", array{"a"}}}}}})},
        {"TOOL-1.portable-schema", latest, {}, also_lists_tool("inputSchema", array_of_anything)},
        {"TOOL-4.same-definitions", latest, {}, redefines("tools/list", "tools")},
        {"PROMPT-4.same-definitions", latest, {}, redefines("prompts/list", "prompts")},
        {"SEC-3.secrets",
         latest,
         {},
         also_lists_tool("description",
                         "Uses glpat-"
                         "Zk7Qm2VxW9pLrT4bNc8D to sign in")},
        {"TOOL-5.accident", latest,
         instead(
             [](const Passing& p) {
                 const value* arguments = p.params.if_contains("arguments");
                 return asks("tools/call")(p) && names(p, "echo") && arguments && arguments->is_object() &&
                        !arguments->get_object().contains("message");
             },
             giving({{"content", array{object{{"type", "text"},
                                              {"text", "Cannot read properties of undefined (reading 'length')"}}}},
                     {"isError", true}}))},
    };
}

std::vector<Mutant> change_mutants() {
    return {
        {.rule = "TOOL-7.list-changed",
         .in = note_echo,
         .out = both(lists_changes("tools"), after_echo(also_lists("tools/list", "tools", tool_like("late")))),
         .silent = true},
        {.rule = "RES-8.list-changed",
         .in = note_echo,
         .out = both(lists_changes("resources"),
                     after_echo(also_lists("resources/list", "resources", {{"uri", "note://late/x"}, {"name", "x"}}))),
         .silent = true},
        {.rule = "PROMPT-6.list-changed",
         .in = note_echo,
         .out = both(lists_changes("prompts"), after_echo(also_lists("prompts/list", "prompts", {{"name", "late"}}))),
         .silent = true},
        {.rule = "RES-7.notifies", .in = note_echo, .out = welcome_changes(), .silent = true},
    };
}

// ---- questions

object asking(object questions) {
    return {{"resultType", "input_required"},
            {"inputRequests", std::move(questions)},
            {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "good"}, {"version", "1"}}}}}};
}
object question(std::string_view method, object params) {
    return {{"q", {{"method", method}, {"params", std::move(params)}}}};
}
// Changes the questions of the tool `ask`, for a client that declares what it needs.
Change asks_instead(object questions) {
    return [questions = std::move(questions)](Passing& p, Memory& memory) {
        if (!names(p, "ask")) return;
        result("tools/call", [&](object& r) {
            if (r.contains("inputRequests")) r["inputRequests"] = questions;
        })(p, memory);
    };
}
array unbalanced() {
    const object use{{"type", "tool_use"}, {"id", "a"}, {"name", "add"}, {"input", object()}};
    const object text{{"type", "text"}, {"text", "Go on."}};
    return {object{{"role", "assistant"}, {"content", array{use}}}, object{{"role", "user"}, {"content", text}}};
}

Change mixed_requires_task() {
    return result("tools/list", [](object& r) {
        for (value& tool : r["tools"].as_array())
            if (tool.as_object().at("name") == value("mixed"))
                tool.as_object()["execution"] = object{{"taskSupport", "required"}};
    });
}
Change declares_tasks() {
    return result("initialize", [](object& r) {
        r["capabilities"].as_object()["tasks"] = object{{"requests", object{{"tools", object{{"call", object()}}}}}};
    });
}

std::vector<Mutant> question_mutants() {
    const auto calls_ask = [](const Passing& p) { return asks("tools/call")(p) && names(p, "ask"); };
    return {
        {"LIFE-4.extension-ids",
         modern,
         {},
         result("server/discover",
                [](object& r) {
                    r["capabilities"].as_object()["extensions"] = object{{"search", object()}};
                })},
        {"LIFE-5.input-required-method", modern,
         instead(asks("completion/complete"),
                 giving({{"resultType", "input_required"},
                         {"requestState", "x"},
                         {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "good"}, {"version", "1"}}}}}}))},
        {"LIFE-5.input-required",
         modern,
         {},
         [](Passing& p, Memory& memory) {
             if (!names(p, "ask")) return;
             result("tools/call", [](object& r) {
                 r.erase("inputRequests");
                 r.erase("requestState");
             })(p, memory);
         }},
        {"LIFE-5.input-requests", modern, {}, asks_instead(question("input/ask", {{"message", "Who?"}}))},
        {"LIFE-5.elicitation-url",
         modern,
         {},
         asks_instead(
             question("elicitation/create", {{"mode", "url"}, {"message", "Sign in"}, {"url", "not a url at all\n"}}))},
        {"LIFE-5.tool-turns",
         modern,
         {},
         asks_instead(question("sampling/createMessage", {{"messages", unbalanced()}, {"maxTokens", 10}}))},
        {"LIFE-10.input-requests", modern, instead(calls_ask, giving(asking(question("roots/list", {}))))},
        {"RPC-14.legacy-range", modern, instead(asks("completion/complete"), refusal(-32000))},
        {"RES-2.mime-type-form",
         latest,
         {},
         [](Passing& p, Memory& memory) {
             if (names(p, "note://welcome"))
                 result("resources/read", [](object& r) { r["contents"].as_array()[0].as_object()["mimeType"] = ""; })(
                     p, memory);
         }},
        {"TOOL-5.task-required", latest, {}, both(mixed_requires_task(), declares_tasks())},
    };
}

// ---- unusual requests

std::vector<Mutant> request_mutants() {
    return {
        {"RPC-3.unknown-member", latest, deaf_to([](const Passing& p) { return p.message.contains("x-tenon-check"); })},
        {"RPC-10.duplicate", latest,
         [](Passing& p, Memory& memory) {
             const value* id = p.message.if_contains("id");
             if (id && *id == value("tenon-check-twice") && ++memory.count == 2) ::_exit(1);
         }},
    };
}

}  // namespace

std::vector<Mutant> definition_and_change_mutants() {
    std::vector<Mutant> out = definition_mutants();
    for (auto group : {change_mutants(), question_mutants(), request_mutants()})
        for (Mutant& mutant : group) out.push_back(std::move(mutant));
    return out;
}

}  // namespace tenon::check::mutant
