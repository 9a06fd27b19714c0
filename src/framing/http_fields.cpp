#include "framing/http_fields.hpp"

#include <algorithm>
#include <charconv>

namespace tenon::framing {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_token_char(char c) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    return std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

// Printable ASCII, tab, and the bytes above, which old software sends and nobody interprets.
bool is_value_char(char c) {
    const auto u = static_cast<unsigned char>(c);
    return c == '\t' || (u >= 0x20 && u != 0x7f);
}

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
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
