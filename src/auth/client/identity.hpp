// The client's identity at an authorisation server: its id, and its authentication at the token endpoint.
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

// The methods of authentication at the token endpoint.
inline constexpr std::string_view auth_none = "none", auth_basic = "client_secret_basic",
                                  auth_post = "client_secret_post", auth_key_jwt = "private_key_jwt";

struct Identity {
    std::string client_id = {};
    std::string client_secret = {};
    std::string auth_method = {};        ///< none, client_secret_basic, client_secret_post or private_key_jwt
    std::string redirect_uri = {};       ///< the registered URI; empty: the client did not register itself
    std::int64_t secret_expires_at = 0;  ///< seconds since 1970; 0: never
};

/// Returns whether the authorisation server supports a method.
bool supports_auth_method(const Issuer& issuer, std::string_view method);

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

}  // namespace tenon::auth::client
