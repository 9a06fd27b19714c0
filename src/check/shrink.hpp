// Makes a failing case small: by fewer and smaller choices (choices.hpp), as long as it still fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tenon::check {

/// The smallest case that was found in at most `max_tries` calls of `fails`, which is told the choices of a case. What
/// is given is known to fail.
std::vector<std::uint32_t> shrink(std::vector<std::uint32_t> failing,
                                  const std::function<bool(const std::vector<std::uint32_t>&)>& fails,
                                  std::size_t max_tries);

}  // namespace tenon::check
