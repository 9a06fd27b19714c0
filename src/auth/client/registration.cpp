#include "auth/client/registration.hpp"

#include <tenon/auth/error.hpp>

#include "auth/client/grant.hpp"
#include "auth/client/sign_in.hpp"
#include "auth/parse_object.hpp"
#include "web/address_rules.hpp"
#include "web/client_response.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

// A program on the user's machine cannot keep a secret, so the method "none" comes first, if the server supports it.
string_view method_to_register(const Issuer& issuer) {
    for (const string_view method : {auth_none, auth_basic, auth_post})
        if (supports_auth_method(issuer, method)) return method;
    return auth_none;
}

bool is_native(string_view redirect_uri) {
    const auto url = web::parse_url(redirect_uri);
    return !url || web::is_loopback_host(url->host);
}

}  // namespace

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
    const bool known = said == auth_none || ((said == auth_basic || said == auth_post) && !out.client_secret.empty());
    if (known) {
        out.auth_method = said;
        return out;
    }
    auto method = choose_auth_method(issuer, !out.client_secret.empty(), false);
    if (!method) return method.error();
    out.auth_method = *std::move(method);
    return out;
}

// ---- the steps of signing in

RegistrationParameters SignIn::registration_parameters() const {
    return {profile_->client_name, profile_->client_uri, redirect_uri_, proof_key_.has_value()};
}

Action SignIn::register_client() {
    if (target_.registration_endpoint.empty())
        return fail("the authorisation server " + web::printable(target_.issuer) +
                    " does not support client registration; register this client there and pass its client id");
    return enter(Phase::registration, Fetch{"POST",
                                            target_.registration_endpoint,
                                            {{"Content-Type", "application/json"}, {"Accept", "application/json"}},
                                            write_registration(registration_parameters(), target_)});
}

Action SignIn::on_registered(const FetchResult& answer) {
    auto identity = read_registration(answer.status, answer.body, registration_parameters(), target_);
    if (!identity) return Failed{identity.error()};
    identity_ = *std::move(identity);
    record_.remember(target_.issuer, identity_);
    return open_page();
}

}  // namespace tenon::auth::client
