// From what a tool's handler returned to what the client gets.
#pragma once

#include "core/server/settings.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

Encoded encode_tool_error(std::string message, const protocol::Rules& rules);

/// A failing handler is a result that says so; a handler that breaks its own output schema has failed.
Result<HandlerResult> finish_tool(const ToolEntry& entry, const Settings& settings, const protocol::Rules& rules,
                                  Result<ToolResult>&& outcome);

}  // namespace tenon::core
