// The page that the user signs in at, and the redirect that comes back: PKCE (RFC 7636), `state`, `iss` (RFC 9207).
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "auth/metadata.hpp"
#include "auth/scopes.hpp"

namespace tenon::auth::client {

/// One attempt. What comes back is checked against it, and then it is used up.
struct AuthorisationRequest {
    std::string issuer = {};
    bool says_iss = false;
    std::string redirect_uri = {};
    std::string state = {};     ///< nobody can guess it
    std::string verifier = {};  ///< of PKCE: a secret until it is sent to the token endpoint
};

/// S256 of a verifier.
std::string code_challenge(std::string_view verifier);

struct AuthorisationWish {
    std::string client_id = {};
    std::string resource = {};
    Scopes scopes = {};
};
/// The URL to open.
std::string authorisation_url(const Issuer& issuer, const AuthorisationRequest& request, const AuthorisationWish& wish);

/// The code of a redirect. An error unless it came to where it was sent, belongs to this attempt, and comes from this
/// issuer; only then is what it says of an error believed.
Result<std::string> code_of(std::string_view redirected_to, const AuthorisationRequest& request);

}  // namespace tenon::auth::client
