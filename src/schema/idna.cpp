#include "schema/idna.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "schema/punycode.hpp"
#include "schema/text.hpp"

namespace tenon::schema {
namespace {

using Label = std::u32string;

constexpr char32_t katakana_middle_dot = 0x30FB;
constexpr std::size_t longest_label = 63;  // octets; each character takes at least one

struct Range {
    char32_t first, last;
};

template <std::size_t N>
bool within(char32_t c, const std::array<Range, N>& ranges) {
    return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

// A Unicode category. RE2's tables say which code points belong to it.
class Category {
 public:
    explicit Category(const char* pattern) : re_(pattern, re2::RE2::Quiet) {}
    bool has(char32_t c) const {
        std::string text;
        append_utf8(text, c);
        return re2::RE2::FullMatch(text, re_);
    }

 private:
    re2::RE2 re_;
};

bool is_mark(char32_t c) {
    static const Category marks("\\p{M}");
    return c >= 0x300 && marks.has(c);
}
bool is_nonspacing(char32_t c) {
    static const Category marks("\\p{Mn}");
    return c >= 0x300 && marks.has(c);
}
bool is_letter_mark_or_digit(char32_t c) {
    static const Category allowed("[\\p{Ll}\\p{Lo}\\p{Lm}\\p{Mn}\\p{Mc}\\p{Nd}]");
    return allowed.has(c);
}
bool is_greek(char32_t c) {
    static const Category script("\\p{Greek}");
    return script.has(c);
}
bool is_hebrew(char32_t c) {
    static const Category script("\\p{Hebrew}");
    return script.has(c);
}
bool is_arabic(char32_t c) {
    static const Category script("[\\p{Arabic}\\p{Syriac}]");
    return script.has(c);
}
bool is_japanese(char32_t c) {
    static const Category script("[\\p{Hiragana}\\p{Katakana}\\p{Han}]");
    return script.has(c);
}

// RFC 5892, section 2.6: exceptions, which are allowed or disallowed regardless of their category.
bool is_allowed_exception(char32_t c) {
    constexpr std::array allowed{Range{0xDF, 0xDF}, Range{0x3C2, 0x3C2}, Range{0x6FD, 0x6FE}, Range{0xF0B, 0xF0B},
                                 Range{0x3007, 0x3007}};
    return within(c, allowed);
}
bool is_disallowed_exception(char32_t c) {
    constexpr std::array disallowed{Range{0x640, 0x640}, Range{0x7FA, 0x7FA}, Range{0x302E, 0x302F},
                                    Range{0x3031, 0x3035}, Range{0x303B, 0x303B}};
    // Compatibility forms: normalisation turns them into other characters.
    constexpr std::array compatibility{Range{0x2100, 0x214F},  Range{0xF900, 0xFAFF}, Range{0xFB00, 0xFB4F},
                                       Range{0xFB50, 0xFDFF},  Range{0xFE70, 0xFEFF}, Range{0xFF00, 0xFFEF},
                                       Range{0x1D400, 0x1D7FF}};
    return within(c, disallowed) || within(c, compatibility);
}

bool is_virama(char32_t c) {
    constexpr std::array viramas{
        Range{0x94D, 0x94D},     Range{0x9CD, 0x9CD},     Range{0xA4D, 0xA4D},     Range{0xACD, 0xACD},
        Range{0xB4D, 0xB4D},     Range{0xBCD, 0xBCD},     Range{0xC4D, 0xC4D},     Range{0xCCD, 0xCCD},
        Range{0xD3B, 0xD3C},     Range{0xD4D, 0xD4D},     Range{0xDCA, 0xDCA},     Range{0xE3A, 0xE3A},
        Range{0xEBA, 0xEBA},     Range{0xF84, 0xF84},     Range{0x1039, 0x103A},   Range{0x1714, 0x1714},
        Range{0x1734, 0x1734},   Range{0x17D2, 0x17D2},   Range{0x1A60, 0x1A60},   Range{0x1B44, 0x1B44},
        Range{0x1BAA, 0x1BAB},   Range{0x1BF2, 0x1BF3},   Range{0x2D7F, 0x2D7F},   Range{0xA806, 0xA806},
        Range{0xA8C4, 0xA8C4},   Range{0xA953, 0xA953},   Range{0xA9C0, 0xA9C0},   Range{0xAAF6, 0xAAF6},
        Range{0xABED, 0xABED},   Range{0x10A3F, 0x10A3F}, Range{0x11046, 0x11046}, Range{0x1107F, 0x1107F},
        Range{0x110B9, 0x110B9}, Range{0x11133, 0x11134}, Range{0x111C0, 0x111C0}};
    return within(c, viramas);
}

// Arabic letters that join only to the letter before them.
bool joins_right_only(char32_t c) {
    constexpr std::array letters{Range{0x622, 0x625}, Range{0x627, 0x627}, Range{0x629, 0x629}, Range{0x62F, 0x632},
                                 Range{0x648, 0x648}, Range{0x671, 0x673}, Range{0x675, 0x677}, Range{0x688, 0x699},
                                 Range{0x6C0, 0x6C0}, Range{0x6C3, 0x6CB}, Range{0x6CD, 0x6CD}, Range{0x6CF, 0x6CF},
                                 Range{0x6D2, 0x6D3}, Range{0x6D5, 0x6D5}, Range{0x6EE, 0x6EF}};
    return within(c, letters);
}

bool stands_between_joining_letters(const Label& s, std::size_t i) {
    std::size_t before = i, after = i + 1;
    while (before > 0 && is_nonspacing(s[before - 1])) --before;
    while (after < s.size() && is_nonspacing(s[after])) ++after;
    return before > 0 && after < s.size() && is_arabic(s[before - 1]) && !joins_right_only(s[before - 1]) &&
           is_arabic(s[after]);
}

bool has_any_in(const Label& s, char32_t first, char32_t last) {
    return std::any_of(s.begin(), s.end(), [=](char32_t c) { return c >= first && c <= last; });
}

bool has_japanese(const Label& s) {
    return std::any_of(s.begin(), s.end(), [](char32_t c) { return c != katakana_middle_dot && is_japanese(c); });
}

// RFC 5892, appendix A: characters that are allowed in certain contexts only. Returns nothing for all other characters.
std::optional<bool> allowed_in_context(const Label& s, std::size_t i) {
    const char32_t before = i > 0 ? s[i - 1] : 0, after = i + 1 < s.size() ? s[i + 1] : 0;
    const char32_t c = s[i];
    if (c == 0xB7) return before == 'l' && after == 'l';
    if (c == 0x375) return after != 0 && is_greek(after);
    if (c == 0x5F3 || c == 0x5F4) return before != 0 && is_hebrew(before);
    // The result is the same for all middle dots of a label, so only the first one searches the label.
    if (c == katakana_middle_dot) return s.find(katakana_middle_dot) < i || has_japanese(s);
    if (c == 0x200D) return is_virama(before);
    if (c == 0x200C) return is_virama(before) || stands_between_joining_letters(s, i);
    if (c >= 0x660 && c <= 0x669) return !has_any_in(s, 0x6F0, 0x6F9);
    if (c >= 0x6F0 && c <= 0x6F9) return !has_any_in(s, 0x660, 0x669);
    return std::nullopt;
}

bool is_allowed(const Label& s, std::size_t i) {
    const char32_t c = s[i];
    if (c < 0x80) return is_alnum(static_cast<char>(c)) || c == '-';
    if (const auto verdict = allowed_in_context(s, i)) return *verdict;
    if (is_allowed_exception(c)) return true;
    return !is_disallowed_exception(c) && is_letter_mark_or_digit(c);
}

enum class Direction { left, right, arabic_number, number, mark, other };

Direction direction(char32_t c) {
    if (c == '-') return Direction::other;
    if ((c >= '0' && c <= '9') || (c >= 0x6F0 && c <= 0x6F9)) return Direction::number;
    if ((c >= 0x660 && c <= 0x669) || c == 0x66B || c == 0x66C) return Direction::arabic_number;
    if (is_nonspacing(c) || c == 0x200C || c == 0x200D) return Direction::mark;
    constexpr std::array right{Range{0x590, 0x8FF}, Range{0xFB1D, 0xFDFF}, Range{0xFE70, 0xFEFF},
                               Range{0x10800, 0x10FFF}, Range{0x1E800, 0x1EFFF}};
    return within(c, right) ? Direction::right : Direction::left;
}

bool is_right_to_left(const Label& s) {
    return std::any_of(s.begin(), s.end(), [](char32_t c) {
        const Direction d = direction(c);
        return d == Direction::right || d == Direction::arabic_number;
    });
}

// RFC 5893, section 2. All labels of a name must satisfy it if one of them is written from right to left.
bool keeps_bidi_rule(const Label& s) {
    const Direction first = direction(s[0]);
    if (first != Direction::left && first != Direction::right) return false;
    bool number = false, arabic_number = false;
    Direction last = first;
    for (const char32_t c : s) {
        const Direction d = direction(c);
        number |= d == Direction::number;
        arabic_number |= d == Direction::arabic_number;
        if (d == Direction::left || d == Direction::right)
            if (d != first) return false;
        if (d != Direction::mark) last = d;
    }
    if (last == Direction::other) return false;
    return first == Direction::right ? !(number && arabic_number) : !arabic_number;
}

bool is_u_label(const Label& s) {
    if (s.empty() || s.front() == '-' || s.back() == '-' || is_mark(s[0])) return false;
    if (s.size() > 3 && s[2] == '-' && s[3] == '-') return false;
    for (std::size_t i = 0; i < s.size(); ++i)
        if (!is_allowed(s, i)) return false;
    return true;
}

bool is_ascii(const Label& s) {
    return std::all_of(s.begin(), s.end(), [](char32_t c) { return c < 0x80; });
}

std::string lowered(std::string_view s) {
    std::string out(s);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

// Returns the Unicode form of an A-label. Returns nothing if the A-label is not the canonical Punycode of it.
std::optional<Label> decoded_a_label(std::string_view label) {
    const std::string code = lowered(label.substr(4));
    auto decoded = punycode_decode(code);
    if (!decoded || decoded->empty() || is_ascii(*decoded) || punycode_encode(*decoded) != code) return std::nullopt;
    return is_u_label(*decoded) ? decoded : std::nullopt;
}

// Returns nothing when a label is too long.
std::optional<std::vector<Label>> split_labels(std::string_view name) {
    std::vector<Label> labels(1);
    while (!name.empty()) {
        if (labels.back().size() > longest_label) return std::nullopt;
        const char32_t c = take_code_point(name);
        if (c == '.' || c == 0x3002 || c == 0xFF0E || c == 0xFF61)
            labels.emplace_back();
        else
            labels.back() += c;
    }
    return labels;
}

// Returns the label in Unicode, or nothing when it is not valid. Sets `ascii_size` to the size of its ASCII form.
std::optional<Label> checked_label(const Label& label, std::size_t& ascii_size) {
    if (!is_ascii(label)) {
        ascii_size = 4 + punycode_encode(label).size();
        return is_u_label(label) ? std::optional(label) : std::nullopt;
    }
    const std::string text(label.begin(), label.end());
    ascii_size = text.size();
    if (has_ace_prefix(text)) return decoded_a_label(text);
    return is_u_label(label) ? std::optional(label) : std::nullopt;
}

}  // namespace

bool has_ace_prefix(std::string_view label) { return lowered(label.substr(0, 4)) == "xn--"; }

bool is_a_label(std::string_view label) {
    const auto decoded = label.size() <= longest_label ? decoded_a_label(label) : std::nullopt;
    return decoded && (!is_right_to_left(*decoded) || keeps_bidi_rule(*decoded));
}

bool is_international_host(std::string_view name, std::size_t longest) {
    if (name.size() > 4 * longest) return false;  // a character has at most four bytes
    const auto split = split_labels(name);
    if (!split) return false;
    std::vector<Label> labels;
    std::size_t total = 0;
    for (const Label& label : *split) {
        std::size_t size = 0;
        auto checked = checked_label(label, size);
        if (!checked || size > longest_label) return false;
        total += size + (labels.empty() ? 0 : 1);
        labels.push_back(std::move(*checked));
    }
    if (total > longest) return false;
    if (std::none_of(labels.begin(), labels.end(), is_right_to_left)) return true;
    return std::all_of(labels.begin(), labels.end(), keeps_bidi_rule);
}

}  // namespace tenon::schema
