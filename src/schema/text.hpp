// Classifies ASCII characters without the locale, and decodes code points from UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace tenon::schema {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alnum(char c) { return is_digit(c) || is_alpha(c); }
constexpr int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// Removes the first code point from `s` and returns it. `s` must not be empty. Returns U+FFFD for broken UTF-8.
inline char32_t take_code_point(std::string_view& s) {
    const std::size_t n = base::utf8_sequence(s);
    if (n == 0) {
        s.remove_prefix(base::utf8_broken(s));
        return 0xFFFD;
    }
    const auto lead = static_cast<unsigned char>(s[0]);
    char32_t c = n == 1 ? lead : lead & (0xFFu >> (n + 1));
    for (std::size_t i = 1; i < n; ++i) c = (c << 6) | (static_cast<unsigned char>(s[i]) & 0x3Fu);
    s.remove_prefix(n);
    return c;
}

using base::append_utf8;

}  // namespace tenon::schema
