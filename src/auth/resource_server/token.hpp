// What an access token says, once it is known to be true.
#pragma once

#include <chrono>
#include <functional>
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

/// The two clocks: one for what tokens say, one for how long something takes.
struct Now {
    WallTime wall = {};
    TimePoint steady = {};
};

using ScopeSet = std::set<std::string, std::less<>>;

struct Token {
    std::string principal;
    ScopeSet scopes = {};
    std::optional<double> not_before = {}, expires = {};  // seconds since 1970
    std::string key = {};                                 // the thumbprint of the key that it is bound to (RFC 9449)
};

/// What the claims of a token must say.
struct Expected {
    std::string issuer;
    std::string audience;
    std::chrono::seconds leeway{60};
};

/// Why a token is refused, in words that are safe in a header. Never has anything of the token in it.
struct BadToken {
    std::string why;
};
/// The token cannot be checked before this was fetched.
struct WaitFor {
    std::string what;
};
/// The token cannot be checked at all, for now.
struct CannotCheck {
    std::string why;  // for the log
};
using TokenCheck = std::variant<Token, BadToken, WaitFor, CannotCheck>;

/// Something to be fetched. The answer goes to fetched() with the same `what`.
struct FetchOrder {
    std::string what;
    std::string_view method = "GET";
    std::string url = {};
    std::vector<std::pair<std::string, std::string>> fields = {};
    std::string body = {};
    bool public_only = false;  // the URL was named by somebody else: it must not lead into a private network
};

/// A token as it came. The hash is what it is known by.
struct PresentedToken {
    explicit PresentedToken(std::string_view t);
    std::string_view text;
    std::string hash;
};

struct Work;
/// What a checker knows at once, or the work that it takes to know more.
using Step = std::variant<Token, BadToken, WaitFor, CannotCheck, Work>;
/// Work that may take long: verifying a signature, for example. It is done without a lock, by any thread; the checker
/// must outlive it. What it returns is called under the lock, and gives the next step.
struct Work {
    std::function<std::function<Step(const Now& now)>()> run;
};

/// Says whose a token is. Not thread-safe, but for the Work that it gives.
class TokenChecker {
 public:
    virtual ~TokenChecker() = default;
    /// Begins to check a token. Quick. The text of the token must stay where it is until the last step.
    virtual Step look(const PresentedToken& token, const Now& now) = 0;
    /// All steps at once, for a caller that holds no lock.
    TokenCheck check(std::string_view token, const Now& now);
    virtual std::vector<FetchOrder> take_fetches() { return {}; }
    /// The body of an answer with status 200, or what went wrong. Who waited for `what` is to be checked again.
    virtual void fetched(std::string_view /*what*/, Result<std::string> /*body*/, const Now& /*now*/) {}
};

/// The verdict of the last step.
TokenCheck without_work(Step step);

using ReadToken = std::variant<Token, BadToken>;
/// The claims of a JWT (RFC 9068), whose signature was verified.
ReadToken read_claims(const json::object& claims, const Expected& expected);
/// The answer of an introspection endpoint (RFC 7662).
ReadToken read_introspection(const json::object& answer, const Expected& expected);
/// Whether it is a time at which the token is good.
std::optional<BadToken> check_times(const Token& token, const Expected& expected, WallTime now);

}  // namespace tenon::auth
