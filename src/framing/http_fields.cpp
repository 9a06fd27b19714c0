#include "framing/http_fields.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tenon::framing {
namespace {

// What a byte may be part of, and its small letter: every byte of every head is looked up.
struct ByteTable {
    std::array<bool, 256> token = {}, value = {};
    std::array<char, 256> lower = {};

    constexpr ByteTable() {
        for (unsigned u = 0; u < 256; ++u) {
            const char c = static_cast<char>(u);
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            token[u] = letter || (c >= '0' && c <= '9') ||
                       (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
            // Printable ASCII, tab, and the bytes above, which old software sends and nobody interprets.
            value[u] = c == '\t' || (u >= 0x20 && u != 0x7f);
            lower[u] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        }
    }
};
constexpr ByteTable bytes;

constexpr std::size_t at(char c) { return static_cast<unsigned char>(c); }
bool is_token_char(char c) { return bytes.token[at(c)]; }
bool is_value_char(char c) { return bytes.value[at(c)]; }

}  // namespace

bool same_ignoring_case(const char* a, const char* b, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i)
        if (bytes.lower[at(a[i])] != bytes.lower[at(b[i])]) return false;
    return true;
}

std::string_view trimmed(std::string_view s) noexcept {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

bool is_token(std::string_view s) noexcept { return !s.empty() && std::ranges::all_of(s, is_token_char); }

std::optional<std::uint64_t> parse_decimal(std::string_view digits) noexcept {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return n;
}

bool HttpFields::parse(std::string_view lines, std::size_t max_fields, std::string& why) {
    fields_.clear();
    while (!lines.empty()) {
        const std::size_t end = lines.find("\r\n");
        const std::string_view line = lines.substr(0, end);
        lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 2);
        if (fields_.size() == max_fields)
            return why = "more than " + std::to_string(max_fields) + " header fields", false;
        if (line.starts_with(' ') || line.starts_with('\t')) return why = "a folded header line", false;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) return why = "a header line without a colon", false;
        const HttpField field{line.substr(0, colon), trimmed(line.substr(colon + 1))};
        if (!is_token(field.name)) return why = "a header name that is no token", false;
        if (!std::ranges::all_of(field.value, is_value_char)) return why = "a control character in a header", false;
        fields_.push_back(field);
    }
    return true;
}

std::optional<std::string_view> HttpFields::only(std::string_view name) const {
    std::optional<std::string_view> found;
    for (const HttpField& field : fields_) {
        if (!equal_ignoring_case(field.name, name)) continue;
        if (found) return std::nullopt;
        found = field.value;
    }
    return found;
}

std::size_t HttpFields::count(std::string_view name) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(fields_, [&](const HttpField& f) { return equal_ignoring_case(f.name, name); }));
}

}  // namespace tenon::framing
