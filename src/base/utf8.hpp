// UTF-8: validation, length, and cutting.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// Returns the length of the valid UTF-8 sequence at the start of `s`, or 0 when there is none. Overlong forms,
/// surrogates and values above U+10FFFF are not valid.
std::size_t utf8_sequence(std::string_view s) noexcept;

/// Returns the code point of one valid sequence.
inline char32_t decode_utf8(std::string_view sequence) noexcept {
    const auto lead = static_cast<unsigned char>(sequence[0]);
    char32_t c = sequence.size() == 1 ? lead : lead & (0x7FU >> sequence.size());
    for (const char next : sequence.substr(1)) c = c << 6 | (static_cast<unsigned char>(next) & 0x3FU);
    return c;
}

/// Returns the number of bytes of the broken sequence at the start of `s`: the longest prefix that could start a valid
/// sequence, and at least 1.
std::size_t utf8_broken(std::string_view s) noexcept;

bool is_utf8(std::string_view s) noexcept;

/// Appends a code point, which must not be a surrogate.
void append_utf8(std::string& out, char32_t c);

/// Returns the number of code points in valid UTF-8.
std::size_t utf8_length(std::string_view s) noexcept;

/// Returns the first `count` code points of `s`. A byte that is not UTF-8 counts as one.
std::string_view utf8_first(std::string_view s, std::size_t count) noexcept;

/// Returns `s`, or its first `max_bytes` bytes, cut between code points, plus "…".
std::string shorten(std::string_view s, std::size_t max_bytes);

}  // namespace tenon::base

#pragma GCC visibility pop
