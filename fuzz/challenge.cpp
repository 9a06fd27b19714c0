// Invariant: challenges are within their limits, and written out again they read the same.
// Input: the value of WWW-Authenticate.
#include "auth/client/challenge.hpp"

#include "framing/http_fields.hpp"
#include "support.hpp"

namespace tenon::fuzz::challenge_target {
namespace {

using auth::client::Challenge;
using auth::client::parse_challenges;

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

std::string written(const std::vector<Challenge>& challenges) {
    std::string out;
    for (const Challenge& challenge : challenges) {
        out += (out.empty() ? "" : ", ") + challenge.scheme;
        if (!challenge.token68.empty()) out += " " + challenge.token68;
        const char* separator = " ";
        for (const auto& [name, value] : challenge.parameters) {
            out += separator + name + "=" + quoted(value);
            separator = ", ";
        }
    }
    return out;
}

void run(std::string_view input) {
    const auto challenges = parse_challenges(input);
    must(challenges.size() <= auth::client::max_challenges, "challenges are within their limit");
    for (const Challenge& challenge : challenges) {
        must(framing::is_token(challenge.scheme), "a scheme is a token");
        must(challenge.is(challenge.scheme), "a challenge is of its scheme");
        must(challenge.parameters.size() <= auth::client::max_challenge_parameters,
             "parameters are within their limit");
        must(challenge.token68.empty() || challenge.parameters.empty(), "a challenge has a token68 or parameters");
        for (const auto& [name, value] : challenge.parameters) must(framing::is_token(name), "a name is a token");
    }
    const auto again = parse_challenges(written(challenges));
    must(written(again) == written(challenges), "written out again they read the same");
}

const Target target{"challenge", run};

}  // namespace
}  // namespace tenon::fuzz::challenge_target
