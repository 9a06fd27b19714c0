// Makes text from outside safe to show in a log or an error message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

/// Returns whether `c` is a control character, or is invisible, or can reorder text on a screen: C0, DEL, C1,
/// bidirectional controls, line separators, zero-width and other invisible characters.
bool is_hidden(char32_t c) noexcept;

/// Returns `text` on one line, without hidden characters. C0 characters and DEL become spaces, other hidden characters
/// become "<U+202E>", and bytes that are not UTF-8 become "<FF>". Longer text is cut to at most `max_bytes`, plus "…".
std::string printable(std::string_view text, std::size_t max_bytes = std::string_view::npos);

}  // namespace tenon::base

#pragma GCC visibility pop
