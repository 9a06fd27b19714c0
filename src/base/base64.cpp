#include "base/base64.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tenon::base {
namespace {

constexpr std::uint8_t foreign = 64;

struct Alphabet {
    std::array<char, 64> letter{};
    std::array<std::uint8_t, 256> value{};

    constexpr Alphabet(char letter62, char letter63) {
        value.fill(foreign);
        std::size_t n = 0;
        for (char c = 'A'; c <= 'Z'; ++c) letter[n++] = c;
        for (char c = 'a'; c <= 'z'; ++c) letter[n++] = c;
        for (char c = '0'; c <= '9'; ++c) letter[n++] = c;
        letter[62] = letter62;
        letter[63] = letter63;
        for (std::size_t i = 0; i < letter.size(); ++i)
            value[static_cast<unsigned char>(letter[i])] = static_cast<std::uint8_t>(i);
    }
};

constexpr Alphabet standard('+', '/');
constexpr Alphabet url_safe('-', '_');

std::uint32_t byte_at(std::string_view s, std::size_t i) noexcept {
    return i < s.size() ? static_cast<unsigned char>(s[i]) : 0;
}

// Encodes without padding.
std::string encode(std::string_view bytes, const Alphabet& alphabet) {
    std::string text;
    text.reserve(bytes.size() / 3 * 4 + 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::uint32_t group = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        const std::size_t letters = bytes.size() - i >= 3 ? 4 : bytes.size() - i + 1;
        for (std::size_t k = 0; k < letters; ++k) text += alphabet.letter[group >> (18 - 6 * k) & 63];
    }
    return text;
}

// Decodes text without padding.
std::optional<std::string> decode(std::string_view text, const Alphabet& alphabet) {
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text) {
        const std::uint32_t value = alphabet.value[static_cast<unsigned char>(c)];
        if (value == foreign) return std::nullopt;
        bits = bits << 6 | value;
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xFF);
        bits &= (1U << count) - 1;
    }
    if (bits != 0) return std::nullopt;  // another encoding of the same bytes
    return bytes;
}

}  // namespace

std::string base64_encode(std::string_view bytes) {
    std::string text = encode(bytes, standard);
    text.append((4 - text.size() % 4) % 4, '=');
    return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    return decode(text, standard);
}

std::string base64url_encode(std::string_view bytes) { return encode(bytes, url_safe); }

std::optional<std::string> base64url_decode(std::string_view text) { return decode(text, url_safe); }

}  // namespace tenon::base
