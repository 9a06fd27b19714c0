// What a server said to a case, held against what it owed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/generate_case.hpp"

namespace tenon::check {

/// Everything that came until the server had answered a request that was sent last.
struct Reaction {
    std::vector<std::string> messages = {};  ///< as they came: lines, bodies, events
    std::vector<std::size_t> refused = {};   ///< HTTP: letters that were answered by an error status, by their place
    std::string broken = {};                 ///< why there is no more: the process ended, no answer came in time
    /// Unclear letters of earlier cases. Nobody waited for what they may be answered with, and it may come now.
    std::vector<std::string> unclear_before = {};
};

struct Complaint {
    std::string_view rule;  ///< of the catalogue of requirements, that is broken: "RPC-7"
    std::string sentence;
};

std::optional<Complaint> judge(const Case& letters, const Reaction& heard);

}  // namespace tenon::check
