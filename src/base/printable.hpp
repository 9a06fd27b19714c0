// Makes text from outside safe to show in a log or an error message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/detail/hidden_characters.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

using detail::is_hidden;

/// Returns `text` on one line, without hidden characters. C0 characters and DEL become spaces, other hidden characters
/// become "<U+202E>", and bytes that are not UTF-8 become "<FF>". Longer text is cut to at most `max_bytes`, plus "…".
std::string printable(std::string_view text, std::size_t max_bytes = std::string_view::npos);

}  // namespace tenon::base

#pragma GCC visibility pop
