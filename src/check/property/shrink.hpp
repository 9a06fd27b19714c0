// Shrinks a failing case: tries fewer and smaller choices (choices.hpp) as long as it still fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tenon::check {

/// Returns the smallest failing case found with at most `max_tries` calls of `fails`. The given choices must
/// fail.
std::vector<std::uint32_t> shrink(std::vector<std::uint32_t> failing,
                                  const std::function<bool(const std::vector<std::uint32_t>&)>& fails,
                                  std::size_t max_tries);

}  // namespace tenon::check
