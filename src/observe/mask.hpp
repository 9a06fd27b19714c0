// The masker: replaces secrets by "***" in everything that people read: logs, audit records, traces and the wire view.
// All of them use the same rules. mask_secrets() in tenon/wire_tap.hpp states them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

inline constexpr std::string_view mask_mark = "***";
inline constexpr std::size_t max_text = 4096;  // bytes of one text in a log or an audit record

/// Returns whether the value of a member or parameter with this name is a secret.
bool is_secret_name(std::string_view name);
/// The same for a member with a value: a number of tokens is not a secret.
bool is_secret(std::string_view name, const json::value& value);

/// Masks secrets inside a text: credentials, URLs, and values after the name of a secret.
std::string mask_text(std::string_view text);
/// Masks secrets in a value.
void mask_secrets_in(json::value& value);

/// Returns the masked text on one line, without hidden characters, and at most `max_bytes` (plus a mark) long.
std::string safe_text(std::string_view text, std::size_t max_bytes = max_text);
/// Returns whether safe_text() would return the text unchanged. Says "no" for some texts for which it would. Quick.
bool is_safe(std::string_view text, std::size_t max_bytes = max_text);
/// Copies a text to `to`, which has room for it, and returns whether it is_safe(). If not, the copy is not to be used.
bool copy_if_safe(char* to, std::string_view text, std::size_t max_bytes = max_text);

}  // namespace tenon::observe

#pragma GCC visibility pop
