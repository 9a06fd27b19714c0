// Errors for a client whose memory is short. None of these functions throws.
#pragma once

#include <new>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::core {

/// Returns the error of a step that failed because memory is short. Its text is short enough to need no memory.
inline Error out_of_memory(int code = code::internal_error) noexcept { return {code, "out of memory"}; }

/// Returns an error with this text, or out_of_memory() when there is no memory for the text.
inline Error error_or_short(int code, std::string_view text) noexcept {
    try {
        return {code, std::string(text)};
    } catch (...) {
        return out_of_memory(code);
    }
}

/// Returns a copy, or out_of_memory() with the same code.
inline Error copy_or_short(const Error& error) noexcept {
    try {
        return error;
    } catch (...) {
        return out_of_memory(error.code);
    }
}

/// Returns the exception that is being handled as an error.
inline Error current_error_or_short() noexcept {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    } catch (...) {
    }
    try {
        return detail::current_error();
    } catch (...) {
        return out_of_memory();
    }
}

}  // namespace tenon::core
