#include "auth/client/identity.hpp"

#include <algorithm>

#include <tenon/auth/error.hpp>

#include "auth/client/grant.hpp"
#include "auth/parse_object.hpp"
#include "base/base64.hpp"
#include "base/uri_encode.hpp"
#include "jose/jws.hpp"
#include "web/address_rules.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

constexpr std::int64_t assertion_seconds = 300;
constexpr string_view none = "none", basic = "client_secret_basic", post = "client_secret_post",
                      key_jwt = "private_key_jwt";

// RFC 8414: a server that lists no methods supports client_secret_basic.
bool supports(const Issuer& issuer, string_view method) {
    if (issuer.is_a_guess) return method == none;
    if (!issuer.auth_methods) return method == basic;
    return std::ranges::find(*issuer.auth_methods, method) != issuer.auth_methods->end();
}

// A program on the user's machine cannot keep a secret, so the method "none" comes first, if the server supports it.
string_view method_to_register(const Issuer& issuer) {
    for (const string_view method : {none, basic, post})
        if (supports(issuer, method)) return method;
    return none;
}

bool is_native(string_view redirect_uri) {
    const auto url = web::parse_url(redirect_uri);
    return !url || web::is_loopback_host(url->host);
}

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

Result<std::string> choose_auth_method(const Issuer& issuer, bool has_secret, bool has_key) {
    if (has_key && (supports(issuer, key_jwt) || !has_secret)) return std::string(key_jwt);
    if (!has_secret) return std::string(none);
    if (issuer.is_a_guess) return std::string(post);
    for (const string_view method : {basic, post, none})
        if (supports(issuer, method)) return std::string(method);
    return Error{code::not_authorised,
                 "the authorisation server does not accept a client secret; it may require a key: see its metadata"};
}

void prove_identity(const Identity& identity, const Assertion& assertion, Form& form, web::OwnFields& fields) {
    if (identity.auth_method == basic) {
        const std::string user =
            base::encode_unreserved(identity.client_id) + ":" + base::encode_unreserved(identity.client_secret);
        fields.emplace_back("Authorization", "Basic " + base::base64_encode(user));
        return;
    }
    form.add_if("client_id", identity.client_id);
    if (identity.auth_method == post) form.add("client_secret", identity.client_secret);
    if (identity.auth_method == key_jwt && assertion.key) {
        form.add("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
        form.add("client_assertion", signed_assertion(identity, assertion));
    }
}

std::string write_registration(const RegistrationParameters& parameters, const Issuer& issuer) {
    json::object out{{"client_name", parameters.client_name},
                     {"redirect_uris", json::array{parameters.redirect_uri}},
                     {"grant_types", json::array{"authorization_code", "refresh_token"}},
                     {"response_types", json::array{"code"}},
                     {"token_endpoint_auth_method", method_to_register(issuer)},
                     {"application_type", is_native(parameters.redirect_uri) ? "native" : "web"}};
    if (!parameters.client_uri.empty()) out["client_uri"] = parameters.client_uri;
    // Sends no `scope`: it would limit all later requests of the client, and the client may need more scopes then.
    if (parameters.dpop) out["dpop_bound_access_tokens"] = true;
    return json::write(out);
}

Result<Identity> read_registration(int status, string_view body, const RegistrationParameters& parameters,
                                   const Issuer& issuer) {
    if (status < 200 || status >= 300) return oauth_error("the authorisation server refused to register", status, body);
    const auto o = parse_object(body, "the answer to the registration");
    if (!o) return o.error();
    Identity out;
    out.client_id = json::text_member(*o, "client_id");
    out.client_secret = json::text_member(*o, "client_secret");
    out.secret_expires_at = json::integer_member(*o, "client_secret_expires_at").value_or(0);
    out.redirect_uri = parameters.redirect_uri;
    if (out.client_id.empty())
        return Error{code::not_authorised, "the authorisation server registered the client without an id"};
    const std::string said(json::text_member(*o, "token_endpoint_auth_method"));
    const bool known = said == none || ((said == basic || said == post) && !out.client_secret.empty());
    if (known) {
        out.auth_method = said;
        return out;
    }
    auto method = choose_auth_method(issuer, !out.client_secret.empty(), false);
    if (!method) return method.error();
    out.auth_method = *std::move(method);
    return out;
}

}  // namespace tenon::auth::client
