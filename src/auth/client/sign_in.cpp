#include "auth/client/sign_in.hpp"

#include <algorithm>

#include <tenon/auth/error.hpp>

#include "auth/parse_object.hpp"
#include "base/base64.hpp"
#include "web/address_rules.hpp"
#include "web/client_response.hpp"

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

// ---- events and phases

SignIn::Event SignIn::awaited_in(Phase phase) {
    switch (phase) {
        case Phase::unstarted: return Event::start;
        case Phase::listener: return Event::listening;
        case Phase::user: return Event::redirected;
        case Phase::assertion: return Event::asserted;
        case Phase::over: return Event::none;
        case Phase::resource_metadata:
        case Phase::issuer_metadata:
        case Phase::refreshing:
        case Phase::registration:
        case Phase::idp_metadata:
        case Phase::exchange:
        case Phase::tokens: return Event::fetched;
    }
    return Event::none;
}

Action SignIn::handle(Event event, std::int64_t now, const std::function<Action()>& handler) {
    now_ = now;
    const bool awaited = event == awaited_in(phase_);
    Action out =
        awaited ? handler() : Failed{{code::internal_error, "signing in got an event that it did not wait for"}};
    if (std::holds_alternative<Ready>(out) || std::holds_alternative<Failed>(out)) phase_ = Phase::over;
    return out;
}

Action SignIn::enter(Phase next, Action action) {
    phase_ = next;
    return action;
}

Action SignIn::begin(const Refusal& refusal, std::int64_t now) {
    return handle(Event::start, now, [&] {
        refusal_ = refusal;
        return find_resource();
    });
}

Action SignIn::refresh(std::int64_t now) {
    return handle(Event::start, now, [this] { return refresh_stored(); });
}

Action SignIn::fetched(const Result<FetchResult>& answer, std::int64_t now) {
    return handle(Event::fetched, now,
                  [&] { return answer ? on_response(*answer) : fail("cannot sign in: " + answer.error().message); });
}

Action SignIn::listening(const Result<std::string>& redirect_uri, std::int64_t now) {
    return handle(Event::listening, now, [&]() -> Action {
        if (!redirect_uri) return Failed{redirect_uri.error()};
        redirect_uri_ = *redirect_uri;
        return on_listening();
    });
}

Action SignIn::redirected(const Result<std::string>& url, std::int64_t now) {
    return handle(Event::redirected, now, [&] { return url ? on_redirect(*url) : Failed{url.error()}; });
}

Action SignIn::asserted(const Result<std::string>& jwt, std::int64_t now) {
    return handle(Event::asserted, now, [&] { return jwt ? on_assertion(*jwt) : Failed{jwt.error()}; });
}

Action SignIn::on_response(const FetchResult& answer) {
    switch (phase_) {
        case Phase::resource_metadata: return on_resource(answer);
        case Phase::issuer_metadata:
        case Phase::idp_metadata: return on_issuer(answer);
        case Phase::registration: return on_registered(answer);
        case Phase::exchange: return on_exchanged(answer);
        default: return on_token_response(answer);
    }
}

Action SignIn::fail(std::string why) { return Failed{{code::not_authorised, std::move(why)}}; }

std::string SignIn::random_text() const { return base::base64url_encode(random_.bytes(random_size)); }

Action SignIn::get(Phase next, std::string url) {
    const bool named_by_host = next == Phase::idp_metadata;
    return enter(next, Fetch{"GET", std::move(url), {{"Accept", "application/json"}}, {}, named_by_host});
}

std::string SignIn::challenged(std::string_view parameter) const {
    return refusal_ ? oauth_parameter(refusal_->challenges, parameter) : std::string();
}

// ---- the server's metadata

Action SignIn::find_resource() {
    if (!is_safe(profile_->server))
        return fail(
            "the server requires you to sign in, but its URL does not begin with https://: the token would not be "
            "encrypted");
    const std::string named = challenged("resource_metadata");
    if (named.empty()) {
        for (std::string& url : protected_resource_urls(profile_->server)) candidates_.push_back(std::move(url));
    } else {
        const auto url = safe_url(named, "the URL of the server's metadata");
        if (!url) return Failed{url.error()};
        candidates_.push_back(named);
    }
    return try_next_resource_url();
}

Action SignIn::try_next_resource_url() {
    if (!candidates_.empty()) return get(Phase::resource_metadata, candidates_.front());
    if (last_error_) return Failed{*last_error_};
    if (!challenged("resource_metadata").empty())
        return fail("the server's metadata is not at the URL that the server names");
    if (refusal_ && refusal_->needs_metadata)
        return fail(
            "the server has no protected resource metadata (RFC 9728), which its revision of the protocol requires; "
            "its operator must publish it");
    return find_issuer(Phase::issuer_metadata, origin_of(profile_->server));
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
    return try_next_resource_url();
}

Action SignIn::choose_issuer() {
    const auto& offered = resource_->authorization_servers;
    const auto offers = [&](const std::string& issuer) { return std::ranges::find(offered, issuer) != offered.end(); };
    if (!profile_->issuer.empty() && !offers(profile_->issuer))
        return fail("the server's authorisation server is no longer " + web::printable(profile_->issuer) +
                    ", which the client id is for");
    if (offered.empty()) return fail("the server's metadata names no authorisation server");
    std::string chosen = !profile_->issuer.empty() ? profile_->issuer : offered.front();
    if (profile_->issuer.empty() && offers(record_.issuer)) chosen = record_.issuer;
    return find_issuer(Phase::issuer_metadata, chosen);
}

// ---- the metadata of the authorisation server, or of the identity provider

Action SignIn::find_issuer(Phase next, const std::string& issuer) {
    const auto url = safe_url(issuer, "the authorisation server");
    if (!url) return Failed{url.error()};
    wanted_issuer_ = issuer;
    last_error_.reset();
    candidates_.clear();
    for (std::string& place : issuer_urls(*url)) candidates_.push_back(std::move(place));
    return get(next, candidates_.front());
}

// A server of 2025-03-26 has no metadata of its own, and is its own authorisation server.
bool SignIn::is_old_server() const { return phase_ == Phase::issuer_metadata && !resource_; }

// Does not use a document of another issuer. The next URL may have the right one.
Action SignIn::on_issuer(const FetchResult& answer) {
    candidates_.pop_front();
    if (answer.status == 200) {
        auto read = read_issuer_of(answer);
        if (read) return found(*std::move(read));
        last_error_ = read.error();
    } else if (!says_not_here(answer.status)) {
        last_error_ = Error{code::not_authorised,
                            "cannot read the authorisation server's metadata: HTTP " + std::to_string(answer.status)};
    }
    return candidates_.empty() ? no_issuer() : get(phase_, candidates_.front());
}

// For an old server the issuer is only a guess, so its spelling with a slash at the end is accepted too.
Result<Issuer> SignIn::read_issuer_of(const FetchResult& answer) const {
    auto read = read_issuer(answer.body, wanted_issuer_);
    return read || !is_old_server() ? read : read_issuer(answer.body, wanted_issuer_ + "/");
}

Action SignIn::no_issuer() {
    if (last_error_) return Failed{*last_error_};
    if (!is_old_server())
        return fail("the authorisation server " + web::printable(wanted_issuer_) + " has no metadata");
    return found(default_issuer(profile_->server));
}

Action SignIn::found(Issuer issuer) {
    if (phase_ == Phase::idp_metadata) return exchange(issuer);
    target_ = std::move(issuer);
    if (const auto good = check_issuer(); !good) return Failed{good.error()};
    if (record_.issuer != target_.issuer) record_.forget_tokens();
    if (profile_->resource_indicator)
        resource_indicator_ = resource_ ? resource_->resource : canonical(profile_->server);
    choose_scopes();
    const bool wants_proof = std::ranges::any_of(refusal_->challenges, [](const Challenge& c) { return c.is("DPoP"); });
    if (const auto good = choose_proof(wants_proof || (resource_ && resource_->wants_dpop)); !good)
        return Failed{good.error()};
    return use_grant();
}

// ---- scopes, keys and grant

Result<void> SignIn::check_issuer() const {
    const Error leads_inside{code::not_authorised, "the server is on the internet, and its authorisation server " +
                                                       web::printable(target_.issuer) +
                                                       " is not: refusing to connect to it"};
    if (refusal_->public_server)
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
    const std::string named = challenged("scope");
    scopes_ = parse_scopes(named);
    if (named.empty() && resource_ && resource_->scopes_supported) scopes_ = joined({}, *resource_->scopes_supported);
    scopes_ = joined(std::move(scopes_), profile_->scopes);
    scopes_ = joined(record_.scopes, scopes_);
    const bool offline = profile_->offline_access && profile_->kind == Profile::Kind::user && !scopes_.empty();
    if (offline && contains(target_.scopes_supported, "offline_access"))
        scopes_ = joined(std::move(scopes_), {"offline_access"});
}

Result<void> SignIn::choose_proof(bool wanted) {
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
        case Profile::Kind::enterprise: return enter(Phase::assertion, AskAssertion{profile_->idp_client_id});
        case Profile::Kind::workload: return enter(Phase::assertion, AskAssertion{target_.issuer});
    }
    return fail("this way of signing in is not supported");
}

}  // namespace tenon::auth::client
