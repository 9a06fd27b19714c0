// Explains why a text is not JSON.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>
#include <tenon/limit_name.hpp>

namespace tenon::json {

/// Returns what is wrong with a text that Scan refused, with the message of Boost's parser. Sets `limit` if that is the
/// reason.
std::string explain_parse_error(std::string_view text, ParseLimits limits, LimitName& limit);

}  // namespace tenon::json
