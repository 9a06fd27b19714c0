// Turns the return value of a tool's handler into the result for the client.
#pragma once

#include "core/server/settings.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

Encoded encode_tool_error(std::string message, const protocol::Rules& rules);

/// Checks, cleans and encodes the outcome of a tool's handler. An error of the handler becomes a result with `isError`.
/// A result that does not fit the tool's output schema is an error, too. Errors of the protocol stay errors.
Result<HandlerResult> finish_tool(const ToolEntry& entry, const Settings& settings, const protocol::Rules& rules,
                                  Result<ToolResult>&& outcome);

}  // namespace tenon::core
