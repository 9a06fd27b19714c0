// Reads the response of a token endpoint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::auth::client {

struct Tokens {
    std::string access_token = {};
    bool dpop = false;  ///< type DPoP; otherwise Bearer
    std::string refresh_token = {};
    std::string scope = {};       ///< granted scopes; empty: not stated, which means the requested ones
    std::int64_t expires_at = 0;  ///< seconds since 1970; 0: not stated
};

/// Reads the response to any grant. An error quotes the server's error, but never the request.
Result<Tokens> read_tokens(int status, std::string_view body, std::int64_t now);

/// Returns `error` of an error response (RFC 6749, section 5.2); empty when there is none.
std::string error_code_of(std::string_view body);
/// Makes an error with the message "what: invalid_grant (the description)" and the data {"oauthError":
/// "invalid_grant"}.
Error oauth_error(std::string_view what, int status, std::string_view body);
Error oauth_error(std::string_view what, std::string_view error, std::string_view description);

}  // namespace tenon::auth::client
