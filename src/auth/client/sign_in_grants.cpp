// The token endpoint: all grants, client authentication and DPoP.
#include <tenon/auth/error.hpp>

#include "auth/client/dpop_proof.hpp"
#include "auth/client/sign_in.hpp"
#include "auth/parse_object.hpp"
#include "web/client_response.hpp"

namespace tenon::auth::client {
namespace {

constexpr std::string_view jwt_bearer = "urn:ietf:params:oauth:grant-type:jwt-bearer";
constexpr std::string_view token_exchange = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr std::string_view id_jag = "urn:ietf:params:oauth:token-type:id-jag";
constexpr std::string_view id_token = "urn:ietf:params:oauth:token-type:id_token";

constexpr std::size_t max_token_tries = 2;  // the second one has the DPoP nonce of the first response

bool is_about_client(const std::string& error) { return error == "invalid_client" || error == "unauthorized_client"; }

}  // namespace

// ---- every request

Action SignIn::request_tokens(Phase next, Form form) {
    form_ = std::move(form);
    token_tries_ = 0;
    return send_token_request(next);
}

// Makes a new assertion and a new proof for each request.
Action SignIn::send_token_request(Phase next) {
    ++token_tries_;
    Form form = form_;
    Fetch out{"POST",
              target_.token_endpoint,
              {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}},
              {}};
    const jose::PrivateKey* key = profile_->client_key ? &*profile_->client_key : nullptr;
    prove_identity(identity_, {key, target_.issuer, now_, random_text()}, form, out.fields);
    if (proof_key_) {
        const auto url = web::parse_url(target_.token_endpoint);
        if (!url) return Failed{url.error()};
        out.fields.emplace_back("DPoP", dpop_proof(*proof_key_, {"POST", *url, {}, token_nonce_, now_, random_text()}));
    }
    out.body = form.text();
    return enter(next, std::move(out));
}

Action SignIn::on_token_response(const FetchResult& answer) {
    if (!answer.dpop_nonce.empty()) token_nonce_ = answer.dpop_nonce;
    const bool wants_nonce = proof_key_ && answer.status >= 400 && !answer.dpop_nonce.empty() &&
                             error_code_of(answer.body) == "use_dpop_nonce";
    if (wants_nonce && token_tries_ < max_token_tries) return send_token_request(phase_);
    return phase_ == Phase::refreshing ? on_refreshed(answer) : on_tokens(answer);
}

Action SignIn::on_tokens(const FetchResult& answer) {
    auto tokens = read_tokens(answer.status, answer.body, now_);
    if (!tokens) {
        if (is_about_client(error_code_of(answer.body))) record_.identities.erase(target_.issuer);
        return Failed{tokens.error()};
    }
    if (profile_->dpop == Profile::Dpop::always && !tokens->dpop)
        return fail("the authorisation server gave a token that is not bound to a key, but DPoP is required");
    if (tokens->dpop && !proof_key_) return fail("the authorisation server gave a token that is bound to another key");
    record_.issuer = target_.issuer;
    record_.token_endpoint = target_.token_endpoint;
    record_.resource = resource_indicator_;
    record_.scopes = scopes_;
    record_.tokens = *std::move(tokens);
    if (!proof_key_) record_.dpop_key.clear();
    Identity kept = identity_;
    if (kept.redirect_uri.empty()) kept.client_secret.clear();  // the host's options have the secret
    record_.remember(target_.issuer, std::move(kept));
    return Ready{};
}

void SignIn::add_resource_and_scope(Form& form) const {
    form.add_if("resource", resource_indicator_);
    form.add_if("scope", write_scopes(scopes_));
}

// ---- refresh

Action SignIn::refresh_stored() {
    // The tokens may be older than the host's choice of issuer, and their endpoint would receive the secret.
    if (!profile_->issuer.empty() && record_.issuer != profile_->issuer)
        return fail("the stored tokens belong to another authorisation server than " +
                    web::printable(profile_->issuer));
    // The stored record may be damaged.
    const auto endpoint = safe_url(record_.token_endpoint, "the stored token endpoint");
    if (!endpoint) return Failed{endpoint.error()};
    target_.issuer = record_.issuer;
    target_.token_endpoint = record_.token_endpoint;
    resource_indicator_ = record_.resource;
    scopes_ = record_.scopes;
    if (const auto good = choose_proof(record_.tokens.dpop); !good) return Failed{good.error()};
    return refresh_tokens();
}

// Uses the identity that the tokens were issued to. The record has no secret for a client that did not register itself,
// so the secret comes from the profile.
Action SignIn::refresh_tokens() {
    identity_ = record_.identities[target_.issuer];
    if (identity_.redirect_uri.empty() && identity_.client_id == profile_->client_id)
        identity_.client_secret = profile_->client_secret;
    Form form;
    form.add("grant_type", "refresh_token");
    form.add("refresh_token", record_.tokens.refresh_token);
    form.add_if("resource", resource_indicator_);
    return request_tokens(Phase::refreshing, std::move(form));
}

// Keeps the old refresh token if the response has no new one. When the refresh token was refused, drops it and asks the
// user, but only if the refresh began with a refused request.
Action SignIn::on_refreshed(const FetchResult& answer) {
    const std::string kept = record_.tokens.refresh_token;
    const Scopes scopes = record_.scopes;
    Action out = on_tokens(answer);
    if (auto* ready = std::get_if<Ready>(&out)) {
        ready->refreshed = true;
        record_.scopes = scopes;
        if (record_.tokens.refresh_token.empty()) record_.tokens.refresh_token = kept;
        return out;
    }
    if (answer.status < 400 || answer.status >= 500) return out;
    record_.tokens = {};
    return refusal_ ? ask_user() : out;
}

// ---- without a user

Action SignIn::client_credentials() {
    auto own = own_identity(target_);
    if (!own) return Failed{own.error()};
    identity_ = *std::move(own);
    Form form;
    form.add("grant_type", "client_credentials");
    add_resource_and_scope(form);
    return request_tokens(Phase::tokens, std::move(form));
}

Action SignIn::on_assertion(const std::string& jwt) {
    if (profile_->kind == Profile::Kind::workload) return request_tokens_for(jwt);
    id_token_ = jwt;
    if (profile_->idp_token_endpoint.empty()) return find_issuer(Phase::idp_metadata, profile_->idp_issuer);
    Issuer idp;
    idp.token_endpoint = profile_->idp_token_endpoint;
    return exchange(idp);
}

// Sends the ID token to the company's identity provider, which decides whether the user may use the server.
Action SignIn::exchange(const Issuer& idp) {
    const auto url = safe_url(idp.token_endpoint, "the token endpoint of the identity provider");
    if (!url) return Failed{url.error()};
    Form form;
    form.add("grant_type", token_exchange);
    form.add("requested_token_type", id_jag);
    form.add("audience", target_.issuer);
    form.add("resource", resource_indicator_.empty() ? target_.issuer : resource_indicator_);
    form.add_if("scope", write_scopes(scopes_));
    form.add("subject_token", std::exchange(id_token_, {}));
    form.add("subject_token_type", id_token);
    Fetch out{"POST",
              idp.token_endpoint,
              {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}},
              {},
              true};
    Identity at_idp{profile_->idp_client_id, profile_->idp_client_secret, "none", {}, 0};
    if (!at_idp.client_secret.empty()) {
        auto method = choose_auth_method(idp, true, false);
        at_idp.auth_method = method ? *method : "client_secret_basic";
    }
    prove_identity(at_idp, {}, form, out.fields);
    out.body = form.text();
    return enter(Phase::exchange, std::move(out));
}

Action SignIn::on_exchanged(const FetchResult& answer) {
    if (answer.status != 200)
        return Failed{oauth_error("the identity provider gave no grant", answer.status, answer.body)};
    const auto o = parse_object(answer.body, "the answer of the identity provider");
    if (!o) return Failed{o.error()};
    if (json::text_member(*o, "issued_token_type") != id_jag)
        return fail("the identity provider did not return an identity assertion grant");
    return request_tokens_for(std::string(json::text_member(*o, "access_token")));
}

Action SignIn::request_tokens_for(const std::string& assertion) {
    if (assertion.empty()) return fail("the assertion for signing in is empty");
    if (profile_->client_id.empty()) {
        identity_ = {};
        identity_.auth_method = "none";
    } else {
        auto own = own_identity(target_);
        if (!own) return Failed{own.error()};
        identity_ = *std::move(own);
    }
    Form form;
    form.add("grant_type", jwt_bearer);
    form.add("assertion", assertion);
    add_resource_and_scope(form);
    return request_tokens(Phase::tokens, std::move(form));
}

}  // namespace tenon::auth::client
