// Names of base for characters, and decoding of code points from text that may be broken UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace tenon::schema {

using base::append_utf8;
using base::hex_digit;
using base::is_alnum;
using base::is_alpha;
using base::is_digit;

/// Removes the first code point from `s` and returns it. `s` must not be empty. Returns U+FFFD for broken UTF-8.
inline char32_t take_code_point(std::string_view& s) {
    const std::size_t n = base::utf8_sequence(s);
    if (n == 0) {
        s.remove_prefix(base::utf8_broken(s));
        return 0xFFFD;
    }
    const char32_t c = base::decode_utf8(s.substr(0, n));
    s.remove_prefix(n);
    return c;
}

}  // namespace tenon::schema
