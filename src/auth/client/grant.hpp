// What a token endpoint answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::auth::client {

struct Tokens {
    std::string access_token = {};
    bool dpop = false;  ///< of type DPoP; Bearer otherwise
    std::string refresh_token = {};
    std::string scope = {};       ///< granted; empty: not said, which means what was asked for
    std::int64_t expires_at = 0;  ///< in seconds since 1970; 0: not said
};

/// Of any grant. An error quotes what the server says, and never the request.
Result<Tokens> read_tokens(int status, std::string_view body, std::int64_t now);

/// `error` of an error answer (RFC 6749, section 5.2); empty when there is none.
std::string error_code_of(std::string_view body);
/// "what: invalid_grant (the description)". data: {"oauthError": "invalid_grant"}.
Error oauth_error(std::string_view what, int status, std::string_view body);
Error oauth_error(std::string_view what, std::string_view error, std::string_view description);

}  // namespace tenon::auth::client
