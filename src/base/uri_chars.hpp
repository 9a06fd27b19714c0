// The character classes of RFC 3986.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/ascii.hpp"

namespace tenon::base {

constexpr bool is_unreserved(char c) noexcept {
    return is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}
constexpr bool is_sub_delim(char c) noexcept {
    return c != '\0' && std::string_view("!$&'()*+,;=").find(c) != std::string_view::npos;
}
constexpr bool is_reserved(char c) noexcept {
    return is_sub_delim(c) || (c != '\0' && std::string_view(":/?#[]@").find(c) != std::string_view::npos);
}

/// Returns whether `s` has "%" and two hexadecimal digits at the position `at`.
constexpr bool is_percent_encoded(std::string_view s, std::size_t at) noexcept {
    return at + 2 < s.size() && s[at] == '%' && is_hex(s[at + 1]) && is_hex(s[at + 2]);
}

/// Returns the byte that is percent-encoded at the position `at`.
constexpr char percent_encoded_byte(std::string_view s, std::size_t at) noexcept {
    return static_cast<char>(hex_digit(s[at + 1]) << 4 | hex_digit(s[at + 2]));
}

}  // namespace tenon::base
