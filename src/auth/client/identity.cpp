#include "auth/client/identity.hpp"

#include <algorithm>

#include <tenon/auth/error.hpp>

#include "base/base64.hpp"
#include "base/uri_encode.hpp"
#include "jose/jws.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

constexpr std::int64_t assertion_seconds = 300;

std::string signed_assertion(const Identity& identity, const Assertion& a) {
    const json::object claims{{"iss", identity.client_id},
                              {"sub", identity.client_id},
                              {"aud", a.audience},
                              {"jti", a.jti},
                              {"iat", a.now},
                              {"exp", a.now + assertion_seconds}};
    return jose::sign(*a.key, {{"typ", "JWT"}}, json::write(claims));
}

}  // namespace

// RFC 8414: a server that lists no methods supports client_secret_basic.
bool supports_auth_method(const Issuer& issuer, string_view method) {
    if (issuer.is_a_guess) return method == auth_none;
    if (!issuer.auth_methods) return method == auth_basic;
    return std::ranges::find(*issuer.auth_methods, method) != issuer.auth_methods->end();
}

Result<std::string> choose_auth_method(const Issuer& issuer, bool has_secret, bool has_key) {
    if (has_key && (supports_auth_method(issuer, auth_key_jwt) || !has_secret)) return std::string(auth_key_jwt);
    if (!has_secret) return std::string(auth_none);
    if (issuer.is_a_guess) return std::string(auth_post);
    for (const string_view method : {auth_basic, auth_post, auth_none})
        if (supports_auth_method(issuer, method)) return std::string(method);
    return Error{code::not_authorised,
                 "the authorisation server does not accept a client secret; it may require a key: see its metadata"};
}

void prove_identity(const Identity& identity, const Assertion& assertion, Form& form, web::OwnFields& fields) {
    if (identity.auth_method == auth_basic) {
        const std::string user =
            base::encode_unreserved(identity.client_id) + ":" + base::encode_unreserved(identity.client_secret);
        fields.emplace_back("Authorization", "Basic " + base::base64_encode(user));
        return;
    }
    form.add_if("client_id", identity.client_id);
    if (identity.auth_method == auth_post) form.add("client_secret", identity.client_secret);
    if (identity.auth_method == auth_key_jwt && assertion.key) {
        form.add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.add("client_assertion", signed_assertion(identity, assertion));
    }
}

}  // namespace tenon::auth::client
