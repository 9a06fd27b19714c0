#include "auth/client/client_tokens.hpp"

#include <algorithm>

#include <tenon/auth/error.hpp>

#include "auth/client/dpop_proof.hpp"
#include "auth/metadata.hpp"
#include "auth/parse_object.hpp"
#include "web/client_response.hpp"

namespace tenon::auth::client {
namespace {

constexpr std::int64_t refresh_ahead = 30;  // seconds before the tokens expire
constexpr std::size_t max_nonce_bytes = 1024;

// Returns whether the authorisation server has decided, instead of being out of reach or out of order.
bool is_decision(const Error& why) {
    const json::object* data = why.data.if_object();
    const json::value* error = data ? data->if_contains("oauthError") : nullptr;
    return error && *error != json::value("server_error") && *error != json::value("temporarily_unavailable");
}

Error not_authorised(std::string why) { return {code::not_authorised, std::move(why)}; }

}  // namespace

// ---- current tokens

void ClientTokens::use(Record record) {
    if (record.tokens.access_token != record_.tokens.access_token) ++generation_;
    record_ = std::move(record);
    proof_key_.reset();
    if (!record_.tokens.dpop) return;
    const auto jwk = parse_object(record_.dpop_key, "the key");
    if (auto key = jwk ? jose::PrivateKey::from_jwk(*jwk) : Result<jose::PrivateKey>(jwk.error()); key)
        proof_key_ = *std::move(key);
}

bool ClientTokens::expires_within(std::int64_t seconds, std::int64_t now) const {
    const std::int64_t at = record_.tokens.expires_at;
    return at != 0 && at - seconds <= now;
}

web::OwnFields ClientTokens::fields(std::string_view method, const web::Url& url, std::int64_t now,
                                    const std::function<std::string()>& proof_id) const {
    const Tokens& tokens = record_.tokens;
    if (tokens.access_token.empty() || expires_within(0, now) || !is_safe(url)) return {};
    if (!tokens.dpop) return {{"Authorization", "Bearer " + tokens.access_token}};
    if (!proof_key_) return {};
    const ProofOf of{method, url, tokens.access_token, nonce_, now, proof_id()};
    return {{"Authorization", "DPoP " + tokens.access_token}, {"DPoP", dpop_proof(*proof_key_, of)}};
}

bool ClientTokens::should_refresh(std::int64_t now) const {
    return !record_.tokens.refresh_token.empty() && expires_within(refresh_ahead, now);
}

void ClientTokens::saw_nonce(std::string nonce) {
    if (nonce.size() <= max_nonce_bytes) nonce_ = std::move(nonce);
}

// ---- after a refusal

bool ClientTokens::can_help(const RefusedRequest& refused) const {
    const bool oauth = refused.challenges.empty() || std::ranges::any_of(refused.challenges, &Challenge::is_oauth);
    if (refused.status == 401) return oauth;
    return refused.status == 403 && refused.parameter("error") == "insufficient_scope";
}

bool ClientTokens::wants_nonce(const RefusedRequest& refused) const {
    return refused.parameter("error") == "use_dpop_nonce" && !nonce_.empty();
}

// Returns whether the refused request carried tokens that a sign-in brought and the server has never accepted.
bool ClientTokens::is_new(const RefusedRequest& refused) const {
    return own_ != 0 && own_ == refused.generation && accepted_ < refused.generation;
}

std::optional<Error> ClientTokens::hopeless(const RefusedRequest& refused) const {
    const bool without_user = profile_->kind == Profile::Kind::user && !profile_->interactive;
    if (without_user && (record_.tokens.refresh_token.empty() || refused.status == 403))
        return not_authorised(refused.status == 403
                                  ? "the server requires more scopes than you have granted; sign in again"
                                  : "the server requires you to sign in first");
    if (refused.status == 401) {
        if (!is_new(refused) || refreshed_) return std::nullopt;
        return not_authorised("the server refuses the token that its own authorisation server has just given");
    }
    const Scopes wanted = parse_scopes(refused.parameter("scope"));
    const std::string names = web::printable(write_scopes(wanted));
    if (wanted.empty()) return not_authorised("the server requires more scopes than you have, but does not say which");
    if (contains_all(asked_, wanted))
        return not_authorised("the server requires the scopes `" + names +
                              "`, which were already requested and not granted");
    if (step_ups_ >= max_step_ups_)
        return not_authorised("the server keeps requiring more scopes, now `" + names +
                              "`; TokenOptions::max_step_ups is " + std::to_string(step_ups_));
    return std::nullopt;
}

// ---- a sign-in

void ClientTokens::begin(const RefusedRequest& refused) {
    if (is_new(refused)) record_.tokens.refresh_token.clear();  // the server refuses the tokens that it gives
    stepping_up_ = refused.status == 403;
    if (stepping_up_) ++step_ups_;
}

void ClientTokens::signed_in(Record record, const Scopes& requested, bool refreshed) {
    asked_ = joined(std::move(asked_), requested);
    use(std::move(record));
    own_ = generation_;
    refreshed_ = refreshed;
    stepping_up_ = false;
}

// Without a decision of the authorisation server, the scopes were not denied. They may be requested again.
void ClientTokens::failed(Record record, const Scopes& requested, const Error& why) {
    const bool decided = is_decision(why);
    if (decided) asked_ = joined(std::move(asked_), requested);
    if (!decided && stepping_up_) --step_ups_;
    stepping_up_ = false;
    use(std::move(record));
}

}  // namespace tenon::auth::client
