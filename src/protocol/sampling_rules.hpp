// Rules for the messages of a sampling request. Servers check them before sending, clients after receiving.
#pragma once

#include <span>

#include <tenon/error.hpp>
#include <tenon/protocol/sampling.hpp>

namespace tenon::protocol {

/// Checks that tool calls and their results are balanced and not mixed with other content:
///
/// - After an assistant message with `tool_use` blocks comes a user message that has only `tool_result` blocks, one for
///   each of these tool calls.
/// - Other messages have no `tool_result` blocks, and user messages have no `tool_use` blocks.
///
/// Returns the error -32602, with the path of the message, otherwise.
Result<void> check_tool_turns(std::span<const SamplingMessage> messages);

}  // namespace tenon::protocol
