// Suggestions for mistyped names: "did you mean ...?"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::program {

/// Returns the candidate that the user probably meant, if one is close enough.
std::optional<std::string> nearest(std::string_view typed, const std::vector<std::string>& candidates);

/// Returns "did you mean `x`?", "there are `a`, `b` and `c`", or an empty string.
std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace tenon::program
