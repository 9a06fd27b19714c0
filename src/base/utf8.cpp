#include "base/utf8.hpp"

#include <cstdint>

namespace tenon::base {
namespace {

struct Lead {
    std::size_t length;       // of the whole sequence; 0: the byte cannot start a sequence
    unsigned char low, high;  // range of the second byte
};

Lead lead(unsigned char c) noexcept {
    if (c >= 0xC2 && c <= 0xDF) return {2, 0x80, 0xBF};
    if (c == 0xE0) return {3, 0xA0, 0xBF};
    if (c == 0xED) return {3, 0x80, 0x9F};
    if (c >= 0xE1 && c <= 0xEF) return {3, 0x80, 0xBF};
    if (c == 0xF0) return {4, 0x90, 0xBF};
    if (c >= 0xF1 && c <= 0xF3) return {4, 0x80, 0xBF};
    if (c == 0xF4) return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

// Returns how many bytes of `s` fit the sequence that its first byte starts.
std::size_t matched(std::string_view s, const Lead& l) noexcept {
    std::size_t n = 1;
    while (n < l.length && n < s.size()) {
        const auto c = static_cast<unsigned char>(s[n]);
        if (n == 1 ? (c < l.low || c > l.high) : (c < 0x80 || c > 0xBF)) break;
        ++n;
    }
    return n;
}

}  // namespace

std::size_t utf8_sequence(std::string_view s) noexcept {
    if (s.empty()) return 0;
    const auto c = static_cast<unsigned char>(s[0]);
    if (c < 0x80) return 1;
    const Lead l = lead(c);
    return l.length != 0 && matched(s, l) == l.length ? l.length : 0;
}

std::size_t utf8_broken(std::string_view s) noexcept {
    const Lead l = lead(static_cast<unsigned char>(s[0]));
    return l.length == 0 ? 1 : matched(s, l);
}

bool is_utf8(std::string_view s) noexcept {
    while (!s.empty()) {
        const std::size_t n = utf8_sequence(s);
        if (n == 0) return false;
        s.remove_prefix(n);
    }
    return true;
}

std::size_t utf8_length(std::string_view s) noexcept {
    std::size_t n = 0;
    for (const char c : s) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return n;
}

std::string_view utf8_first(std::string_view s, std::size_t count) noexcept {
    std::size_t end = 0;
    for (; count > 0 && end < s.size(); --count) {
        const std::size_t n = utf8_sequence(s.substr(end));
        end += n == 0 ? 1 : n;
    }
    return s.substr(0, end);
}

std::string shorten(std::string_view s, std::size_t max_bytes) {
    if (s.size() <= max_bytes) return std::string(s);
    std::size_t end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(s[end]) & 0xC0) == 0x80) --end;
    return std::string(s.substr(0, end)) + "\u2026";
}

void append_utf8(std::string& out, char32_t c) {
    const auto put = [&out](char32_t byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (c < 0x80) return put(c);
    if (c < 0x800) {
        put(0xC0 | (c >> 6));
    } else {
        if (c < 0x10000) {
            put(0xE0 | (c >> 12));
        } else {
            put(0xF0 | (c >> 18));
            put(0x80 | ((c >> 12) & 0x3F));
        }
        put(0x80 | ((c >> 6) & 0x3F));
    }
    put(0x80 | (c & 0x3F));
}

}  // namespace tenon::base
