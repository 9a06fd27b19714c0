#include "auth/resource_server/token_jwt.hpp"

#include <memory>

#include "auth/parse_object.hpp"
#include "auth/resource_server/jwks_cache.hpp"
#include "auth/resource_server/token_cache.hpp"
#include "framing/http_fields.hpp"
#include "jose/jws.hpp"

namespace tenon::auth {
namespace {

// Accepts only the types of access tokens: ID tokens and proofs may be signed with the same key. Many issuers use just
// "JWT".
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

    Step look(const PresentedToken& token, const Now& now) override {
        if (const TokenCache::Known* known = known_.find(token.hash, now.steady)) return settle(*known, now);
        return Work{[this, text = token.text, hash = token.hash] { return read(text, hash); }};
    }
    std::vector<FetchOrder> take_fetches() override { return keys_.take_fetches(); }
    void fetched(std::string_view, Result<std::string> body, const Now& now) override {
        const auto before = keys_.generation();
        keys_.fetched(std::move(body), now);
        if (keys_.generation() != before) known_.clear();  // the issuer may have revoked a key
    }

 private:
    using Next = std::function<Step(const Now&)>;
    using Jws = std::shared_ptr<const jose::UnverifiedJws>;

    static Next refuse(std::string why) {
        return [bad = BadToken{std::move(why)}](const Now&) { return bad; };
    }

    Step settle(const TokenCache::Known& known, const Now& now) const {
        if (const auto* token = std::get_if<Token>(&known))
            if (auto bad = check_times(*token, expected_, now.wall)) return *std::move(bad);
        return std::visit([](const auto& one) { return Step(one); }, known);
    }

    // Runs without the lock.
    Next read(std::string_view text, const std::string& hash) {
        auto jws = jose::UnverifiedJws::parse(text);
        if (!jws) return refuse("the token is not a signed JWT");
        if (!is_access_token(jws->text("typ"))) return refuse("the token is not an access token");
        const auto algorithm = jose::algorithm_named(jws->text("alg"));
        if (!algorithm) return refuse("the token is signed with an algorithm that this server does not accept");
        return [this, hash, algorithm = *algorithm,
                shared = std::make_shared<const jose::UnverifiedJws>(*std::move(jws))](const Now& now) {
            return find_keys(hash, shared, algorithm, now);
        };
    }

    // Runs under the lock.
    Step find_keys(const std::string& hash, const Jws& jws, jose::Algorithm algorithm, const Now& now) {
        auto found = keys_.find(jws->text("kid"), algorithm, now);
        if (found.wait) return WaitFor{std::string(JwksCache::what)};
        if (found.unavailable) return CannotCheck{"cannot fetch the keys of the issuer: " + keys_.trouble()};
        return Work{[this, hash, jws, keys = std::move(found.keys), generation = keys_.generation()] {
            return verify(hash, *jws, keys, generation);
        }};
    }

    // Runs without the lock. Only tokens with a valid signature are cached, so invalid tokens cannot fill the cache.
    Next verify(const std::string& hash, const jose::UnverifiedJws& jws, const std::vector<jose::PublicKey>& keys,
                std::uint64_t generation) {
        for (const jose::PublicKey& one : keys)
            if (const auto payload = jose::verify(one, jws))
                return [this, hash, generation, known = read_payload(*payload)](const Now& now) {
                    return learn(hash, known, generation, now);
                };
        return refuse("the token is not signed by a key of the issuer");
    }

    TokenCache::Known read_payload(std::string_view payload) const {
        const auto claims = client::parse_object(payload, "the claims of the token");
        if (!claims) return BadToken{"the claims of the token are not a JSON object"};
        return std::visit([](auto one) { return TokenCache::Known(std::move(one)); }, read_claims(*claims, expected_));
    }

    // Runs under the lock. Does not cache the result if the keys have changed meanwhile, because the key of this token
    // may have been revoked.
    Step learn(const std::string& hash, const TokenCache::Known& known, std::uint64_t generation, const Now& now) {
        if (generation == keys_.generation()) known_.remember(hash, known, later(now.steady, key_time_));
        return settle(known, now);
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
