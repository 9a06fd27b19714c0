// The client's identity at an authorisation server: its id, its authentication at the token endpoint, and dynamic
// registration (RFC 7591).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "auth/form.hpp"
#include "auth/metadata.hpp"
#include "auth/scopes.hpp"
#include "jose/key.hpp"
#include "web/client_request.hpp"

namespace tenon::auth::client {

struct Identity {
    std::string client_id = {};
    std::string client_secret = {};
    std::string auth_method = {};        ///< none, client_secret_basic, client_secret_post or private_key_jwt
    std::string redirect_uri = {};       ///< the registered URI; empty: the client did not register itself
    std::int64_t secret_expires_at = 0;  ///< seconds since 1970; 0: never
};

/// Chooses how the client authenticates at the token endpoint. Of the methods that the server supports, prefers the one
/// that reveals the secret least. Returns an error when no method is possible.
Result<std::string> choose_auth_method(const Issuer& issuer, bool has_secret, bool has_key);

/// The key and the claims of a signed client assertion (private_key_jwt).
struct Assertion {
    const jose::PrivateKey* key = nullptr;
    std::string_view audience = {};  ///< the issuer
    std::int64_t now = 0;            ///< seconds since 1970
    std::string jti = {};
};
/// Adds the client's authentication to a request to the token endpoint.
void prove_identity(const Identity& identity, const Assertion& assertion, Form& form, web::OwnFields& fields);

struct RegistrationParameters {
    std::string client_name = {};
    std::string client_uri = {};
    std::string redirect_uri = {};
    bool dpop = false;
};
/// Returns the body of a registration request.
std::string write_registration(const RegistrationParameters& parameters, const Issuer& issuer);
Result<Identity> read_registration(int status, std::string_view body, const RegistrationParameters& parameters,
                                   const Issuer& issuer);

}  // namespace tenon::auth::client
