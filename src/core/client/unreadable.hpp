// Errors for callers whose answer cannot be read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::core {

inline Error answer_too_long(std::size_t limit) {
    return {code::invalid_answer, "the server's answer is longer than the limit of " + std::to_string(limit) +
                                      " bytes; raise ClientLimits::max_message_bytes to read it"};
}

inline Error answer_unreadable(std::string_view why) {
    return {code::invalid_answer, "the server's answer cannot be read: " + std::string(why)};
}

}  // namespace tenon::core
