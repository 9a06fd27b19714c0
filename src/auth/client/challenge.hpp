// Parses WWW-Authenticate (RFC 9110, section 11.6.1): several challenges in one field, quoted strings, token68.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::auth::client {

inline constexpr std::size_t max_challenges = 16;
inline constexpr std::size_t max_challenge_parameters = 32;

struct Challenge {
    std::string scheme;
    std::string token68 = {};
    std::vector<std::pair<std::string, std::string>> parameters = {};  ///< unquoted

    bool is(std::string_view name) const;  ///< compares the scheme, ignoring case
    /// Returns the value of a parameter; empty when it is missing. Of a repeated parameter, returns the first.
    std::string_view parameter(std::string_view name) const;
};

/// Returns the challenges before the first syntax error. Join several fields with commas first.
std::vector<Challenge> parse_challenges(std::string_view field);

}  // namespace tenon::auth::client
