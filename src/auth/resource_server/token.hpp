// The content of a verified access token, and the interface of token checkers.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/json.hpp>
#include <tenon/limits.hpp>
#include <tenon/tasks.hpp>

namespace tenon::auth {

/// The time of two clocks: the wall clock for the times in tokens, the steady clock for durations.
struct Now {
    WallTime wall = {};
    TimePoint steady = {};
};

using ScopeSet = std::set<std::string, std::less<>>;

struct Token {
    std::string principal;
    ScopeSet scopes = {};
    std::optional<double> not_before = {}, expires = {};  // seconds since 1970
    std::string key = {};  // thumbprint of the key that the token is bound to (RFC 9449); empty: not bound
    std::shared_ptr<const json::object> claims = {};  // null: the token has none
};

/// The values that the claims of a token must match.
struct Expected {
    std::string issuer;
    std::string audience;
    std::chrono::seconds leeway{60};
};

/// The token is refused. The text is safe in a header and contains no part of the token.
struct BadToken {
    std::string why;
};
/// The token can be checked only after the fetch `what` has finished.
struct WaitFor {
    std::string what;
};
/// The token cannot be checked at the moment.
struct CannotCheck {
    std::string why;  // for the log
};
using TokenCheck = std::variant<Token, BadToken, WaitFor, CannotCheck>;

/// A document to fetch. Pass the response to fetched() with the same `what`.
struct FetchOrder {
    std::string what;
    std::string_view method = "GET";
    std::string url = {};
    std::vector<std::pair<std::string, std::string>> fields = {};
    std::string body = {};
    bool public_only = false;  // the URL comes from another party, so it must not lead to a private address
};

/// A token that a request presented. Caches use its hash as the key.
struct PresentedToken {
    explicit PresentedToken(std::string_view t);
    std::string_view text;
    std::string hash;
    // Whether the request has a place among the waiting requests. Without one, no fetch is started for the token.
    // Empty: the caller does not count waiting requests.
    std::optional<bool> may_wait = {};
};

struct Work;
/// One step of a check: its result, or work that is needed for the next step.
using Step = std::variant<Token, BadToken, WaitFor, CannotCheck, Work>;
/// Work that may take long, such as verifying a signature. Run it without the lock, on any thread. Call the function
/// that it returns under the lock to get the next step. The checker must outlive the work.
struct Work {
    std::function<std::function<Step(const Now& now)>()> run;
};

/// Verifies tokens and finds their principal. Not thread-safe, except for the Work that it returns.
class TokenChecker {
 public:
    virtual ~TokenChecker() = default;
    /// Starts to check a token, without long work. The text of the token must stay valid until the last step.
    virtual Step look(const PresentedToken& token, const Now& now) = 0;
    /// Performs all steps at once. For tests and other callers without a lock.
    TokenCheck check(std::string_view token, const Now& now);
    /// Returns the documents to fetch since the last call.
    virtual std::vector<FetchOrder> take_fetches() { return {}; }
    /// Takes the body of a response with status 200, or an error. Check the tokens that waited for `what` again.
    virtual void fetched(std::string_view /*what*/, Result<std::string> /*body*/, const Now& /*now*/) {}
};

/// Converts the last step of a check to its result.
TokenCheck without_work(Step step);

using ReadToken = std::variant<Token, BadToken>;
/// Reads the claims of a JWT (RFC 9068) whose signature was verified.
ReadToken read_claims(const json::object& claims, const Expected& expected);
/// Reads the response of an introspection endpoint (RFC 7662).
ReadToken read_introspection(const json::object& answer, const Expected& expected);
/// Returns why the token is not valid at this time; nullopt when it is valid.
std::optional<BadToken> check_times(const Token& token, const Expected& expected, WallTime now);

}  // namespace tenon::auth
