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
    bool is_oauth() const { return is("Bearer") || is("DPoP"); }
    /// Returns the value of a parameter; empty when it is missing. Of a repeated parameter, returns the first.
    std::string_view parameter(std::string_view name) const;
};

/// Returns the challenges before the first syntax error. Join several fields with commas first.
std::vector<Challenge> parse_challenges(std::string_view field);

/// Returns the first value of a parameter in the OAuth challenges; empty when it is missing.
std::string oauth_parameter(const std::vector<Challenge>& challenges, std::string_view name);

}  // namespace tenon::auth::client
