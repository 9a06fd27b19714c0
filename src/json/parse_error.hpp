// Errors for texts that are not acceptable JSON. On the wire they are error -32700.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::json {

/// Returns a parse error with this reason.
Error parse_error(std::string why);
/// Returns what is wrong with a text that Scan refused, with the message of Boost's parser.
Error explain_parse_error(std::string_view text, ParseLimits limits);

}  // namespace tenon::json
