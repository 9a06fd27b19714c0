// The characters that a reader does not see, or that change how other characters are shown.
#pragma once

#include <algorithm>
#include <array>

#pragma GCC visibility push(default)

namespace tenon::detail {

struct CharacterRange {
    char32_t first, last;
};

/// Returns whether one of the ranges, which must be sorted, contains `c`.
template <std::size_t N>
constexpr bool contains(const std::array<CharacterRange, N>& ranges, char32_t c) noexcept {
    const auto it = std::ranges::lower_bound(ranges, c, {}, &CharacterRange::last);
    return it != ranges.end() && it->first <= c;
}

inline constexpr std::array hidden_characters = {
    CharacterRange{0x00, 0x1F},       CharacterRange{0x7F, 0x9F},        // C0, DEL, C1
    CharacterRange{0xAD, 0xAD},                                          // the soft hyphen
    CharacterRange{0x034F, 0x034F},   CharacterRange{0x061C, 0x061C},    // grapheme joiner, Arabic letter mark
    CharacterRange{0x115F, 0x1160},   CharacterRange{0x17B4, 0x17B5},    // fillers and inherent vowels
    CharacterRange{0x180B, 0x180F},                                      // Mongolian selectors
    CharacterRange{0x200B, 0x200F},                                      // zero width, direction marks
    CharacterRange{0x2028, 0x202E},                                      // line separators, embeddings, overrides
    CharacterRange{0x2060, 0x206F},                                      // joiners, isolates, deprecated controls
    CharacterRange{0x3164, 0x3164},   CharacterRange{0xFEFF, 0xFEFF},    // filler, byte order mark
    CharacterRange{0xFFA0, 0xFFA0},   CharacterRange{0xFFF0, 0xFFFB},    // filler, annotation marks
    CharacterRange{0x1BCA0, 0x1BCA3}, CharacterRange{0x1D173, 0x1D17A},  // controls of shorthand and of music
    CharacterRange{0xE0000, 0xE0FFF},                                    // tags
};

/// Returns whether `c` is a control character, or is invisible, or can reorder text on a screen: C0, DEL, C1,
/// bidirectional controls, line separators, zero-width and other invisible characters. Variation selectors are not
/// hidden: they change the look of the character before them.
constexpr bool is_hidden(char32_t c) noexcept { return contains(hidden_characters, c); }

}  // namespace tenon::detail

#pragma GCC visibility pop
