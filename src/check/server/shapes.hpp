// The shapes of results and notifications, by method: rules that a single message can break.
#pragma once

#include <string>
#include <string_view>

#include "check/server/judge.hpp"

namespace tenon::check {

/// Judges a result of the given request.
void judge_result(Charges& charges, const Sent& sent, const json::object& result, const protocol::Rules& rules);
void judge_code(Charges& charges, std::int64_t code, const protocol::Rules& rules);
/// Judges whether a code is from the range that new implementations leave alone.
void judge_legacy_code(Charges& charges, std::int64_t code);
/// Judges a notification other than progress.
void judge_announcement(Charges& charges, std::string_view method, const json::object& params, const Conversation& talk,
                        const Received& received);

// Judge parts of messages against the rules named by the caller.
void judge_content(Charges& charges, const json::value& block, const protocol::Rules& rules);
void judge_tool(Charges& charges, const json::value& tool, const protocol::Rules& rules);
void judge_resource(Charges& charges, const json::value& resource, bool is_template);
void judge_prompt(Charges& charges, const json::value& prompt);

/// Returns the member if it is a string, or null.
const boost::json::string* string_in(const json::object& o, std::string_view name);
/// Returns whether the member is absent or has this type.
bool is_string_or_absent(const json::object& o, std::string_view name);
const json::object* object_in(const json::object& o, std::string_view name);
const json::array* array_in(const json::object& o, std::string_view name);

}  // namespace tenon::check
