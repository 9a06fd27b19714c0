// Sampling: a server asks the client's model.
// https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenon/protocol/tools.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// A tool call that the model requests. From 2025-11-25 on.
struct ToolUse {
    std::string id;
    std::string name;
    json::object input = {};
};
/// The result of a tool call that the model requested. From 2025-11-25 on.
struct ToolUseResult {
    std::string toolUseId;
    std::vector<Content> content = {};
    std::optional<json::value> structuredContent = {};
    bool isError = false;
};

using SamplingContent = std::variant<TextContent, ImageContent, AudioContent, ToolUse, ToolUseResult>;

/// One message of a conversation. Before 2025-11-25 it has exactly one content block.
struct SamplingMessage {
    Role role = Role::user;
    std::vector<SamplingContent> content;
};

/// Which model the server prefers. The priorities are from 0 to 1. The client may choose another model.
struct ModelPreferences {
    std::vector<std::string> hints = {};  ///< model names or parts of them, best first
    std::optional<double> costPriority = {};
    std::optional<double> speedPriority = {};
    std::optional<double> intelligencePriority = {};
};

/// A request to the client's model. Empty members are not sent.
struct SampleRequest {
    std::vector<SamplingMessage> messages;
    std::int64_t maxTokens = 1000;
    std::string systemPrompt = {};
    std::optional<double> temperature = {};
    std::vector<std::string> stopSequences = {};
    std::optional<ModelPreferences> modelPreferences = {};
    std::string includeContext = {};  ///< "none", "thisServer", "allServers" or empty
    json::object metadata = {};
    std::vector<Tool> tools = {};  ///< requires the client capability sampling.tools; from 2025-11-25 on
    std::string toolChoice = {};   ///< "auto", "required", "none" or empty
};

/// The model's answer.
struct SampleResult {
    Role role = Role::assistant;
    std::vector<SamplingContent> content = {};
    std::string model = {};
    std::string stopReason = {};

    /// Returns the text blocks, joined.
    std::string text() const;
};

}  // namespace tenon

#pragma GCC visibility pop
