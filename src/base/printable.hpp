// Text from outside, made fit for a line of a log or an error message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tenon::base {

/// Returns whether a terminal or an editor would obey `c`, hide it, or let it change the order of what it shows: C0,
/// DEL, C1, bidirectional controls, line separators, zero-width and other invisible characters.
bool is_hidden(char32_t c) noexcept;

/// Returns `text` on one line, with nothing hidden in it: C0 characters and DEL become spaces, other characters for
/// which is_hidden() holds become "<U+202E>", bytes that are not UTF-8 become "<FF>". Cuts after `max_bytes` and adds
/// "…".
std::string printable(std::string_view text, std::size_t max_bytes = std::string_view::npos);

}  // namespace tenon::base
