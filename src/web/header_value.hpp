// Encodes, decodes and compares the values of headers that repeat a part of the body.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::web {

/// Decodes a header value. A value "=?base64?...?=" is decoded into `memory`; other values are returned as they are.
/// Returns nullopt for a character that such a header must not have, and for malformed base64.
std::optional<std::string_view> decode_header_value(std::string_view value, std::string& memory);
std::optional<std::string> decode_header_value(std::string_view value);

/// Encodes a text for a header. Uses "=?base64?...?=" when the text has characters that a header cannot carry, or looks
/// like an encoded value itself.
std::string encode_header_value(std::string_view text);
std::string encode_header_scalar(const json::value& scalar);

/// Returns whether a decoded header equals a value of the body. Compares strings and booleans as text, and numbers by
/// value: 42.0 equals 42.
bool says_the_same(std::string_view decoded, const json::value& body);

}  // namespace tenon::web
