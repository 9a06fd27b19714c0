// Judges the questions of a server: input_required (2026-07-28), and the error that asks for a URL (2025-11-25).
#pragma once

#include "check/server/judge.hpp"

namespace tenon::check {

/// Judges a result with the resultType "input_required". Does nothing for other results.
void judge_input_required(Charges& charges, const Sent& sent, const json::object& result, const Conversation& talk);

/// Judges the elicitations in the data of the error -32042.
void judge_required_urls(Charges& charges, const json::object& error);

/// Returns what is wrong with the messages of a sampling request: a tool_use without its tool_result, or a message that
/// mixes tool results with other content. Empty: nothing.
std::string unbalanced_turns(const json::array& messages);

}  // namespace tenon::check
