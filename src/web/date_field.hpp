// The value of the Date field (RFC 9110, section 6.6.1).
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace tenon::web {

/// Formats a time for HTTP, "Sun, 06 Nov 1994 08:49:37 GMT", and caches the text until the second changes. For the
/// years 0 to 9999. Not thread-safe.
class DateField {
 public:
    /// Returns the text for `now`, valid until the next call.
    std::string_view at(std::chrono::system_clock::time_point now);

 private:
    std::chrono::sys_seconds second_ = std::chrono::sys_seconds::min();  // the time in text_
    std::array<char, 29> text_ = {};
};

}  // namespace tenon::web
