// Base64 and base64url (RFC 4648): one spelling a value, so that decoding never hides a second form.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::base {

/// The standard alphabet, padded with "=".
std::string base64_encode(std::string_view bytes);

/// Nothing when `text` has whitespace, a foreign character, wrong padding, or bits set after the last byte.
std::optional<std::string> base64_decode(std::string_view text);

/// The alphabet that is safe in URLs and file names, without padding.
std::string base64url_encode(std::string_view bytes);

/// As strict as base64_decode; padding is refused too.
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace tenon::base
