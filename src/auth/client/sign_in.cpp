#include "auth/client/sign_in.hpp"

#include <algorithm>

#include <tenon/auth/error.hpp>

#include "auth/members.hpp"
#include "base/base64.hpp"
#include "web/address_rules.hpp"
#include "web/client_answer.hpp"

namespace tenon::auth::client {
namespace {

constexpr std::size_t random_size = 32;

bool says_not_here(int status) { return status >= 400 && status < 500; }

bool is_private(const std::string& text) {
    const auto url = web::parse_url(text);
    return url && web::is_private_host(url->host);
}

// Returns the resource indicator of RFC 8707: without the query, and without the slash of an empty path.
std::string canonical(const web::Url& server) {
    web::Url out = server;
    out.target = out.target.substr(0, out.target.find('?'));
    std::string text = out.text();
    if (out.target == "/") text.pop_back();
    return text;
}

}  // namespace

SignIn::SignIn(std::shared_ptr<const Profile> profile, Record record, Randomness random)
    : profile_(std::move(profile)), record_(std::move(record)), random_(std::move(random)) {}

Action SignIn::fail(std::string why) { return Failed{{code::not_authorised, std::move(why)}}; }

std::string SignIn::random_text() const { return base::base64url_encode(random_.bytes(random_size)); }

Action SignIn::get(std::string url, Step then) {
    next_ = then;
    return Fetch{"GET", std::move(url), {{"Accept", "application/json"}}, {}, at_idp_};
}

Action SignIn::begin(const Refusal& refusal, std::int64_t now) {
    now_ = now;
    if (!is_safe(profile_->server))
        return fail(
            "the server requires you to sign in, but its URL does not begin with https://: the token would not be "
            "encrypted");
    read_challenge(refusal);
    if (metadata_url_.empty()) {
        for (std::string& url : protected_resource_urls(profile_->server)) candidates_.push_back(std::move(url));
    } else {
        const auto url = safe_url(metadata_url_, "the URL of the server's metadata");
        if (!url) return Failed{url.error()};
        candidates_.push_back(metadata_url_);
    }
    return look_for_resource();
}

void SignIn::read_challenge(const Refusal& refusal) {
    stepping_up_ = refusal.insufficient_scope;
    public_server_ = refusal.public_server;
    for (const Challenge& c : refusal.challenges) {
        if (!c.is("Bearer") && !c.is("DPoP")) continue;
        dpop_challenged_ = dpop_challenged_ || c.is("DPoP");
        if (metadata_url_.empty()) metadata_url_ = c.parameter("resource_metadata");
        if (challenged_scope_.empty()) challenged_scope_ = c.parameter("scope");
    }
}

Action SignIn::fetched(const Result<FetchResult>& answer, std::int64_t now) {
    now_ = now;
    if (!answer) return Failed{{code::not_authorised, "cannot sign in: " + answer.error().message}};
    return (this->*next_)(*answer);
}

// ---- the server's metadata

Action SignIn::look_for_resource() {
    if (!candidates_.empty()) return get(candidates_.front(), &SignIn::on_resource);
    if (last_error_) return Failed{*last_error_};
    if (!metadata_url_.empty()) return fail("the server's metadata is not at the URL that the server names");
    old_server_ = true;
    return look_for_issuer(origin_of(profile_->server), &SignIn::have_issuer);
}

Action SignIn::on_resource(const FetchResult& answer) {
    candidates_.pop_front();
    if (answer.status != 200 && !says_not_here(answer.status))
        return fail("cannot read the server's metadata: HTTP " + std::to_string(answer.status));
    if (answer.status == 200) {
        auto read = read_protected_resource(answer.body, profile_->server);
        if (read) {
            resource_ = *std::move(read);
            return choose_issuer();
        }
        last_error_ = read.error();
    }
    return look_for_resource();
}

Action SignIn::choose_issuer() {
    const auto& offered = resource_->authorization_servers;
    candidates_.clear();
    const auto offers = [&](const std::string& issuer) { return std::ranges::find(offered, issuer) != offered.end(); };
    if (!profile_->issuer.empty() && !offers(profile_->issuer))
        return fail("the server's authorisation server is no longer " + web::printable(profile_->issuer) +
                    ", which the client id is for");
    if (offered.empty()) return fail("the server's metadata names no authorisation server");
    std::string chosen = !profile_->issuer.empty() ? profile_->issuer : offered.front();
    if (profile_->issuer.empty() && offers(record_.issuer)) chosen = record_.issuer;
    return look_for_issuer(chosen, &SignIn::have_issuer);
}

// ---- the authorisation server's metadata

Action SignIn::look_for_issuer(const std::string& issuer, Found then) {
    const auto url = safe_url(issuer, "the authorisation server");
    if (!url) return Failed{url.error()};
    wanted_issuer_ = issuer;
    found_ = then;
    last_error_.reset();
    candidates_.clear();
    for (std::string& place : issuer_urls(*url)) candidates_.push_back(std::move(place));
    return try_next_issuer_url();
}

Action SignIn::try_next_issuer_url() {
    return candidates_.empty() ? no_issuer() : get(candidates_.front(), &SignIn::on_issuer);
}

// Does not use a document of another issuer. The next URL may have the right one.
Action SignIn::on_issuer(const FetchResult& answer) {
    candidates_.pop_front();
    if (answer.status == 200) {
        auto read = read_issuer(answer.body, wanted_issuer_);
        // For an old server the issuer is only a guess, so its spelling with a slash at the end is accepted too.
        if (!read && old_server_) read = read_issuer(answer.body, wanted_issuer_ + "/");
        if (read) {
            issuer_ = *std::move(read);
            return (this->*found_)();
        }
        last_error_ = read.error();
    } else if (!says_not_here(answer.status)) {
        last_error_ = Error{code::not_authorised,
                            "cannot read the authorisation server's metadata: HTTP " + std::to_string(answer.status)};
    }
    return try_next_issuer_url();
}

Action SignIn::no_issuer() {
    if (last_error_) return Failed{*last_error_};
    if (!old_server_) return fail("the authorisation server " + web::printable(wanted_issuer_) + " has no metadata");
    issuer_ = default_issuer(profile_->server);
    return (this->*found_)();
}

// ---- scopes, keys and grant

Action SignIn::have_issuer() {
    target_ = issuer_;
    if (const auto good = check_issuer(); !good) return Failed{good.error()};
    if (record_.issuer != target_.issuer) record_.forget_tokens();
    if (profile_->resource_indicator)
        resource_indicator_ = resource_ ? resource_->resource : canonical(profile_->server);
    choose_scopes();
    if (const auto good = choose_proof(); !good) return Failed{good.error()};
    return use_grant();
}

Result<void> SignIn::check_issuer() const {
    const Error leads_inside{code::not_authorised, "the server is on the internet, and its authorisation server " +
                                                       web::printable(target_.issuer) +
                                                       " is not: refusing to connect to it"};
    if (public_server_)
        for (const std::string* url :
             {&target_.authorization_endpoint, &target_.token_endpoint, &target_.registration_endpoint})
            if (is_private(*url)) return leads_inside;
    const bool changed = !record_.issuer.empty() && record_.issuer != target_.issuer;
    if (!profile_->issuer.empty() && profile_->issuer != target_.issuer)
        return Error{code::not_authorised, "the client id is for " + web::printable(profile_->issuer) + ", not for " +
                                               web::printable(target_.issuer)};
    if (changed && profile_->issuer.empty() && !profile_->client_id.empty())
        return Error{code::not_authorised, "the server has changed its authorisation server from " +
                                               web::printable(record_.issuer) + " to " +
                                               web::printable(target_.issuer) +
                                               "; the client id belongs to the old one and is not sent to the new one"};
    return {};
}

// Takes the scopes of the challenge or, if it has none, those of the server's metadata. Adds the scopes of the profile
// and those that were requested before.
void SignIn::choose_scopes() {
    scopes_ = parse_scopes(challenged_scope_);
    if (challenged_scope_.empty() && resource_ && resource_->scopes_supported)
        scopes_ = joined({}, *resource_->scopes_supported);
    scopes_ = joined(std::move(scopes_), profile_->scopes);
    scopes_ = joined(record_.scopes, scopes_);
    const bool offline = profile_->offline_access && profile_->kind == Profile::Kind::user && !scopes_.empty();
    if (offline && contains(target_.scopes_supported, "offline_access"))
        scopes_ = joined(std::move(scopes_), {"offline_access"});
}

Result<void> SignIn::choose_proof() {
    const bool wanted = dpop_challenged_ || (resource_ && resource_->wants_dpop);
    const bool use = profile_->dpop == Profile::Dpop::always || (profile_->dpop == Profile::Dpop::when_asked && wanted);
    if (!use) return {};
    if (!target_.dpop_algorithms.empty() && !contains(target_.dpop_algorithms, "ES256"))
        return Error{code::not_authorised, "the authorisation server does not accept DPoP proofs with ES256"};
    if (!record_.dpop_key.empty()) {
        const auto jwk = parse_object(record_.dpop_key, "the key");
        if (auto key = jwk ? jose::PrivateKey::from_jwk(*jwk) : Result<jose::PrivateKey>(jwk.error()); key)
            proof_key_ = *std::move(key);
    }
    if (!proof_key_) proof_key_ = random_.key();
    record_.dpop_key = json::write(proof_key_->jwk());
    return {};
}

Action SignIn::use_grant() {
    switch (profile_->kind) {
        case Profile::Kind::user: return with_user();
        case Profile::Kind::client_credentials: return client_credentials();
        case Profile::Kind::enterprise: return AskAssertion{profile_->idp_client_id};
        case Profile::Kind::workload: return AskAssertion{target_.issuer};
    }
    return fail("this way of signing in is not supported");
}

}  // namespace tenon::auth::client
