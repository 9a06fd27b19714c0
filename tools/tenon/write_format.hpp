// Writes a report to a file or to standard output.
#pragma once

#include <string>

#include "console.hpp"
#include "safe_text.hpp"

namespace tenon::program {

/// Writes to the file, or to standard output when the path is "-". Does nothing when the path is empty. Throws Failure.
void write_format(const std::string& path, const SafeText& text, Console& console);

/// Returns the time of the clock: "2026-11-17 16:20 UTC".
std::string date_now();

}  // namespace tenon::program
