// What a thread does with an exception that nothing else has caught: it logs it and goes on.
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/log.hpp>

namespace tenon {

/// Logs the exception that is being handled, and `where` it was caught. Does not throw: without memory for the whole
/// text it logs `where` alone, and without memory for that it logs nothing.
inline void log_current_exception(const LogSink& note, std::string_view where) noexcept {
    const auto log = [&note](std::string_view text) {
        try {
            note(LogLevel::error, text);
        } catch (...) {  // there is no other place to say it
        }
    };
    try {
        log(std::string(where) + ": " + detail::current_error().message);
    } catch (...) {
        log(where);
    }
}

}  // namespace tenon
