#include "golden/oracle.hpp"
#include "support/folders.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace golden {
namespace {

namespace json = tenon::json;

const std::map<std::string, std::string> result_definitions = {
    {"initialize", "InitializeResult"},
    {"ping", "EmptyResult"},
    {"tools/list", "ListToolsResult"},
    {"tools/call", "CallToolResult"},
    {"tools/call as a task", "CreateTaskResult"},
    {"resources/list", "ListResourcesResult"},
    {"resources/templates/list", "ListResourceTemplatesResult"},
    {"resources/read", "ReadResourceResult"},
    {"resources/subscribe", "EmptyResult"},
    {"resources/unsubscribe", "EmptyResult"},
    {"prompts/list", "ListPromptsResult"},
    {"prompts/get", "GetPromptResult"},
    {"completion/complete", "CompleteResult"},
    {"logging/setLevel", "EmptyResult"},
};

bool open_by_nature(std::string_view name) {
    return name == "inputSchema" || name == "outputSchema" || name == "requestedSchema" || name == "_meta";
}

void close(json::value& schema) {
    if (auto* list = schema.if_array()) {
        for (json::value& item : *list) close(item);
        return;
    }
    auto* object = schema.if_object();
    if (!object) return;
    for (auto& member : *object)
        if (!open_by_nature(member.key())) close(member.value());
    if (object->contains("properties") && !object->contains("additionalProperties"))
        (*object)["additionalProperties"] = false;
}

// The schemas require that an id is an integer or a string. The server returns ids unchanged, so a fraction is allowed
// here. Before 2025-11-25 an unreadable id is null, as in JSON-RPC (RPC-8).
json::object with_plain_id(json::object message, bool null_allowed) {
    if (json::value* id = message.if_contains("id"))
        if (id->is_double() || (id->is_null() && null_allowed)) *id = 0;
    return message;
}

}  // namespace

std::optional<Oracle> Oracle::load(std::string_view revision) {
    std::ifstream file(test_folders::shared() + "/spec/" + std::string(revision) + "/schema.json");
    if (!file) return std::nullopt;
    std::stringstream text;
    text << file.rdbuf();
    auto document = json::parse(text.str());
    if (!document) throw std::runtime_error("the official schema does not parse: " + document.error().message);
    return Oracle(std::string(revision), std::move(document->get_object()));
}

Oracle::Oracle(std::string revision, json::object document)
    : revision_(std::move(revision)),
      document_(std::move(document)),
      member_(document_.contains("$defs") ? "$defs" : "definitions") {
    for (auto& definition : document_.at(member_).get_object()) close(definition.value());
    for (const char* sent : {"ServerRequest", "ServerNotification"}) {
        for (const json::value& choice : definitions().at(sent).at("anyOf").get_array()) {
            const std::string reference(choice.at("$ref").get_string());
            const std::string name = reference.substr(reference.rfind('/') + 1);
            const json::value& method = definitions().at(name).at("properties").at("method").at("const");
            calls_.emplace(std::string(method.get_string()), name);
        }
    }
}

std::string Oracle::check(const std::string& definition, const json::value& instance) {
    auto it = schemas_.find(definition);
    if (it == schemas_.end()) {
        json::object root = document_;
        root["allOf"] = json::array{json::object{{"$ref", "#/" + member_ + "/" + definition}}};
        auto compiled = tenon::schema::Schema::compile(root);
        if (!compiled) throw std::runtime_error(definition + " of " + revision_ + ": " + compiled.error().message);
        it = schemas_.emplace(definition, *std::move(compiled)).first;
    }
    if (it->second.accepts(instance)) return {};
    const auto violations = it->second.check(instance, 3, definition);
    std::string out = "does not match " + definition + " of " + revision_ + ":";
    for (const auto& v : violations) out += " " + v.message + " (" + v.instance_path + ")";
    return out;
}

std::string Oracle::verdict(const json::object& message, const std::string& method) {
    const bool modern_names = defines("JSONRPCResultResponse");
    const json::object plain = with_plain_id(message, !modern_names);
    if (const json::value* result = message.if_contains("result")) {
        if (auto wrong = check(modern_names ? "JSONRPCResultResponse" : "JSONRPCResponse", plain); !wrong.empty())
            return wrong;
        return check_result(*result, method);
    }
    if (message.contains("error")) return check(modern_names ? "JSONRPCErrorResponse" : "JSONRPCError", plain);
    const json::value* called = message.if_contains("method");
    const bool notification = called && called->is_string() && called->get_string().starts_with("notifications/");
    if (auto wrong = check(notification ? "JSONRPCNotification" : "JSONRPCRequest", plain); !wrong.empty())
        return wrong;
    return check_call(message);
}

std::string Oracle::check_result(const json::value& result, const std::string& method) {
    const auto definition = result_definitions.find(method);
    if (revision_ == "2025-11-25" && method == "initialize") {
        // Its schema does not have `extensions` yet, but the specification of MCP Apps uses it with this revision.
        json::value plain = result;
        plain.at("capabilities").as_object().erase("extensions");
        return check(definition->second, plain);
    }
    if (method.starts_with("com.example/") || method.starts_with("skills/") || method == "resources/directory/read")
        return check("Result", result);  // of an extension
    if (definition == result_definitions.end()) return "is a result, but `" + method + "` has no result";
    return check(definition->second, result);
}

// Older revisions define requests and notifications without their envelope.
std::string Oracle::check_call(const json::object& message) {
    const auto definition = calls_.find(std::string(message.at("method").get_string()));
    if (definition == calls_.end()) return "has a method that " + revision_ + " does not let a server send";
    json::object body = message;
    const json::object& defined = definitions().at(definition->second).at("properties").get_object();
    for (const char* member : {"jsonrpc", "id"})
        if (!defined.contains(member)) body.erase(member);
    return check(definition->second, body);
}

}  // namespace golden
