#include "check/server/unsafe_text.hpp"

#include <algorithm>
#include <array>

namespace tenon::check {
namespace {

struct Range {
    char32_t first, last;
};
// Zero-width characters, bidirectional overrides, invisible operators and tags. The joiners are allowed, because emoji
// and scripts need them.
constexpr std::array<Range, 4> hidden_ranges = {Range{0x202A, 0x202E}, Range{0x2060, 0x2064}, Range{0xFEFF, 0xFEFF},
                                                Range{0xE0000, 0xE007F}};
// Scripts without spaces, such as Thai and Khmer, mark the ends of words with a space of no width.
constexpr char32_t zero_width_space = 0x200B;
constexpr std::array<Range, 3> without_spaces = {Range{0x0E00, 0x0EFF}, Range{0x1000, 0x109F}, Range{0x1780, 0x17FF}};
// Marks that texts in Hebrew or Arabic need.
constexpr std::array<Range, 2> direction_marks = {Range{0x200E, 0x200F}, Range{0x2066, 0x2069}};
constexpr std::array<Range, 3> right_to_left = {Range{0x0590, 0x08FF}, Range{0xFB1D, 0xFDFF}, Range{0xFE70, 0xFEFC}};
// The flags of England, Scotland and Wales are a black flag with tags.
constexpr char32_t black_flag = 0x1F3F4;
constexpr Range tags = {0xE0020, 0xE007F};

bool is_in(char32_t c, Range range) { return range.first <= c && c <= range.last; }
template <class Ranges>
bool is_in_any(char32_t c, const Ranges& ranges) {
    return std::ranges::any_of(ranges, [&](Range range) { return is_in(c, range); });
}

// Removes the next code point and returns it. The text must be valid UTF-8.
char32_t next_point(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    if (text.size() < length) {
        text = {};
        return 0;
    }
    char32_t out = length == 1 ? byte(0) : byte(0) & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) out = (out << 6) | (byte(i) & 0x3F);
    text.remove_prefix(length);
    return out;
}

template <class IsBad>
bool any_point(std::string_view text, IsBad is_bad) {
    while (!text.empty())
        if (is_bad(next_point(text))) return true;
    return false;
}

}  // namespace

bool has_terminal_escape(std::string_view text) {
    return any_point(
        text, [](char32_t c) { return (c < 0x20 && c != '\n' && c != '\t' && c != '\r') || (c >= 0x7F && c <= 0x9F); });
}

bool has_hidden_text(std::string_view text) {
    const bool needs_marks = any_point(text, [](char32_t c) { return is_in_any(c, right_to_left); });
    const bool needs_breaks = any_point(text, [](char32_t c) { return is_in_any(c, without_spaces); });
    bool in_flag = false;
    return any_point(text, [&](char32_t c) {
        in_flag = c == black_flag || (in_flag && is_in(c, tags));
        if (c == zero_width_space) return !needs_breaks;
        return (is_in_any(c, hidden_ranges) && !in_flag) || (is_in_any(c, direction_marks) && !needs_marks);
    });
}

bool shows_its_insides(std::string_view text) {
    const std::array<std::string_view, 5> signs = {"\\n    at ", "Traceback (most recent call last)", "goroutine ",
                                                   "stack backtrace:", "Exception in thread"};
    return std::ranges::any_of(signs, [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

std::optional<std::string> text_that(const json::value& value, bool (*is_bad)(std::string_view)) {
    if (value.is_string() && is_bad(value.get_string())) return std::string(value.get_string());
    if (const json::array* list = value.if_array()) {
        for (const json::value& entry : *list)
            if (auto found = text_that(entry, is_bad)) return found;
    } else if (const json::object* object = value.if_object()) {
        for (const auto& member : *object)
            if (auto found = text_that(member.value(), is_bad)) return found;
    }
    return std::nullopt;
}

}  // namespace tenon::check
