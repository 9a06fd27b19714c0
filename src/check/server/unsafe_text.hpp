// Finds text that a server should not send: terminal escapes, hidden characters, stack traces. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::check {

/// Returns whether the text has a control character other than newline, carriage return and tab.
bool has_terminal_escape(std::string_view text);
/// Returns whether the text has invisible or reordering characters: tags, zero-width, bidirectional controls.
bool has_hidden_text(std::string_view text);
/// Returns whether a JSON text, with its escapes, contains a stack trace.
bool shows_its_insides(std::string_view text);

/// Returns the first string inside `value` for which `is_bad` returns true.
std::optional<std::string> text_that(const json::value& value, bool (*is_bad)(std::string_view));

}  // namespace tenon::check
