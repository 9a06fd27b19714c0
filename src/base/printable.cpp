#include "base/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.hpp"

namespace tenon::base {
namespace {

struct Range {
    char32_t first, last;
};

// Sorted, for binary search.
constexpr std::array hidden = {
    Range{0x00, 0x1F},     Range{0x7F, 0x9F},                               // C0, DEL, C1
    Range{0xAD, 0xAD},                                                      // the soft hyphen
    Range{0x034F, 0x034F}, Range{0x061C, 0x061C},                           // grapheme joiner, Arabic letter mark
    Range{0x115F, 0x1160}, Range{0x17B4, 0x17B5},   Range{0x180B, 0x180F},  // fillers and inherent vowels
    Range{0x200B, 0x200F},                                                  // zero width, direction marks
    Range{0x2028, 0x202E},                                                  // line separators, embeddings, overrides
    Range{0x2060, 0x206F},                                                  // joiners, isolates, deprecated controls
    Range{0x3164, 0x3164}, Range{0xFEFF, 0xFEFF},   Range{0xFFA0, 0xFFA0},  // fillers and the byte order mark
    Range{0xFFF9, 0xFFFB}, Range{0x1BCA0, 0x1BCA3}, Range{0x1D173, 0x1D17A}, Range{0xE0000, 0xE0FFF},  // tags
};

// `s` must be one valid UTF-8 sequence.
char32_t decode(std::string_view s) noexcept {
    const auto lead = static_cast<unsigned char>(s[0]);
    if (s.size() == 1) return lead;
    char32_t c = lead & (0x7FU >> s.size());
    for (const char next : s.substr(1)) c = c << 6 | (static_cast<unsigned char>(next) & 0x3FU);
    return c;
}

std::string hexadecimal(char32_t value, std::size_t digits) {
    std::string out;
    for (auto rest = static_cast<std::uint32_t>(value); rest != 0 || out.size() < digits; rest >>= 4)
        out.insert(out.begin(), "0123456789ABCDEF"[rest & 15]);
    return out;
}

std::string visible(std::string_view sequence) {
    const char32_t c = decode(sequence);
    if (c < 0x20 || c == 0x7F) return " ";
    return is_hidden(c) ? "<U+" + hexadecimal(c, 4) + ">" : std::string(sequence);
}

bool is_plain(char c) noexcept { return c >= 0x20 && c < 0x7F; }

}  // namespace

bool is_hidden(char32_t c) noexcept {
    const auto it = std::ranges::lower_bound(hidden, c, {}, &Range::last);
    return it != hidden.end() && it->first <= c;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes && std::ranges::all_of(text, is_plain)) return std::string(text);
    std::string out;
    while (!text.empty()) {
        const std::size_t n = utf8_sequence(text);
        const std::string next =
            n != 0 ? visible(text.substr(0, n)) : "<" + hexadecimal(static_cast<unsigned char>(text[0]), 2) + ">";
        if (next.size() > max_bytes - out.size()) return out + "\u2026";
        out += next;
        text.remove_prefix(std::max<std::size_t>(n, 1));
    }
    return out;
}

}  // namespace tenon::base
