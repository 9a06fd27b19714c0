#include "base/cursor.hpp"

#include <cstddef>

#include "base/base64.hpp"

namespace tenon::base {
namespace {

constexpr std::size_t word_size = 8;
constexpr std::size_t text_size = 22;  // two words in base64url

void append_word(std::string& bytes, std::uint64_t word) {
    for (std::size_t i = 0; i < word_size; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xFF);
}

std::uint64_t read_word(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < word_size; ++i) word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return word;
}

std::uint64_t mac(const SipKey& key, char kind, std::uint64_t position) {
    std::string bytes(1, kind);
    append_word(bytes, position);
    return siphash(key, bytes);
}

}  // namespace

std::string seal_cursor(const SipKey& key, char kind, std::uint64_t position) {
    std::string bytes;
    append_word(bytes, position);
    append_word(bytes, mac(key, kind, position));
    return base64url_encode(bytes);
}

std::optional<std::uint64_t> open_cursor(const SipKey& key, char kind, std::string_view text) {
    if (text.size() != text_size) return std::nullopt;
    const auto bytes = base64url_decode(text);
    if (!bytes) return std::nullopt;
    const std::uint64_t position = read_word(*bytes);
    // Compares whole words: the time does not reveal how many bytes were right.
    if (read_word(std::string_view(*bytes).substr(word_size)) != mac(key, kind, position)) return std::nullopt;
    return position;
}

std::string seal_text(const SipKey& key, char kind, std::string_view text) {
    std::string bytes;
    append_word(bytes, siphash(key, std::string(1, kind) += text));
    bytes += text;
    return base64url_encode(bytes);
}

std::optional<std::string> open_text(const SipKey& key, char kind, std::string_view sealed) {
    const auto bytes = base64url_decode(sealed);
    if (!bytes || bytes->size() < word_size) return std::nullopt;
    std::string text = bytes->substr(word_size);
    if (read_word(*bytes) != siphash(key, std::string(1, kind) += text)) return std::nullopt;
    return text;
}

}  // namespace tenon::base
