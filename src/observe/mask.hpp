// Replaces secrets in messages that are shown to people: see mask_secrets() in tenon/wire_tap.hpp for the rules.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Returns whether the value of a member or parameter with this name is a secret.
bool is_secret_name(std::string_view name);
/// Masks secrets inside a text: credentials and URLs.
std::string mask_text(std::string_view text);
/// Masks secrets in a value.
void mask_secrets_in(json::value& value);

}  // namespace tenon::observe

#pragma GCC visibility pop
