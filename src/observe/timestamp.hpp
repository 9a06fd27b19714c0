// Times as RFC 3339 writes them.
#pragma once

#include <chrono>
#include <string>

namespace tenon::observe {

/// Returns the time in UTC with microseconds, for example "2026-07-28T12:00:00.000000Z".
std::string timestamp(std::chrono::system_clock::time_point time);
/// Appends the same.
void append_timestamp(std::string& out, std::chrono::system_clock::time_point time);

}  // namespace tenon::observe
