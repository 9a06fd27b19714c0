// Code points: read from UTF-8, and what a terminal makes of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::program {

/// One step through bytes that should be UTF-8.
struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 0;  ///< length; 1 for invalid UTF-8
    bool valid = false;
};

CodePoint first_code_point(std::string_view bytes);

/// Whether a terminal would obey it, or would not show it: C0, DEL, C1, bidirectional controls, invisible characters.
bool is_dangerous(char32_t c);

/// A variation selector that only says how the symbol before it looks.
bool is_emoji_style(char32_t c);

/// Returns the columns of a code point on a terminal: 0, 1 or 2.
std::size_t columns(char32_t c);
std::size_t columns(std::string_view utf8);

/// "<U+001B>"
std::string visible_name(char32_t c);

}  // namespace tenon::program
