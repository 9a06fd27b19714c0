// Completion: suggestions for an argument of a prompt or a variable of a resource template.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tenon {

/// The argument to complete.
struct CompletionRequest {
    std::string argument;                                          ///< name of the argument or template variable
    std::string value;                                             ///< the text that the user typed so far
    std::map<std::string, std::string, std::less<>> context = {};  ///< arguments already chosen; from 2025-06-18 on
};

/// Suggestions. A server sends at most the first 100 values; if there are more, Tenon sets `hasMore`. When `total` is
/// empty, a server sends the number of values.
struct Completion {
    std::vector<std::string> values = {};
    std::optional<std::uint64_t> total = {};
    bool hasMore = false;
};

/// Returns suggestions. Runs like a handler with Placement::worker, also several times at once. An exception becomes an
/// error response.
using CompletionHandler = std::function<Completion(const CompletionRequest&)>;

}  // namespace tenon

#pragma GCC visibility pop
