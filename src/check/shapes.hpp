// What results and notifications look like, method by method: the rules that one message shows by itself.
#pragma once

#include <string>
#include <string_view>

#include "check/judge.hpp"

namespace tenon::check {

/// A result, as an answer to what was asked.
void judge_result(Charges& charges, const Asked& asked, const json::object& result, const protocol::Rules& rules);
void judge_code(Charges& charges, std::int64_t code, const protocol::Rules& rules);
/// A notification that is not about progress.
void judge_announcement(Charges& charges, std::string_view method, const json::object& params, const Conversation& talk,
                        const Heard& heard);

// Of the parts, with the rules that name them.
void judge_content(Charges& charges, const json::value& block, const protocol::Rules& rules);
void judge_tool(Charges& charges, const json::value& tool, const protocol::Rules& rules);
void judge_resource(Charges& charges, const json::value& resource, bool is_template);
void judge_prompt(Charges& charges, const json::value& prompt);

/// The member, when it is there and a string; else null.
const boost::json::string* string_in(const json::object& o, std::string_view name);
/// Absent, or of this type.
bool is_string_or_absent(const json::object& o, std::string_view name);
const json::object* object_in(const json::object& o, std::string_view name);
const json::array* array_in(const json::object& o, std::string_view name);

}  // namespace tenon::check
