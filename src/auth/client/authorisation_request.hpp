// Makes the URL of the page where the user signs in, and checks the redirect that comes back: PKCE (RFC 7636), `state`,
// `iss` (RFC 9207).
#pragma once

#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "auth/metadata.hpp"
#include "auth/scopes.hpp"

namespace tenon::auth::client {

/// One attempt to sign in. The redirect is checked against it. Use it only once.
struct AuthorisationRequest {
    std::string issuer = {};
    bool says_iss = false;  ///< whether the redirect must contain `iss`
    std::string redirect_uri = {};
    std::string state = {};     ///< a random value that cannot be guessed
    std::string verifier = {};  ///< for PKCE: secret until it is sent to the token endpoint
};

/// Returns the S256 challenge of a PKCE verifier.
std::string code_challenge(std::string_view verifier);

/// Parameters of the page's URL that are not checked when the redirect comes.
struct AuthorisationParameters {
    std::string client_id = {};
    std::string resource = {};
    Scopes scopes = {};
};
/// Returns the URL to open in the browser.
std::string authorisation_url(const Issuer& issuer, const AuthorisationRequest& request,
                              const AuthorisationParameters& parameters);

/// Returns the authorisation code of a redirect. First checks that the redirect came to the right URI, belongs to this
/// attempt (`state`) and comes from this issuer (`iss`). Reads its `error` only after these checks.
Result<std::string> code_of(std::string_view redirected_to, const AuthorisationRequest& request);

}  // namespace tenon::auth::client
