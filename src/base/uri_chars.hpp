// The character classes of RFC 3986.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::base {

constexpr bool is_alpha(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
constexpr bool is_hex(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

constexpr bool is_unreserved(char c) noexcept {
    return is_alpha(c) || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
}
constexpr bool is_sub_delim(char c) noexcept {
    return c != '\0' && std::string_view("!$&'()*+,;=").find(c) != std::string_view::npos;
}
constexpr bool is_reserved(char c) noexcept {
    return is_sub_delim(c) || (c != '\0' && std::string_view(":/?#[]@").find(c) != std::string_view::npos);
}

/// Returns the value of a hexadecimal digit.
constexpr unsigned hex_value(char c) noexcept {
    return static_cast<unsigned>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
}

/// Returns whether `s` has "%" and two hexadecimal digits at the position `at`.
constexpr bool is_percent_encoded(std::string_view s, std::size_t at) noexcept {
    return at + 2 < s.size() && s[at] == '%' && is_hex(s[at + 1]) && is_hex(s[at + 2]);
}

}  // namespace tenon::base
