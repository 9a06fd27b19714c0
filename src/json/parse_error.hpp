// Explains why a text is not JSON.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::json {

/// Returns what is wrong with a text that Scan refused, with the message of Boost's parser.
std::string explain_parse_error(std::string_view text, ParseLimits limits);

}  // namespace tenon::json
