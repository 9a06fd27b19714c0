#include "skills/yaml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tenon::skills {
namespace {

bool all_of(std::string_view text, std::string_view allowed) {
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

constexpr std::string_view digits = "0123456789";

std::optional<json::value> based_integer(std::string_view text, int base) {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n <= INT64_MAX ? json::value(static_cast<std::int64_t>(n)) : json::value(n);
}

// [-+]? ( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?
bool looks_like_number(std::string_view s) {
    const auto skip_digits = [&s] {
        const std::size_t n = std::min(s.find_first_not_of(digits), s.size());
        s.remove_prefix(n);
        return n;
    };
    if (s.starts_with('-') || s.starts_with('+')) s.remove_prefix(1);
    std::size_t mantissa = skip_digits();
    if (s.starts_with('.')) {
        s.remove_prefix(1);
        mantissa += skip_digits();
    }
    if (mantissa == 0) return false;
    if (s.empty() || (s[0] != 'e' && s[0] != 'E')) return s.empty();
    s.remove_prefix(1);
    if (s.starts_with('-') || s.starts_with('+')) s.remove_prefix(1);
    return skip_digits() > 0 && s.empty();
}

std::optional<json::value> number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const char* last = text.data() + text.size();
    std::int64_t n = 0;
    if (const auto [end, error] = std::from_chars(text.data(), last, n); error == std::errc() && end == last)
        return json::value(n);
    double d = 0;
    const auto [end, error] = std::from_chars(text.data(), last, d);
    if (error != std::errc() || end != last || !std::isfinite(d)) return std::nullopt;
    return json::value(d);
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

}  // namespace

std::optional<json::value> plain_value(std::string_view text) {
    if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return json::value(nullptr);
    if (is_one_of(text, {"true", "True", "TRUE"})) return json::value(true);
    if (is_one_of(text, {"false", "False", "FALSE"})) return json::value(false);
    if (text.starts_with("0o") && all_of(text.substr(2), "01234567")) return based_integer(text.substr(2), 8);
    if (text.starts_with("0x") && all_of(text.substr(2), "0123456789abcdefABCDEF"))
        return based_integer(text.substr(2), 16);
    if (looks_like_number(text)) return number(text);
    std::string_view word = text;
    if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
    if (is_one_of(word, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"})) return std::nullopt;
    return json::value(text);
}

std::string join_block(const std::vector<std::string_view>& lines, bool folded, Chomp chomp) {
    std::size_t used = lines.size();
    while (used > 0 && lines[used - 1].empty()) --used;
    std::string out;
    std::size_t blank = 0;
    bool first = true, before_was_deeper = false;
    for (std::size_t i = 0; i < used; ++i) {
        if (lines[i].empty()) {
            ++blank;
            continue;
        }
        const bool deeper = lines[i][0] == ' ' || lines[i][0] == '\t';
        const bool keeps_breaks = !folded || deeper || before_was_deeper;
        if (!first && !keeps_breaks && blank == 0) out += ' ';
        out.append(blank + (!first && keeps_breaks ? 1 : 0), '\n');
        out += lines[i];
        first = false;
        before_was_deeper = deeper;
        blank = 0;
    }
    if (chomp == Chomp::keep) out.append(lines.size() - used + (used > 0 ? 1 : 0), '\n');
    if (chomp == Chomp::clip && used > 0) out += '\n';
    return out;
}

}  // namespace tenon::skills
