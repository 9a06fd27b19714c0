// Formats the progress of a call as one line.
#pragma once

#include <cstddef>

#include <tenon/client_options.hpp>

#include "safe_text.hpp"

namespace tenon::program {

/// Returns "[#####-----]  50% at 5" when the total is known, and "/ at 5" otherwise. `turn` selects the frame of the
/// spinner. The line is never wider than `width`.
SafeText progress_line(const Progress& progress, std::size_t turn, std::size_t width);

}  // namespace tenon::program
