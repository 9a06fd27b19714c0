#include "auth/client/authorisation_request.hpp"

#include <tenon/auth/error.hpp>

#include "auth/client/grant.hpp"
#include "auth/form.hpp"
#include "base/base64.hpp"
#include "jose/digest.hpp"

namespace tenon::auth::client {
namespace {

using std::string_view;

Error refused(std::string why) { return {code::not_authorised, std::move(why)}; }

}  // namespace

std::string code_challenge(string_view verifier) { return base::base64url_encode(jose::sha256(verifier)); }

std::string authorisation_url(const Issuer& issuer, const AuthorisationRequest& request,
                              const AuthorisationParameters& parameters) {
    Form form;
    form.add("response_type", "code");
    form.add("client_id", parameters.client_id);
    form.add("redirect_uri", request.redirect_uri);
    form.add("state", request.state);
    form.add("code_challenge", code_challenge(request.verifier));
    form.add("code_challenge_method", "S256");
    form.add_if("resource", parameters.resource);
    form.add_if("scope", write_scopes(parameters.scopes));
    // OpenID Connect gives offline access only with the user's consent.
    if (contains(parameters.scopes, "offline_access")) form.add("prompt", "consent");
    const char* separator = issuer.authorization_endpoint.find('?') == std::string::npos ? "?" : "&";
    return issuer.authorization_endpoint + separator + form.text();
}

Result<std::string> code_of(string_view redirected_to, const AuthorisationRequest& request) {
    const std::size_t mark = std::min(redirected_to.find('?'), redirected_to.size());
    if (redirected_to.substr(0, mark) != request.redirect_uri)
        return refused("the browser was redirected to an unexpected URI");
    const string_view query = redirected_to.substr(std::min(mark + 1, redirected_to.size()));
    const auto fields = parse_form(query.substr(0, query.find('#')));
    if (!fields) return refused("the redirect of the browser cannot be read");
    if (request.state.empty() || !jose::same_secret(field_of(*fields, "state"), request.state))
        return refused("the redirect does not belong to this sign-in: its `state` is wrong");
    const std::string iss = field_of(*fields, "iss");
    if (iss.empty() ? request.says_iss : iss != request.issuer)
        return refused(
            "the redirect does not come from the expected authorisation server: its `iss` is wrong or missing");
    if (const std::string error = field_of(*fields, "error"); !error.empty())
        return oauth_error("the authorisation server refused", error, field_of(*fields, "error_description"));
    std::string code = field_of(*fields, "code");
    if (code.empty()) return refused("the authorisation server sent no code");
    return code;
}

}  // namespace tenon::auth::client
