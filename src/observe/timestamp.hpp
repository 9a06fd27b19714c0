// Times as RFC 3339 writes them.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <string_view>

namespace tenon::observe {

/// Writes times in UTC with microseconds, for example "2026-07-28T12:00:00.000000Z". Quick while the times are in the
/// same second, because only the microseconds change. Not thread-safe.
class TimestampWriter {
 public:
    /// Returns the text. It is valid until the next call.
    std::string_view write(std::chrono::system_clock::time_point time);

 private:
    void write_second(std::chrono::sys_seconds second);

    std::chrono::sys_seconds second_ = std::chrono::sys_seconds::min();  // which `text_` shows
    std::array<char, 27> text_ = {};
};

/// Returns the same text for a single time.
std::string timestamp(std::chrono::system_clock::time_point time);

}  // namespace tenon::observe
