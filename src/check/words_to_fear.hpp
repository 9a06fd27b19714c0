// Texts that a server should not show: to a terminal, to a model, to a stranger. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::check {

/// A control character that a terminal obeys; newlines and tabs are none.
bool has_terminal_escape(std::string_view text);
/// Characters that are not shown, and that turn others around: tags, zero-width, bidirectional controls.
bool has_hidden_text(std::string_view text);
/// A stack trace.
bool shows_its_insides(std::string_view text);

/// The first string within `value` that `is_bad`.
std::optional<std::string> text_that(const json::value& value, bool (*is_bad)(std::string_view));

}  // namespace tenon::check
