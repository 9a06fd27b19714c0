// Finds keys and tokens in texts that a server shows to everybody. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tenon::check {

/// Returns the beginning of a key or token in the text, enough to find it and too little to use it. Empty: none.
/// Recognises formats with a fixed beginning only, and ignores examples such as "ghp_xxxx".
std::string secret_in(std::string_view text);

}  // namespace tenon::check
