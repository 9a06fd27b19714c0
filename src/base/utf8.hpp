// UTF-8: where it is broken, and how to mend it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::base {

/// Length of the valid UTF-8 sequence at the start of `s`, or 0 when there is none (overlong forms, surrogates and
/// values above U+10FFFF are not valid).
std::size_t utf8_sequence(std::string_view s) noexcept;

/// The number of bytes to skip past a broken sequence: the longest prefix that could have begun a valid one.
std::size_t utf8_broken(std::string_view s) noexcept;

bool is_utf8(std::string_view s) noexcept;

/// `c` is a code point, and no surrogate.
void append_utf8(std::string& out, char32_t c);

/// The number of code points in valid UTF-8.
std::size_t utf8_length(std::string_view s) noexcept;

/// The first `count` code points of `s`; a byte that is not UTF-8 counts as one.
std::string_view utf8_first(std::string_view s, std::size_t count) noexcept;

/// At most `max_bytes` of `s`, cut between code points, with "…" added when something was cut.
std::string shorten(std::string_view s, std::size_t max_bytes);

}  // namespace tenon::base
