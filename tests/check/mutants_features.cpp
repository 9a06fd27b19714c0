// Mutants of the rules TOOL, RES, PROMPT and SEC.
#include <unistd.h>

#include <algorithm>

#include "check/mutations.hpp"

namespace tenon::check::mutant {
namespace {

constexpr std::string_view modern = "2026-07-28", latest = "2025-11-25";

struct List {
    std::string_view method, member;
};
constexpr List tools{"tools/list", "tools"}, resources{"resources/list", "resources"},
    templates{"resources/templates/list", "resourceTemplates"}, prompts{"prompts/list", "prompts"};

// Adds one more entry to the last page. The checker never calls or reads it.
Change also_has(List list, object entry) {
    return result(list.method, [list, entry = std::move(entry)](object& r) {
        if (!r.contains("nextCursor")) r[list.member].as_array().push_back(entry);
    });
}
object good_tool() { return {{"name", "extra"}, {"description", "One more"}, {"inputSchema", {{"type", "object"}}}}; }
Change also_has_tool(std::string_view member, value bad) {
    object tool = good_tool();
    tool[member] = std::move(bad);
    return also_has(tools, std::move(tool));
}
Change not_a_list(List list) {
    return result(list.method, [list](object& r) { r[list.member] = object(); });
}
Change bad_cursor_out(List list, value cursor) {
    return result(list.method, [cursor = std::move(cursor)](object& r) {
        if (!r.contains("nextCursor")) r["nextCursor"] = cursor;
    });
}
// Makes the last page lead to the first.
Change endless_in(List list) {
    return request(list.method, [](object& p) {
        if (const value* cursor = p.if_contains("cursor"); cursor && *cursor == value("again")) p.erase("cursor");
    });
}
Change takes_any_cursor(List list) {
    return request(list.method, [](object& p) {
        const value* cursor = p.if_contains("cursor");
        if (cursor && cursor->is_string() && cursor->get_string().starts_with("tenon-check")) p.erase("cursor");
    });
}
Change without_hints(std::string_view method) {
    return result(method, [](object& r) { r.erase("ttlMs"); });
}
Change of_call(std::string_view tool, std::function<void(object&)> edit) {
    return [tool, edit = std::move(edit)](Passing& p, Memory& m) {
        if (names(p, tool)) result("tools/call", edit)(p, m);
    };
}
// Edits a content block of the tool "mixed": 0 text, 1 image, 2 link, 3 embedded resource.
Change block(std::size_t which, std::function<void(object&)> edit) {
    return of_call("mixed", [which, edit = std::move(edit)](object& r) {
        auto& blocks = r["content"].as_array();
        if (which < blocks.size()) edit(blocks[which].as_object());
    });
}
Change contents(std::string_view uri, std::function<void(object&)> edit) {
    return [uri, edit = std::move(edit)](Passing& p, Memory& m) {
        if (names(p, uri))
            result("resources/read", [&](object& r) { edit(r["contents"].as_array()[0].as_object()); })(p, m);
    };
}
Change of_prompt(std::function<void(object&)> edit) {
    return [edit = std::move(edit)](Passing& p, Memory& m) {
        if (names(p, "simple")) result("prompts/get", edit)(p, m);
    };
}
std::function<bool(const Passing&)> asks_named(std::string_view method, std::string_view name) {
    return [=](const Passing& p) { return asks(method)(p) && names(p, name); };
}
std::function<bool(const Passing&)> asks_without(std::string_view method, std::string_view member) {
    return [=](const Passing& p) { return asks(method)(p) && !p.params.contains(member); };
}

const value* argument(const Passing& p, std::string_view name) {
    const value* arguments = p.params.if_contains("arguments");
    return arguments && arguments->is_object() ? arguments->get_object().if_contains(name) : nullptr;
}
bool calls_without_message(const Passing& p) { return asks_named("tools/call", "echo")(p) && !argument(p, "message"); }
bool calls_with_object(const Passing& p) {
    const value* message = argument(p, "message");
    return asks_named("tools/call", "echo")(p) && message && message->is_object();
}

object said(std::string_view text) { return {{"content", array{object{{"type", "text"}, {"text", text}}}}}; }
object failed() {
    object out = said("no");
    out["isError"] = true;
    return out;
}

std::vector<Mutant> tool_mutants() {
    return {
        {"TOOL-1.name", latest, {}, also_has_tool("name", 7)},
        {"TOOL-1.name-format", latest, {}, also_has_tool("name", "bad name!")},
        {"TOOL-1.unique-names",
         latest,
         {},
         [](Passing& p, Memory& m) {
             for (int i = 0; i < 2; ++i) also_has(tools, good_tool())(p, m);
         }},
        {"TOOL-1.description", latest, {}, also_has_tool("description", "")},
        {"TOOL-1.description-type", latest, {}, also_has_tool("description", array{"x"})},
        {"TOOL-1.input-schema", latest, {}, also_has_tool("inputSchema", nullptr)},
        {"TOOL-1.type-object", latest, {}, also_has_tool("inputSchema", object())},
        {"TOOL-1.valid-schema",
         latest,
         {},
         also_has_tool("inputSchema", {{"type", "object"}, {"properties", {{"a", {{"type", "text"}}}}}})},
        {"TOOL-1.header-names",
         modern,
         {},
         also_has_tool("inputSchema", {{"type", "object"},
                                       {"properties", {{"a", {{"type", "string"}, {"x-mcp-header", "my region"}}}}}})},
        {"TOOL-2.title", latest, {}, also_has_tool("title", 7)},
        {"TOOL-2.annotations", latest, {}, also_has_tool("annotations", {{"readOnlyHint", "yes"}})},
        {"TOOL-2.output-schema", latest, {}, also_has_tool("outputSchema", {{"type", "text"}})},
        {"TOOL-4.list", latest, {}, not_a_list(tools)},
        {"TOOL-4.cursor", latest, {}, bad_cursor_out(tools, 2)},
        {"TOOL-4.pages", latest, endless_in(tools), bad_cursor_out(tools, "again")},
        {"TOOL-4.bad-cursor", latest, takes_any_cursor(tools)},
        {"TOOL-4.same-order",
         latest,
         {},
         [](Passing& p, Memory& memory) {
             if (!answers(p, "tools/list") || p.params.contains("cursor") || ++memory.count % 2 == 0) return;
             result("tools/list", [](object& r) { std::ranges::reverse(r["tools"].as_array()); })(p, memory);
         }},
        {"TOOL-4.cache-hints", modern, {}, without_hints("tools/list")},
        {"TOOL-5.missing-argument", latest, instead(calls_without_message, giving(said("done")))},
        {"TOOL-5.wrong-type", latest, instead(calls_with_object, giving(said("done")))},
        {"TOOL-5.kind-of-error", latest, instead(calls_without_message, refusal(-32602))},
        {"TOOL-5.no-name", latest, instead(asks_without("tools/call", "name"), giving(said("done")))},
        {"TOOL-6.conforms",
         latest,
         {},
         of_call("add",
                 [](object& r) {
                     r["structuredContent"] = object{{"sum", "much"}};
                 })},
        {"TOOL-6.object", latest, {}, of_call("add", [](object& r) { r["structuredContent"] = array{3}; })},
        {"TOOL-6.text-copy",
         latest,
         {},
         of_call("add", [](object& r) { r["content"] = said("see there")["content"]; })},
        {"TOOL-8.unknown-tool", latest,
         instead(asks_named("tools/call", "tenon-check-no-such-tool"), giving(said("done")))},
        {"TOOL-8.kind-of-error", latest,
         instead(asks_named("tools/call", "tenon-check-no-such-tool"), giving(failed()))},
        {.rule = "TOOL-9.answers", .in = deaf_to(asks_named("tools/call", "mixed")), .silent = true},
        {"TOOL-9.is-error", latest, {}, of_call("fail", [](object& r) { r["isError"] = "yes"; })},
        {"TOOL-9.says-why", latest, {}, of_call("fail", [](object& r) { r["content"] = array(); })},
        {"TOOL-16.content", latest, {}, of_call("mixed", [](object& r) { r["content"] = "text"; })},
        {"TOOL-16.type", latest, {}, block(0, [](object& b) { b.erase("type"); })},
        {"TOOL-16.known-type", latest, {}, block(0, [](object& b) { b["type"] = "video"; })},
        {"TOOL-16.text", latest, {}, block(0, [](object& b) { b["text"] = 21; })},
        {"TOOL-16.mime-type", latest, {}, block(1, [](object& b) { b.erase("mimeType"); })},
        {"TOOL-16.base64", latest, {}, block(1, [](object& b) { b["data"] = "cG5"; })},
        {"TOOL-16.link", latest, {}, block(2, [](object& b) { b.erase("uri"); })},
        {"TOOL-16.embedded", latest, {}, block(3, [](object& b) { b["resource"] = "note://inside"; })},
        {"TOOL-16.annotations",
         latest,
         {},
         block(0,
               [](object& b) {
                   b["annotations"] = object{{"priority", 5}};
               })},
    };
}

std::vector<Mutant> resource_mutants() {
    const auto missing = asks_named("resources/read", "tenon-check://nowhere/no-such-resource");
    return {
        {"RES-1.uri", latest, {}, also_has(resources, {{"uri", "no uri"}, {"name", "x"}})},
        {"RES-1.unique-uris", latest, {}, also_has(resources, {{"uri", "note://welcome"}, {"name", "again"}})},
        {"RES-1.name", latest, {}, also_has(resources, {{"uri", "note://attic/x"}})},
        {"RES-1.fields", latest, {}, also_has(resources, {{"uri", "note://attic/x"}, {"name", "x"}, {"size", "3"}})},
        {"RES-2.uri", latest, {}, contents("note://welcome", [](object& c) { c.erase("uri"); })},
        {"RES-2.text-or-blob", latest, {}, contents("note://welcome", [](object& c) { c.erase("text"); })},
        {"RES-2.mime-type", latest, {}, contents("note://welcome", [](object& c) { c["mimeType"] = 7; })},
        {"RES-2.base64", latest, {}, contents("note://dot", [](object& c) { c["blob"] = "cG5"; })},
        {"RES-5.list", latest, {}, not_a_list(resources)},
        {"RES-5.cursor", latest, {}, bad_cursor_out(resources, nullptr)},
        {"RES-5.pages", latest, endless_in(resources), bad_cursor_out(resources, "again")},
        {"RES-5.bad-cursor", latest, takes_any_cursor(resources)},
        {"RES-5.templates", latest, instead(asks("resources/templates/list"), refusal(-32601))},
        {"RES-5.template-list", latest, {}, not_a_list(templates)},
        {"RES-5.template", latest, {}, also_has(templates, {{"uriTemplate", "note://{name"}, {"name", "x"}})},
        {"RES-5.cache-hints", modern, {}, without_hints("resources/list")},
        {"RES-6.contents", latest, {}, result("resources/read", [](object& r) { r["contents"] = object(); })},
        {"RES-6.readable", latest, instead(asks_named("resources/read", "note://dot"), refusal(-32002))},
        {"RES-6.cache-hints", modern, {}, without_hints("resources/read")},
        {"RES-7.subscribe", latest, instead(asks("resources/subscribe"), refusal(-32601))},
        {"RES-7.unsubscribe", latest, instead(asks("resources/unsubscribe"), refusal(-32601))},
        {"RES-7.updated-uri",
         latest,
         {},
         then_say("prompts/list", R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{}})")},
        {"RES-7.acknowledged", modern, instead(asks("subscriptions/listen"), refusal(-32601))},
        {"RES-9.not-found", latest, instead(missing, giving({{"contents", array()}}))},
        {"RES-9.not-found-code", latest, instead(missing, refusal(-32603))},
        {"RES-9.no-uri", latest, instead(asks_without("resources/read", "uri"), giving({{"contents", array()}}))},
    };
}

Change prompt_entry(std::size_t which, std::function<void(object&)> edit) {
    return result("prompts/list",
                  [which, edit = std::move(edit)](object& r) { edit(r["prompts"].as_array()[which].as_object()); });
}

std::vector<Mutant> prompt_mutants() {
    const auto unknown = asks_named("prompts/get", "tenon-check-no-such-prompt");
    const auto unfilled = [](const Passing& p) { return asks_named("prompts/get", "letter")(p) && !argument(p, "to"); };
    const object nothing{{"messages", array()}};
    return {
        {"PROMPT-1.name", latest, {}, also_has(prompts, {{"name", 7}})},
        {"PROMPT-1.unique-names", latest, {}, also_has(prompts, {{"name", "simple"}})},
        {"PROMPT-1.fields", latest, {}, prompt_entry(0, [](object& p) { p["title"] = 1; })},
        {"PROMPT-1.arguments",
         latest,
         {},
         prompt_entry(1, [](object& p) { p["arguments"].as_array()[0].as_object()["required"] = "yes"; })},
        {"PROMPT-2.gettable", latest, instead(asks_named("prompts/get", "simple"), refusal(-32602))},
        {"PROMPT-2.messages", latest, {}, of_prompt([](object& r) { r["messages"] = "Hello"; })},
        {"PROMPT-2.role", latest, {}, of_prompt([](object& r) {
             r["messages"].as_array()[0].as_object()["role"] = "system";
         })},
        {"PROMPT-2.content", latest, {}, of_prompt([](object& r) {
             r["messages"].as_array()[0].as_object()["content"] = "Hello";
         })},
        {"PROMPT-4.list", latest, {}, not_a_list(prompts)},
        {"PROMPT-4.cursor", latest, {}, bad_cursor_out(prompts, false)},
        {"PROMPT-4.pages", latest, endless_in(prompts), bad_cursor_out(prompts, "again")},
        {"PROMPT-4.bad-cursor", latest, takes_any_cursor(prompts)},
        {"PROMPT-4.cache-hints", modern, {}, without_hints("prompts/list")},
        {"PROMPT-5.unknown-prompt", latest, instead(unknown, giving(nothing))},
        {"PROMPT-5.unknown-prompt-code", latest, instead(unknown, refusal(-32603))},
        {"PROMPT-5.missing-argument", latest, instead(unfilled, giving(nothing))},
        {"PROMPT-5.missing-argument-code", latest, instead(unfilled, refusal(-32603))},
    };
}

std::vector<Mutant> security_mutants() {
    const auto too_deep = [](const Passing& p) { return p.line.find("[[[[[[[[") != p.line.npos; };
    return {
        {"SEC-3.traversal", latest,
         instead([](const Passing& p) { return asks("resources/read")(p) && p.line.find("passwd") != p.line.npos; },
                 giving({{"contents",
                          array{object{{"uri", "file:///etc/passwd"}, {"text", "root:x:0:0:root:/root:/bin/sh"}}}}}))},
        {"SEC-3.terminal-escapes", latest, {}, also_has_tool("description", "Nice \x1b[8m and hidden")},
        {"SEC-3.hidden-text", latest, {}, also_has_tool("description", "Nice \xF3\xA0\x81\x81")},
        {"SEC-3.errors-tell-nothing",
         latest,
         {},
         error("prompts/get", [](object& e) { e["message"] = "Error: no\n    at Object.get (/srv/server.js:1:1)"; })},
        {"SEC-3.request-state", modern,
         instead([](const Passing& p) { return asks("tools/call")(p) && p.params.contains("requestState"); },
                 giving({{"resultType", "complete"},
                         {"content", array()},
                         {"_meta", {{"io.modelcontextprotocol/serverInfo", {{"name", "good"}, {"version", "1"}}}}}}))},
        {"SEC-4.deep", latest,
         [too_deep](Passing& p, Memory&) {
             if (too_deep(p)) ::_exit(1);
         }},
        {"SEC-4.oversized", latest,
         [](Passing& p, Memory&) {
             if (p.line.size() > 10'000'000) ::_exit(1);
         }},
    };
}

}  // namespace

std::vector<Mutant> feature_mutants() {
    std::vector<Mutant> out = tool_mutants();
    for (auto group : {resource_mutants(), prompt_mutants(), security_mutants()})
        for (Mutant& mutant : group) out.push_back(std::move(mutant));
    return out;
}

}  // namespace tenon::check::mutant
