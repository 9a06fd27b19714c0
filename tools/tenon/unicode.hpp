// Reads code points from UTF-8 and knows how a terminal shows them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::program {

/// The first code point of some bytes that should be UTF-8.
struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 0;  ///< length; 1 for invalid UTF-8
    bool valid = false;
};

CodePoint first_code_point(std::string_view bytes);

/// Returns whether a terminal would obey the character or not show it: C0, DEL, C1, bidirectional controls, invisible
/// characters.
bool is_dangerous(char32_t c);

/// Returns whether this is a variation selector that only changes the look of the symbol before it.
bool is_emoji_style(char32_t c);

/// Returns the columns of a code point on a terminal: 0, 1 or 2.
std::size_t columns(char32_t c);
std::size_t columns(std::string_view utf8);

/// Returns text such as "<U+001B>".
std::string visible_name(char32_t c);

}  // namespace tenon::program
