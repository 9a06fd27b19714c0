// The client's identity at the authorisation server, and the user's part of signing in.
#include <tenon/auth/error.hpp>

#include "auth/client/sign_in.hpp"
#include "web/client_response.hpp"

namespace tenon::auth::client {
namespace {

// Returns whether the tokens were issued to the client that the profile describes now.
bool is_still(const Record& record, const Profile& profile) {
    const auto known = record.identities.find(record.issuer);
    if (known == record.identities.end()) return false;
    const Identity& identity = known->second;
    if (!profile.client_id.empty()) return identity.client_id == profile.client_id;
    return !identity.redirect_uri.empty() || identity.client_id == profile.client_metadata_url;
}

}  // namespace

Action SignIn::with_user() {
    const bool can_refresh = !is_stepping_up() && !record_.tokens.refresh_token.empty() && is_still(record_, *profile_);
    return can_refresh ? refresh_tokens() : ask_user();
}

Action SignIn::ask_user() {
    if (!profile_->interactive)
        return fail(is_stepping_up() ? "the server requires more scopes than you have granted; sign in again"
                                     : "the server requires you to sign in first");
    if (target_.authorization_endpoint.empty())
        return fail("the authorisation server has no authorization endpoint, so a user cannot sign in");
    if (!contains(target_.challenge_methods, "S256"))
        return fail("the authorisation server does not declare PKCE with S256; signing in would not be safe");
    const auto known = record_.identities.find(target_.issuer);
    return enter(Phase::listener,
                 Listen{known == record_.identities.end() ? std::string() : known->second.redirect_uri});
}

Action SignIn::on_listening() {
    if (!profile_->client_id.empty() || (!profile_->client_metadata_url.empty() && target_.client_id_documents)) {
        auto own = own_identity(target_);
        if (!own) return Failed{own.error()};
        identity_ = *std::move(own);
        return open_page();
    }
    const auto known = record_.identities.find(target_.issuer);
    const bool usable = known != record_.identities.end() && known->second.redirect_uri == redirect_uri_ &&
                        (known->second.secret_expires_at == 0 || known->second.secret_expires_at > now_);
    if (!usable) return register_client();
    identity_ = known->second;
    return open_page();
}

// Returns the identity from the host's options: a client id that was registered beforehand, or the URL of a client id
// metadata document.
Result<Identity> SignIn::own_identity(const Issuer& issuer) const {
    Identity out;
    out.client_id = profile_->client_id.empty() ? profile_->client_metadata_url : profile_->client_id;
    if (!profile_->client_id.empty()) out.client_secret = profile_->client_secret;
    auto method = choose_auth_method(issuer, !out.client_secret.empty(), profile_->client_key.has_value());
    if (!method) return method.error();
    out.auth_method = *std::move(method);
    return out;
}

Action SignIn::open_page() {
    request_ = {target_.issuer, target_.says_iss, redirect_uri_, random_text(), random_text()};
    std::string page = authorisation_url(target_, request_, {identity_.client_id, resource_indicator_, scopes_});
    return enter(Phase::user, AskUser{std::move(page), redirect_uri_, request_.state});
}

Action SignIn::on_redirect(const std::string& url) {
    const auto code = code_of(url, request_);
    if (!code) return Failed{code.error()};
    Form form;
    form.add("grant_type", "authorization_code");
    form.add("code", *code);
    form.add("redirect_uri", request_.redirect_uri);
    form.add("code_verifier", request_.verifier);
    form.add_if("resource", resource_indicator_);
    request_ = {};
    return request_tokens(Phase::tokens, std::move(form));
}

}  // namespace tenon::auth::client
