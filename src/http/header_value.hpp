// The values of headers that repeat a part of a body, and how they compare with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::web {

/// Undoes "=?base64?...?=". Nothing when the value has a character that no such header may have, or its base64 is none.
std::optional<std::string> decode_header_value(std::string_view value);

/// Strings and booleans by their text, numbers by their value: 42.0 is 42.
bool says_the_same(std::string_view decoded, const json::value& body);

}  // namespace tenon::web
