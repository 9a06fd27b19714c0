// Base64 and base64url (RFC 4648). Decoding is strict: each value has exactly one valid encoding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// Encodes with the standard alphabet, padded with "=".
std::string base64_encode(std::string_view bytes);

/// Returns nullopt when `text` has whitespace, a character outside the alphabet, wrong padding, or bits set after the
/// last byte.
std::optional<std::string> base64_decode(std::string_view text);

/// Encodes with the alphabet for URLs and file names, without padding.
std::string base64url_encode(std::string_view bytes);

/// As strict as base64_decode(). Refuses padding, too.
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace tenon::base

#pragma GCC visibility pop
