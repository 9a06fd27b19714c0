// Formats the progress of a call as one line.
#pragma once

#include <cstddef>

#include <tenon/client_options.hpp>

#include "safe_text.hpp"

namespace tenon::program {

/// "[#####-----]  50% at 5" when the total is known, "/ at 5" otherwise; `turn` moves the spinner. Never wider than
/// `width`.
SafeText progress_line(const Progress& progress, std::size_t turn, std::size_t width);

}  // namespace tenon::program
