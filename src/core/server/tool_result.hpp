// Turns the return value of a tool's handler into the result for the client.
#pragma once

#include "core/server/settings.hpp"
#include "protocol/write.hpp"

namespace tenon::core {

Encoded encode_tool_error(std::string message, const protocol::Rules& rules);

/// Makes the reply of a tool's handler. It checks, cleans and encodes the outcome, and passes it to `reply`. An error
/// of the handler becomes a result with `isError`. A result that does not fit the tool's output schema is an error,
/// too. Errors of the protocol stay errors. The call and the settings must live until the answer.
Reply<ToolResult> tool_reply(const Call& call, const Settings& settings, Reply<HandlerResult> reply);

}  // namespace tenon::core
