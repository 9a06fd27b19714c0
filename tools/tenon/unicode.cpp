#include "unicode.hpp"

#include <array>
#include <cstdint>

#include <tenon/detail/hidden_characters.hpp>

namespace tenon::program {
namespace {

using Range = detail::CharacterRange;

constexpr Range variation_selectors{0xFE00, 0xFE0F};

constexpr std::array wide = {Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2E80, 0x303E},
                             Range{0x3041, 0x4DBF},   Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97C},
                             Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
                             Range{0xFF01, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F},
                             Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

constexpr std::array combining = {
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A}, Range{0x064B, 0x065F},
    Range{0x0900, 0x0902}, Range{0x0E31, 0x0E31}, Range{0x0E34, 0x0E3A}, Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
    Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F}};

std::size_t length_by_first_byte(unsigned char b) {
    if (b < 0x80) return 1;
    if (b >= 0xC2 && b <= 0xDF) return 2;
    if (b >= 0xE0 && b <= 0xEF) return 3;
    if (b >= 0xF0 && b <= 0xF4) return 4;
    return 0;
}

bool is_shortest_form(char32_t c, std::size_t length) {
    return c >= (length == 2 ? 0x80u : length == 3 ? 0x800u : length == 4 ? 0x10000u : 0u);
}

}  // namespace

CodePoint first_code_point(std::string_view bytes) {
    const auto first = static_cast<unsigned char>(bytes.front());
    const std::size_t length = length_by_first_byte(first);
    const CodePoint broken{first, 1, false};
    if (length == 0 || length > bytes.size()) return broken;
    if (length == 1) return {first, 1, true};
    char32_t c = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(bytes[i]);
        if ((next & 0xC0) != 0x80) return broken;
        c = (c << 6) | (next & 0x3Fu);
    }
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (surrogate || c > 0x10FFFF || !is_shortest_form(c, length)) return broken;
    return {c, length, true};
}

bool is_dangerous(char32_t c) {
    return detail::is_hidden(c) || (c >= variation_selectors.first && c <= variation_selectors.last);
}

bool is_emoji_style(char32_t c) { return c == 0xFE0E || c == 0xFE0F; }

std::size_t columns(char32_t c) {
    if (detail::contains(combining, c)) return 0;
    return detail::contains(wide, c) ? 2 : 1;
}

std::size_t columns(std::string_view utf8) {
    std::size_t out = 0;
    while (!utf8.empty()) {
        const CodePoint c = first_code_point(utf8);
        out += columns(c.value);
        utf8.remove_prefix(c.bytes);
    }
    return out;
}

std::string visible_name(char32_t c) {
    std::string digits;
    for (auto rest = static_cast<std::uint32_t>(c); rest != 0 || digits.size() < 4; rest >>= 4)
        digits.insert(digits.begin(), "0123456789ABCDEF"[rest & 15]);
    return "<U+" + digits + ">";
}

}  // namespace tenon::program
