// Finds out which capability of the client a sampling request needs. Used by servers and clients.
#pragma once

#include <algorithm>
#include <variant>

#include <tenon/protocol/sampling.hpp>

namespace tenon::core {

/// Returns whether a request offers tools to the model, or contains tool calls or their results. Only clients with the
/// capability `sampling.tools` accept such requests.
inline bool uses_tools(const SampleRequest& request) {
    const auto is_tool_block = [](const SamplingContent& block) {
        return std::holds_alternative<ToolUse>(block) || std::holds_alternative<ToolUseResult>(block);
    };
    return !request.tools.empty() || std::ranges::any_of(request.messages, [&](const SamplingMessage& m) {
        return std::ranges::any_of(m.content, is_tool_block);
    });
}

}  // namespace tenon::core
