// The values of headers that repeat a part of a body, and how they compare with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::web {

/// Undoes "=?base64?...?=", which takes `memory`. Nothing when the value has a character that no such header may have,
/// or its base64 is none.
std::optional<std::string_view> decode_header_value(std::string_view value, std::string& memory);
std::optional<std::string> decode_header_value(std::string_view value);

/// As it can stand in a header: "=?base64?...?=" where it could not, or would be mistaken for that.
std::string encode_header_value(std::string_view text);
std::string encode_header_scalar(const json::value& scalar);

/// Whether requests of this method say their name, URI or task in Mcp-Name, and by which parameter; empty: they do not.
std::string_view name_parameter(std::string_view method);
inline bool has_name_header(std::string_view method) { return !name_parameter(method).empty(); }

/// Strings and booleans by their text, numbers by their value: 42.0 is 42.
bool says_the_same(std::string_view decoded, const json::value& body);

}  // namespace tenon::web
