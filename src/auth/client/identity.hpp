// Who the client is to an authorisation server: its id, how it proves that at the token endpoint, and how it registers
// where nobody knows it (RFC 7591).
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
    std::string redirect_uri = {};       ///< what was registered; empty: the client did not register itself
    std::int64_t secret_expires_at = 0;  ///< in seconds; 0: never
};

/// How a client that has these authenticates at the token endpoint: what the server supports, and what shows the
/// secret least. An error when there is no such way.
Result<std::string> choose_auth_method(const Issuer& issuer, bool has_secret, bool has_key);

/// What signs: the key, and what its assertion says.
struct Assertion {
    const jose::PrivateKey* key = nullptr;
    std::string_view audience = {};  ///< the issuer
    std::int64_t now = 0;
    std::string jti = {};
};
/// Adds the proof to a request of the token endpoint.
void prove_identity(const Identity& identity, const Assertion& assertion, Form& form, web::OwnFields& fields);

struct RegistrationWish {
    std::string client_name = {};
    std::string client_uri = {};
    std::string redirect_uri = {};
    bool dpop = false;
};
/// The body of a registration.
std::string write_registration(const RegistrationWish& wish, const Issuer& issuer);
Result<Identity> read_registration(int status, std::string_view body, const RegistrationWish& wish,
                                   const Issuer& issuer);

}  // namespace tenon::auth::client
