#include "framing/http_fields.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

namespace tenon::framing {
namespace {

// The properties of each byte, and its lower case. A table, because every byte of every head is looked up.
struct ByteTable {
    std::array<bool, 256> token = {}, value = {};
    std::array<char, 256> lower = {};

    constexpr ByteTable() {
        for (unsigned u = 0; u < 256; ++u) {
            const char c = static_cast<char>(u);
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            token[u] = letter || (c >= '0' && c <= '9') ||
                       (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
            // Printable ASCII, tab, and bytes from 0x80 on, which old software sends. Nothing interprets those.
            value[u] = c == '\t' || (u >= 0x20 && u != 0x7f);
            lower[u] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        }
    }
};
constexpr ByteTable byte_table;

constexpr std::size_t at(char c) { return static_cast<unsigned char>(c); }
bool is_token_char(char c) { return byte_table.token[at(c)]; }
bool is_value_char(char c) { return byte_table.value[at(c)]; }

// Sets the top bit of the first of eight bytes that is below a space or is DEL. The bits of later bytes may be wrong.
std::uint64_t first_control(const char* eight) {
    constexpr std::uint64_t each = 0x0101010101010101, tops = 0x80 * each;
    std::uint64_t word = 0;
    std::memcpy(&word, eight, sizeof word);
    const std::uint64_t below = (word - 0x20 * each) & ~word;
    const std::uint64_t other = word ^ (0x7f * each);  // a byte is zero where `word` has DEL
    return (below | ((other - each) & ~other)) & tops;
}

// Returns the first byte that is not allowed in a value, or `end`.
const char* end_of_value(const char* at, const char* end) {
    while (std::endian::native == std::endian::little && end - at >= 8) {
        const std::uint64_t control = first_control(at);
        at += control == 0 ? 8 : std::countr_zero(control) / 8;
        if (control == 0) continue;
        if (*at != '\t') return at;
        ++at;
    }
    while (at != end && is_value_char(*at)) ++at;
    return at;
}

std::string why_no_field(std::string_view line) {
    if (line.starts_with(' ') || line.starts_with('\t')) return "a folded header line";
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return "a header line without a colon";
    if (!is_token(line.substr(0, colon))) return "a header name that is not a valid token";
    return "a control character in a header";
}

}  // namespace

bool same_ignoring_case(const char* a, const char* b, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i)
        if (byte_table.lower[at(a[i])] != byte_table.lower[at(b[i])]) return false;
    return true;
}

bool is_token(std::string_view s) noexcept { return !s.empty() && std::ranges::all_of(s, is_token_char); }

std::optional<std::uint64_t> parse_decimal(std::string_view digits) noexcept {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return n;
}

bool HttpFields::parse(std::string_view lines, std::size_t max_fields, std::string& why) {
    clear();
    max_fields = std::min<std::size_t>(max_fields, std::numeric_limits<std::uint16_t>::max());
    const char* const end = lines.data() + lines.size();
    for (const char* line = lines.data(); line != end;) {
        if (fields_.size() == max_fields)
            return why = "more than " + std::to_string(max_fields) + " header fields", false;
        const std::string_view rest(line, static_cast<std::size_t>(end - line));
        const std::size_t colon = rest.find(':');
        const HttpName name(rest.substr(0, colon));
        const char* const value = colon == std::string_view::npos ? end : line + colon + 1;
        const char* const stop = end_of_value(value, end);
        const bool ends = stop == end || (end - stop >= 2 && stop[0] == '\r' && stop[1] == '\n');
        if (colon == std::string_view::npos || !ends || (name.number() == 0 && !is_token(name.text())))
            return why = why_no_field(rest.substr(0, rest.find("\r\n"))), false;
        Seen& seen = seen_[name.number()];
        if (seen.count++ == 0) seen.first = static_cast<std::uint16_t>(fields_.size());
        fields_.push_back({name.text(), trimmed({value, static_cast<std::size_t>(stop - value)})});
        line = stop == end ? end : stop + 2;
    }
    return true;
}

HttpFields::Seen HttpFields::look_through(std::string_view name) const {
    Seen seen;
    for (std::uint16_t i = 0; i < fields_.size(); ++i)
        if (equal_ignoring_case(fields_[i].name, name) && seen.count++ == 0) seen.first = i;
    return seen;
}

}  // namespace tenon::framing
