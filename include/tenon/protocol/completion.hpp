// Completion: suggestions for an argument of a prompt or a variable of a resource template.
// https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/completion
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/fwd.hpp>

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

/// A function that returns suggestions: `Completion(const CompletionRequest&)` or `Completion(Context&, const
/// CompletionRequest&)`. Suggestions are data: use the Context to leave out values that this caller may not see. Runs
/// like a handler with Placement::worker, also several times at once. An exception becomes an error response.
class CompletionHandler {
 public:
    CompletionHandler() = default;
    template <class F>
    requires std::is_invocable_r_v<Completion, F&, const CompletionRequest&> CompletionHandler(F f)  // NOLINT
        : function_([f = std::move(f)](Context&, const CompletionRequest& request) mutable -> Completion {
              return f(request);
          }) {}
    template <class F>
    requires std::is_invocable_r_v<Completion, F&, Context&, const CompletionRequest&> CompletionHandler(F f)  // NOLINT
        : function_(std::move(f)) {}

    Completion operator()(Context& context, const CompletionRequest& request) const {
        return function_(context, request);
    }
    explicit operator bool() const { return static_cast<bool>(function_); }

 private:
    std::function<Completion(Context&, const CompletionRequest&)> function_;
};

}  // namespace tenon

#pragma GCC visibility pop
