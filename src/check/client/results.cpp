// The contents of the checker's server: two tools on two pages, a resource, a template and a prompt.
#include "check/client/played_server.hpp"
#include "protocol/meta_keys.hpp"

namespace tenon::check::client {
namespace {

json::object text_block(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

json::object tools_page(const json::object& params) {
    const json::value* cursor = params.if_contains("cursor");
    if (cursor)
        return {{"tools", json::array{json::object{{"name", "add"},
                                                   {"description", "adds two numbers"},
                                                   {"inputSchema", json::object{{"type", "object"}}},
                                                   {"annotations", json::object{{"readOnlyHint", true}}}}}}};
    json::object whom{{"type", "string"}, {"description", "who is greeted"}, {"x-mcp-header", "Whom"}};
    json::object schema{{"type", "object"}, {"properties", json::object{{"whom", std::move(whom)}}}};
    return {{"tools", json::array{json::object{{"name", "greet"},
                                               {"description", "greets somebody"},
                                               {"inputSchema", std::move(schema)},
                                               {"annotations", json::object{{"readOnlyHint", true}}}}}},
            {"nextCursor", next_page}};
}

std::optional<json::object> plain_result(std::string_view method, const json::object& params) {
    if (method == "ping" || method == "logging/setLevel" || method == "resources/subscribe" ||
        method == "resources/unsubscribe")
        return json::object();
    if (method == "tools/list") return tools_page(params);
    if (method == "tools/call") return json::object{{"content", json::array{text_block("hello")}}, {"isError", false}};
    if (method == "resources/list")
        return json::object{{"resources", json::array{json::object{{"uri", "note://welcome"}, {"name", "welcome"}}}}};
    if (method == "resources/templates/list")
        return json::object{
            {"resourceTemplates", json::array{json::object{{"uriTemplate", "note://{name}"}, {"name", "notes"}}}}};
    if (method == "resources/read") {
        const json::value* uri = params.if_contains("uri");
        return json::object{{"contents", json::array{json::object{{"uri", uri ? *uri : json::value("note://welcome")},
                                                                  {"mimeType", "text/plain"},
                                                                  {"text", "welcome"}}}}};
    }
    if (method == "prompts/list")
        return json::object{{"prompts", json::array{json::object{{"name", "letter"}, {"description", "a letter"}}}}};
    if (method == "prompts/get")
        return json::object{
            {"messages", json::array{json::object{{"role", "user"}, {"content", text_block("write a letter")}}}}};
    if (method == "completion/complete")
        return json::object{{"completion", json::object{{"values", json::array{"one"}}, {"hasMore", false}}}};
    return std::nullopt;
}

bool may_be_cached(std::string_view method) {
    return method.ends_with("/list") || method == "resources/read" || method == "server/discover";
}

}  // namespace

std::optional<json::object> result_of(std::string_view method, const json::object& params, bool modern) {
    auto out = plain_result(method, params);
    if (!out || !modern) return out;
    out->emplace("resultType", "complete");
    if (may_be_cached(method)) {
        out->emplace("ttlMs", 0);
        out->emplace("cacheScope", "private");
    }
    return out;
}

void change_tools(Scene scene, bool refused_headers, json::object& list) {
    json::object& tool = list.at("tools").get_array().front().as_object();
    if (tool.at("name") != json::value("greet")) return;
    if (scene == Scene::tasks) tool["execution"] = json::object{{"taskSupport", "required"}};
    if (refused_headers) tool.at("inputSchema").at("properties").at("whom").as_object()["x-mcp-header"] = "Person";
}

std::optional<json::object> task_result_of(std::string_view method, const json::object& params) {
    const auto task = [](std::string_view status) {
        return json::object{{"taskId", "task-1"},
                            {"status", status},
                            {"createdAt", "2026-01-01T00:00:00Z"},
                            {"lastUpdatedAt", "2026-01-01T00:00:00Z"},
                            {"ttl", 60000},
                            {"pollInterval", 10}};
    };
    if (method == "tools/call" && params.contains("task")) return json::object{{"task", task("working")}};
    if (method == "tasks/get") return task("completed");
    if (method == "tasks/cancel") return task("cancelled");
    if (method == "tasks/list") return json::object{{"tasks", json::array{task("completed")}}};
    if (method != "tasks/result") return std::nullopt;
    auto out = plain_result("tools/call", params);
    if (out) out->emplace("_meta", json::object{{"io.modelcontextprotocol/related-task", {{"taskId", "task-1"}}}});
    return out;
}

json::object capabilities_of(Scene scene) {
    json::object out{{"tools", json::object{{"listChanged", true}}}};
    if (scene == Scene::tasks) {
        const json::object call{{"call", json::object()}};
        out.emplace("tasks", json::object{{"list", json::object()},
                                          {"cancel", json::object()},
                                          {"requests", json::object{{"tools", call}}}});
    }
    if (scene == Scene::bare) return out;
    out.emplace("resources", json::object{{"subscribe", true}, {"listChanged", true}});
    out.emplace("prompts", json::object{{"listChanged", true}});
    out.emplace("completions", json::object());
    out.emplace("logging", json::object());
    return out;
}

json::object server_info() { return {{"name", "tenon-check"}, {"version", "1.0.0"}}; }

}  // namespace tenon::check::client
