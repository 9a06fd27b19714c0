#include "schema/punycode.hpp"

#include <algorithm>
#include <cstdint>

#include "schema/text.hpp"

namespace tenon::schema {
namespace {

constexpr std::uint32_t base = 36, t_min = 1, t_max = 26, skew = 38, damp = 700, first_bias = 72,
                        first_code_point = 128;
constexpr std::size_t longest_label = 256;

std::uint32_t adapted(std::uint32_t delta, std::uint32_t points, bool first) {
    delta = first ? delta / damp : delta / 2;
    delta += delta / points;
    std::uint32_t k = 0;
    for (; delta > ((base - t_min) * t_max) / 2; k += base) delta /= base - t_min;
    return k + (base - t_min + 1) * delta / (delta + skew);
}

std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) { return k <= bias ? t_min : std::min(k - bias, t_max); }

char digit(std::uint32_t d) { return static_cast<char>(d < 26 ? 'a' + d : '0' + (d - 26)); }

std::optional<std::uint32_t> digit_value(char c) {
    if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a');
    if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
    if (is_digit(c)) return static_cast<std::uint32_t>(c - '0' + 26);
    return std::nullopt;
}

}  // namespace

std::optional<std::u32string> punycode_decode(std::string_view s) {
    if (s.size() > longest_label) return std::nullopt;
    const auto dash = s.rfind('-');
    std::u32string out;
    for (const char c : s.substr(0, dash == s.npos ? 0 : dash)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= first_code_point) return std::nullopt;
        out += byte;
    }
    s.remove_prefix(dash == s.npos ? 0 : dash + 1);
    std::uint64_t n = first_code_point, i = 0;
    std::uint32_t bias = first_bias;
    while (!s.empty()) {
        const std::uint64_t old = i;
        std::uint64_t weight = 1;
        for (std::uint32_t k = base;; k += base) {
            if (s.empty()) return std::nullopt;
            const auto d = digit_value(s[0]);
            s.remove_prefix(1);
            if (!d) return std::nullopt;
            i += *d * weight;
            if (i > UINT32_MAX) return std::nullopt;
            const std::uint32_t t = threshold(k, bias);
            if (*d < t) break;
            weight *= base - t;
            if (weight > UINT32_MAX) return std::nullopt;
        }
        const auto points = static_cast<std::uint32_t>(out.size() + 1);
        bias = adapted(static_cast<std::uint32_t>(i - old), points, old == 0);
        n += i / points;
        i %= points;
        if (n > 0x10FFFF || (n >= 0xD800 && n <= 0xDFFF)) return std::nullopt;
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(i), static_cast<char32_t>(n));
        ++i;
    }
    return out;
}

std::string punycode_encode(std::u32string_view label) {
    std::string out;
    for (const char32_t c : label)
        if (c < 0x80) out += static_cast<char>(c);
    std::size_t handled = out.size();
    const std::size_t basic = handled;
    if (basic > 0) out += '-';
    std::uint32_t n = first_code_point, bias = first_bias;
    std::uint64_t delta = 0;
    while (handled < label.size()) {
        char32_t next = 0x110000;
        for (const char32_t c : label)
            if (c >= n) next = std::min(next, c);
        delta += static_cast<std::uint64_t>(next - n) * (handled + 1);
        n = next;
        for (const char32_t c : label) {
            if (c < n) ++delta;
            if (c != n) continue;
            std::uint64_t q = delta;
            for (std::uint32_t k = base;; k += base) {
                const std::uint32_t t = threshold(k, bias);
                if (q < t) break;
                out += digit(static_cast<std::uint32_t>(t + (q - t) % (base - t)));
                q = (q - t) / (base - t);
            }
            out += digit(static_cast<std::uint32_t>(q));
            bias =
                adapted(static_cast<std::uint32_t>(delta), static_cast<std::uint32_t>(handled + 1), handled == basic);
            delta = 0;
            ++handled;
        }
        ++delta;
        ++n;
    }
    return out;
}

}  // namespace tenon::schema
