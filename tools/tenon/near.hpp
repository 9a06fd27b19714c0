// "Did you mean ...?"
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::program {

/// The candidate that was probably meant, when one is close enough.
std::optional<std::string> nearest(std::string_view typed, const std::vector<std::string>& candidates);

/// "did you mean `x`?", or "there are `a`, `b` and `c`", or nothing when there is nothing to say.
std::string suggestion(std::string_view typed, const std::vector<std::string>& candidates);

}  // namespace tenon::program
