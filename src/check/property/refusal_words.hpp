// Recognises a refusal by its text, for servers that leave out `isError`. Pure.
#pragma once

#include <string_view>

namespace tenon::check {

/// Returns whether a text says that a call failed: "Invalid arguments: ...".
bool reads_like_refusal(std::string_view text);

}  // namespace tenon::check
