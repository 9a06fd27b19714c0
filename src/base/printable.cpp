#include "base/printable.hpp"

#include <algorithm>
#include <cstdint>

#include "base/utf8.hpp"

namespace tenon::base {
namespace {

std::string hexadecimal(char32_t value, std::size_t digits) {
    std::string out;
    for (auto rest = static_cast<std::uint32_t>(value); rest != 0 || out.size() < digits; rest >>= 4)
        out.insert(out.begin(), "0123456789ABCDEF"[rest & 15]);
    return out;
}

std::string visible(std::string_view sequence) {
    const char32_t c = decode_utf8(sequence);
    if (c < 0x20 || c == 0x7F) return " ";
    return is_hidden(c) ? "<U+" + hexadecimal(c, 4) + ">" : std::string(sequence);
}

bool is_plain(char c) noexcept { return c >= 0x20 && c < 0x7F; }

}  // namespace

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
