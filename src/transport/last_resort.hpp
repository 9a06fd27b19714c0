// Logs an exception that nothing else has caught, so that its thread can continue.
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/log.hpp>

namespace tenon {

/// Logs `where` and the exception that is being handled. Never throws: if there is not enough memory for the whole
/// text, it logs only `where`, and if that fails too, nothing.
inline void log_current_exception(const LogNote& note, std::string_view where) noexcept {
    const auto log = [&note](std::string_view text) {
        try {
            note(LogLevel::error, text);
        } catch (...) {  // there is no other way to report it
        }
    };
    try {
        log(std::string(where) + ": " + detail::current_error().message);
    } catch (...) {
        log(where);
    }
}

}  // namespace tenon
