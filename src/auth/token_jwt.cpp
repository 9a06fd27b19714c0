#include "auth/token_jwt.hpp"

#include "auth/jwks_cache.hpp"
#include "auth/members.hpp"
#include "auth/token_cache.hpp"
#include "framing/http_fields.hpp"
#include "jose/jws.hpp"

namespace tenon::auth {
namespace {

// An ID token or a proof is signed by the same hands, and is no access token. Many issuers say just "JWT".
bool is_access_token(std::string_view type) {
    for (const char* good : {"", "JWT", "at+jwt", "application/at+jwt"})
        if (framing::equal_ignoring_case(type, good)) return true;
    return false;
}

class JwtChecker final : public TokenChecker {
 public:
    explicit JwtChecker(const ResourceServer& options)
        : expected_{options.issuer, options.audience, options.leeway},
          keys_(options.issuer, options.jwks_uri, options.limits),
          known_(options.limits.max_cached_tokens),
          key_time_(options.limits.key_time) {}

    Verdict check(std::string_view text, const Now& now) override {
        const std::string key = TokenCache::key_of(text);
        const TokenCache::Known* known = known_.find(key, now.steady);
        Verdict verdict = known ? to_verdict(*known) : check_anew(text, key, now);
        if (const auto* token = std::get_if<Token>(&verdict))
            if (auto bad = check_times(*token, expected_, now.wall)) return *std::move(bad);
        return verdict;
    }
    std::vector<FetchOrder> take_fetches() override { return keys_.take_fetches(); }
    void fetched(std::string_view, Result<std::string> body, const Now& now) override {
        const auto before = keys_.generation();
        keys_.fetched(std::move(body), now);
        if (keys_.generation() != before) known_.clear();  // a key may have been taken back
    }

 private:
    static Verdict to_verdict(const TokenCache::Known& known) {
        return std::visit([](const auto& one) { return Verdict(one); }, known);
    }

    Verdict check_anew(std::string_view text, const std::string& key, const Now& now) {
        const auto jws = jose::UnverifiedJws::parse(text);
        if (!jws) return BadToken{"the token is not a signed JWT"};
        if (!is_access_token(jws->text("typ"))) return BadToken{"the token is not an access token"};
        const auto algorithm = jose::algorithm_named(jws->text("alg"));
        if (!algorithm) return BadToken{"the token is signed in a way that this server does not accept"};
        const auto found = keys_.find(jws->text("kid"), *algorithm, now);
        if (found.wait) return WaitFor{std::string(JwksCache::what)};
        if (found.unavailable) return CannotCheck{"the keys of the issuer cannot be had: " + keys_.trouble()};
        for (const jose::PublicKey& one : found.keys) {
            const auto payload = jose::verify(one, *jws);
            if (payload) return to_verdict(learn(key, *payload, now));
        }
        return BadToken{"the token is not signed by a key of the issuer"};
    }

    // Only what was really signed is remembered: strangers cannot fill the memory.
    TokenCache::Known learn(const std::string& key, std::string_view payload, const Now& now) {
        const auto claims = client::parse_object(payload, "the claims of the token");
        if (!claims) return BadToken{"the claims of the token are no JSON object"};
        const TokenCache::Known known =
            std::visit([](auto one) { return TokenCache::Known(std::move(one)); }, read_claims(*claims, expected_));
        known_.remember(key, known, now.steady, later(now.steady, key_time_));
        return known;
    }

    const Expected expected_;
    JwksCache keys_;
    TokenCache known_;
    const Duration key_time_;
};

}  // namespace

std::unique_ptr<TokenChecker> make_jwt_checker(const ResourceServer& options) {
    return std::make_unique<JwtChecker>(options);
}

}  // namespace tenon::auth
