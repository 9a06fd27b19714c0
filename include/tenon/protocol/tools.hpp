// Tools: functions that a model may call.
// https://modelcontextprotocol.io/specification/2025-11-25/server/tools
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/content.hpp>
#include <tenon/protocol/tasks.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Hints about the effects of a tool. Clients treat them as untrusted. Unset hints are not sent. From 2025-03-26 on.
struct ToolAnnotations {
    std::string title = {};
    std::optional<bool> readOnlyHint = {};
    std::optional<bool> destructiveHint = {};
    std::optional<bool> idempotentHint = {};
    std::optional<bool> openWorldHint = {};

    bool empty() const {
        return title.empty() && !readOnlyHint && !destructiveHint && !idempotentHint && !openWorldHint;
    }
};

/// The definition of a tool. Server::tool makes it from C++ types; fill it in yourself to use your own schema.
struct Tool {
    std::string name;                                 ///< 1 to 128 characters of A-Z a-z 0-9 _ - .
    std::string description;                          ///< purpose of the tool, for the model
    json::object inputSchema = {{"type", "object"}};  ///< JSON Schema; its root type is object
    std::optional<json::object> outputSchema = {};    ///< JSON Schema of structuredContent; from 2025-06-18 on
    std::string title = {};
    ToolAnnotations annotations = {};
    std::vector<Icon> icons = {};
    json::object meta = {};
    TaskSupport task = TaskSupport::forbidden;  ///< sent as execution.taskSupport in 2025-11-25
};

/// The result of a tool call.
struct ToolResult {
    std::vector<Content> content = {};
    std::optional<json::value> structuredContent = {};  ///< if `content` is empty, a server also sends this as text
    bool isError = false;                               ///< the tool failed; `content` says why
    json::object meta = {};
};

/// Makes a result that tells the model what went wrong. Throwing any std::exception has the same effect.
inline ToolResult tool_error(std::string message) {
    ToolResult result;
    result.content.push_back(TextContent{std::move(message)});
    result.isError = true;
    return result;
}

}  // namespace tenon

#pragma GCC visibility pop
