// Compares a server's responses to a case with the required ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/property/generate_case.hpp"

namespace tenon::check {

/// Everything that the server sent until its response to the final request.
struct Reaction {
    std::vector<std::string> messages = {};  ///< as received: lines, bodies, events
    std::vector<std::size_t> refused = {};   ///< HTTP: indexes of messages that got an error status
    std::string broken = {};                 ///< why no more came: the process ended, or a timeout
    bool is_slow = false;                    ///< a handler has not answered yet, so missing responses prove nothing
    /// Unclear messages of earlier cases, whose responses may still come now.
    std::vector<std::string> unclear_before = {};
};

struct Complaint {
    std::string_view rule;  ///< the broken requirement: "RPC-7"
    std::string sentence;
};

std::optional<Complaint> judge(const Case& test_messages, const Reaction& received);

}  // namespace tenon::check
