// What sampling requests ask of a client, for both sides.
#pragma once

#include <algorithm>
#include <variant>

#include <tenon/protocol/sampling.hpp>

namespace tenon::core {

/// Returns whether a request offers tools, or has messages about their use. Only some clients take such requests.
inline bool uses_tools(const SampleRequest& request) {
    const auto is_tool_block = [](const SamplingContent& block) {
        return std::holds_alternative<ToolUse>(block) || std::holds_alternative<ToolUseResult>(block);
    };
    return !request.tools.empty() || std::ranges::any_of(request.messages, [&](const SamplingMessage& m) {
        return std::ranges::any_of(m.content, is_tool_block);
    });
}

}  // namespace tenon::core
