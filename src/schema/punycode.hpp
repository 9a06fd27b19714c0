// Punycode (RFC 3492): Unicode labels in ASCII.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tenon::schema {

/// Decodes a label without its "xn--". Returns nothing when it is not Punycode.
std::optional<std::u32string> punycode_decode(std::string_view s);
std::string punycode_encode(std::u32string_view label);

}  // namespace tenon::schema
