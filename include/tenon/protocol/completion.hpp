// Completion: suggestions for an argument of a prompt or a variable of a resource template.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tenon {

struct CompletionRequest {
    std::string argument;                                          ///< its name
    std::string value;                                             ///< what was typed so far
    std::map<std::string, std::string, std::less<>> context = {};  ///< arguments already chosen; from 2025-06-18 on
};

/// At most 100 values reach the client; when more were given, `total` and `hasMore` say so by themselves.
struct Completion {
    std::vector<std::string> values = {};
    std::optional<std::uint64_t> total = {};
    bool hasMore = false;
};

using CompletionHandler = std::function<Completion(const CompletionRequest&)>;

}  // namespace tenon
