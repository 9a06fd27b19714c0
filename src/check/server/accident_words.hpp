// Tells a refusal of bad arguments from an accident inside the server. Pure.
#pragma once

#include <string>
#include <string_view>

namespace tenon::check {

/// Returns the words of a text that only a crash inside a program writes: "Cannot read properties of undefined". Empty:
/// the text may be a refusal.
std::string accident_in(std::string_view text);

}  // namespace tenon::check
