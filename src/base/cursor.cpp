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

// Returns the tag of a text. It signs the text, and it is different for each text.
std::uint64_t tag_of(const SipKey& key, char kind, std::string_view text) {
    return siphash(key, std::string{'t', kind} += text);
}

// Encrypts or decrypts a text with a key stream that its tag selects (a synthetic IV).
std::string masked(const SipKey& key, std::uint64_t tag, std::string_view text) {
    std::string out(text);
    for (std::size_t at = 0; at < out.size(); at += word_size) {
        std::string input = "m";
        append_word(input, tag);
        append_word(input, at);
        const std::uint64_t mask = siphash(key, input);
        for (std::size_t i = 0; i < word_size && at + i < out.size(); ++i)
            out[at + i] = static_cast<char>(out[at + i] ^ static_cast<char>(mask >> (8 * i) & 0xFF));
    }
    return out;
}

}  // namespace

std::string seal_text(const SipKey& key, char kind, std::string_view text) {
    const std::uint64_t tag = tag_of(key, kind, text);
    std::string bytes;
    append_word(bytes, tag);
    bytes += masked(key, tag, text);
    return base64url_encode(bytes);
}

std::optional<std::string> open_text(const SipKey& key, char kind, std::string_view sealed) {
    const auto bytes = base64url_decode(sealed);
    if (!bytes || bytes->size() < word_size) return std::nullopt;
    const std::uint64_t tag = read_word(*bytes);
    std::string text = masked(key, tag, std::string_view(*bytes).substr(word_size));
    // Compares whole words: the time does not reveal how many bytes were right.
    if (tag != tag_of(key, kind, text)) return std::nullopt;
    return text;
}

std::string seal_cursor(const SipKey& key, char kind, std::uint64_t position) {
    std::string bytes;
    append_word(bytes, position);
    return seal_text(key, kind, bytes);
}

std::optional<std::uint64_t> open_cursor(const SipKey& key, char kind, std::string_view text) {
    if (text.size() != text_size) return std::nullopt;
    const auto bytes = open_text(key, kind, text);
    return bytes ? std::optional(read_word(*bytes)) : std::nullopt;
}

std::optional<std::uint64_t> CursorSeal::open(char kind, std::string_view text) const {
    const auto all = keys();
    for (const SipKey& key : *all)
        if (const auto position = open_cursor(key, kind, text)) return position;
    return std::nullopt;
}

std::optional<std::string> CursorSeal::open_text(char kind, std::string_view sealed) const {
    const auto all = keys();
    for (const SipKey& key : *all)
        if (auto text = base::open_text(key, kind, sealed)) return text;
    return std::nullopt;
}

}  // namespace tenon::base
