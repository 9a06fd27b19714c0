// The issuer's keys, and the tokens signed with them.
// rules: HTTP-13
#include <gtest/gtest.h>

#include "auth/resource_server/jwks_cache.hpp"
#include "auth/resource_server/token_jwt.hpp"
#include "unit/auth/resource_server/authority.hpp"

namespace tenon::auth {
namespace {

const ResourceLimits limits;
const std::string keys_url = "https://login.example/keys";

std::string metadata(std::string_view uri = keys_url, std::string_view issuer = the_issuer) {
    return json::write(json::object{{"issuer", issuer}, {"jwks_uri", uri}});
}
Error down() { return {code::connection_closed, "it is down"}; }

// ---- the keys

struct Keys : testing::Test {
    JwksCache::Found find(const Now& now, std::string_view id = "k1") {
        return cache.find(id, jose::Algorithm::es256, now);
    }
    std::string ordered(JwksCache& from) {
        const auto orders = from.take_fetches();
        if (orders.empty()) return "";
        EXPECT_EQ(orders.size(), 1U);
        return orders.front().url + (orders.front().public_only ? " (public)" : "");
    }
    std::string ordered() { return ordered(cache); }
    void load(const Now& now, std::initializer_list<jose::PublicKey> keys) {
        EXPECT_EQ(ordered(), keys_url);
        cache.fetched(jwks(keys), now);
    }

    const jose::PrivateKey first = new_key("k1"), second = new_key("k2");
    JwksCache cache{the_issuer, keys_url, limits};
};

TEST_F(Keys, are_found_through_the_issuers_metadata) {
    JwksCache found{the_issuer, "", limits};
    EXPECT_TRUE(found.find("k1", jose::Algorithm::es256, at(0)).wait);
    EXPECT_EQ(ordered(found), "https://login.example/.well-known/oauth-authorization-server/tenant");
    found.fetched(down(), at(1));
    EXPECT_EQ(ordered(found), "https://login.example/.well-known/openid-configuration/tenant");
    found.fetched(std::string("<html>"), at(1));
    EXPECT_EQ(ordered(found), "https://login.example/tenant/.well-known/openid-configuration");
    found.fetched(metadata(), at(1));
    EXPECT_EQ(ordered(found), keys_url);
    EXPECT_TRUE(found.find("k1", jose::Algorithm::es256, at(1)).wait);
    found.fetched(jwks({first.public_key()}), at(1));
    EXPECT_EQ(found.find("k1", jose::Algorithm::es256, at(1)).keys.size(), 1U);
}

TEST_F(Keys, metadata_of_another_issuer_is_ignored) {
    JwksCache mixed_up{"https://login.example", "", limits};
    mixed_up.find("k1", jose::Algorithm::es256, at(0));
    for (const char* name : {"oauth-authorization-server", "openid-configuration"}) {
        EXPECT_EQ(ordered(mixed_up), std::string("https://login.example/.well-known/") + name);
        mixed_up.fetched(metadata("https://evil/keys", "https://evil"), at(0));
    }
    EXPECT_EQ(ordered(mixed_up), "");
    EXPECT_TRUE(mixed_up.find("k1", jose::Algorithm::es256, at(1)).unavailable);
}

TEST_F(Keys, a_keys_url_from_metadata_may_only_lead_to_public_addresses) {  // an attack: SSRF
    JwksCache led{the_issuer, "", limits};
    led.find("k1", jose::Algorithm::es256, at(0));
    led.take_fetches();
    led.fetched(metadata("http://169.254.169.254/latest"), at(0));
    EXPECT_EQ(ordered(led), "http://169.254.169.254/latest (public)");
}

TEST_F(Keys, are_fetched_once_and_refreshed_when_they_are_old) {
    EXPECT_TRUE(find(at(0)).wait);
    EXPECT_TRUE(find(at(0)).wait);
    load(at(0), {first.public_key()});
    for (const int seconds : {0, 1, 899}) EXPECT_EQ(find(at(seconds)).keys.size(), 1U);
    EXPECT_EQ(ordered(), "");
    EXPECT_EQ(find(at(900)).keys.size(), 1U) << "the old keys must be used until the new ones arrive";
    EXPECT_EQ(find(at(901)).keys.size(), 1U);
    load(at(902), {second.public_key()});
    EXPECT_EQ(find(at(903), "k2").keys.size(), 1U);
    EXPECT_TRUE(find(at(940), "k1").keys.empty()) << "a withdrawn key must not be found";
}

TEST_F(Keys, an_unknown_key_id_causes_at_most_one_fetch) {
    find(at(0));
    load(at(0), {first.public_key()});
    EXPECT_FALSE(find(at(10), "k2").wait) << "the keys were fetched a moment ago";
    EXPECT_EQ(ordered(), "");
    EXPECT_TRUE(find(at(31), "k2").wait);
    load(at(31), {first.public_key(), second.public_key()});
    EXPECT_EQ(find(at(31), "k2").keys.size(), 1U);
    for (int i = 0; i < 1000; ++i) {
        const auto found = find(at(32), "nobody" + std::to_string(i));
        EXPECT_FALSE(found.wait || found.unavailable || !found.keys.empty());
    }
    EXPECT_EQ(ordered(), "");
}

TEST_F(Keys, stay_usable_for_a_day_while_the_issuer_is_down) {
    find(at(0));
    load(at(0), {first.public_key()});
    for (const int seconds : {1000, 10'000, 86'000}) {
        EXPECT_EQ(find(at(seconds)).keys.size(), 1U);
        EXPECT_EQ(ordered(), keys_url);
        cache.fetched(down(), at(seconds));
    }
    EXPECT_TRUE(find(at(86'400)).wait);
    EXPECT_EQ(ordered(), keys_url);
    cache.fetched(down(), at(86'400));
    EXPECT_TRUE(find(at(86'401)).unavailable);
    EXPECT_EQ(cache.trouble(), "it is down");
}

TEST_F(Keys, failed_fetches_are_retried_only_after_a_pause) {
    find(at(0));
    EXPECT_EQ(ordered(), keys_url);
    cache.fetched(down(), at(1));
    EXPECT_TRUE(find(at(29)).unavailable);
    EXPECT_EQ(ordered(), "");
    EXPECT_TRUE(find(at(30)).wait);
    load(at(30), {first.public_key()});
}

TEST_F(Keys, unusable_keys_are_skipped) {
    const json::object good = first.public_key().jwk();
    json::object secret{{"kty", "oct"}, {"k", "AAAA"}}, encrypts = second.public_key().jwk();
    encrypts["use"] = "enc";
    const auto set = [](json::array list) { return json::write(json::object{{"keys", std::move(list)}}); };
    EXPECT_EQ(read_jwks(set({secret, encrypts, first.jwk(), 1, good}), 64)->size(), 1U);
    EXPECT_EQ(read_jwks(set({good, good, good}), 2)->size(), 2U);
    for (const char* text : {"", "[]", "{}", R"({"keys":{}})", R"({"keys":[],"keys":[]})"})
        EXPECT_FALSE(read_jwks(text, 64)) << text;
}

TEST_F(Keys, without_a_key_id_all_keys_of_the_algorithm_are_tried) {
    find(at(0));
    load(at(0), {first.public_key(), second.public_key(), new_key("k3", jose::Algorithm::eddsa).public_key()});
    EXPECT_EQ(find(at(1), "").keys.size(), 2U);
    EXPECT_TRUE(find(at(1), "k3").keys.empty()) << "the key is for another algorithm";
}

// ---- the tokens

struct Jwt : testing::Test {
    Jwt() {
        checker->check(token(key), at(0));
        checker->take_fetches();
        checker->fetched(JwksCache::what, jwks({key.public_key()}), at(0));
    }
    std::string why(std::string_view text, const Now& now = at(0)) {
        const TokenCheck verdict = checker->check(text, now);
        if (const auto* bad = std::get_if<BadToken>(&verdict)) return bad->why;
        return std::holds_alternative<Token>(verdict) ? "" : "?";
    }
    const jose::PrivateKey key = new_key();
    std::unique_ptr<TokenChecker> checker =
        make_jwt_checker({.issuer = the_issuer, .audience = the_resource, .jwks_uri = keys_url});
};

TEST_F(Jwt, a_valid_token_is_accepted_until_it_expires) {
    const std::string good = token(key);
    EXPECT_EQ(why(good), "");
    EXPECT_EQ(why(good, at(359)), "");
    EXPECT_EQ(why(good, at(360)), "the token is expired") << "a cached token must still expire";
    EXPECT_EQ(why(token(key, claims({{"nbf", start + 100}}))), "the token is not valid yet");
}

TEST_F(Jwt, the_claims_are_checked) {
    EXPECT_EQ(why(token(key, claims({{"aud", "https://evil"}}))), "the token is for another audience");
    EXPECT_EQ(why(token(key, claims({{"iss", "https://evil"}}))), "the token is of another issuer");
    EXPECT_EQ(why(jose::sign(key, {}, "[]")), "the claims of the token are not a JSON object");
    EXPECT_EQ(why(jose::sign(key, {}, R"({"sub":"a","sub":"b"})")), "the claims of the token are not a JSON object");
}

TEST_F(Jwt, a_token_signed_with_another_key_is_refused) {
    EXPECT_EQ(why(token(new_key("k1"))), "the token is not signed by a key of the issuer");
    EXPECT_EQ(why(token(new_key("k9"))), "the token is not signed by a key of the issuer");
    const jose::PrivateKey attacker = new_key("k1");
    EXPECT_NE(why(token(attacker, claims(), {{"jwk", attacker.public_key().jwk()}, {"jku", "https://evil"}})), "");
}

TEST_F(Jwt, unsupported_algorithms_including_none_are_refused) {
    const std::string body = "." + base::base64url_encode(json::write(claims())) + ".";
    for (const char* alg : {"none", "None", "NONE", "", "HS256", "ES384"}) {
        const std::string head = base::base64url_encode(json::write(json::object{{"alg", alg}, {"kid", "k1"}}));
        EXPECT_EQ(why(head + body), "the token is signed with an algorithm that this server does not accept") << alg;
    }
}

TEST_F(Jwt, the_header_cannot_change_the_algorithm_of_a_key) {
    // A valid ES256 signature under a header that names another algorithm.
    for (const char* alg : {"RS256", "PS256", "EdDSA"}) {
        const std::string head = base::base64url_encode(json::write(json::object{{"alg", alg}, {"kid", "k1"}})) + "." +
                                 base::base64url_encode(json::write(claims()));
        EXPECT_NE(why(head + "." + base::base64url_encode(key.sign(head))), "") << alg;
    }
}

TEST_F(Jwt, tokens_of_other_types_are_refused) {
    for (const char* type : {"dpop+jwt", "logout+jwt", "oauth-id-jag+jwt", "jwt2"})
        EXPECT_EQ(why(token(key, claims(), {{"typ", type}})), "the token is not an access token") << type;
    for (const char* type : {"JWT", "jwt", "AT+JWT", "application/at+jwt"})
        EXPECT_EQ(why(token(key, claims(), {{"typ", type}})), "") << type;
    EXPECT_EQ(why("opaque"), "the token is not a signed JWT");
}

TEST_F(Jwt, a_cached_token_is_forgotten_when_its_key_is_withdrawn) {
    const std::string good = token(key, claims({{"exp", start + 5000}}));
    EXPECT_EQ(why(good), "");
    EXPECT_EQ(why(token(new_key("k2")), at(31)), "?") << "the check must wait for new keys";
    checker->take_fetches();
    checker->fetched(JwksCache::what, jwks({}), at(31));
    EXPECT_EQ(why(good, at(32)), "the token is not signed by a key of the issuer");
}

TEST_F(Jwt, a_token_with_a_new_key_waits_for_the_keys) {
    const jose::PrivateKey next = new_key("k2", jose::Algorithm::eddsa);
    EXPECT_EQ(std::get<WaitFor>(checker->check(token(next), at(100))).what, JwksCache::what);
    EXPECT_EQ(checker->take_fetches().size(), 1U);
    checker->fetched(JwksCache::what, jwks({key.public_key(), next.public_key()}), at(100));
    EXPECT_EQ(why(token(next), at(100)), "");
}

// The steps of a check. The caller holds its lock only between the steps.
TEST_F(Jwt, a_signature_is_verified_without_the_lock) {
    const std::string text = token(key);
    const PresentedToken presented(text);
    Step step = checker->look(presented, at(0));
    ASSERT_TRUE(std::holds_alternative<Work>(step)) << "parsing must be work outside the lock";
    step = std::get<Work>(step).run()(at(0));
    ASSERT_TRUE(std::holds_alternative<Work>(step)) << "verifying must be work outside the lock";
    EXPECT_EQ(why(token(key, claims({{"sub", "somebody else"}}))), "") << "other tokens can be checked meanwhile";
    step = std::get<Work>(step).run()(at(0));
    EXPECT_TRUE(std::holds_alternative<Token>(step));
    EXPECT_TRUE(std::holds_alternative<Token>(checker->look(presented, at(0)))) << "the verified token must be cached";
}

TEST_F(Jwt, a_verification_with_replaced_keys_is_not_cached) {
    const std::string text = token(key, claims({{"exp", start + 5000}}));
    Step step = checker->look(PresentedToken(text), at(0));
    step = std::get<Work>(step).run()(at(0));
    ASSERT_TRUE(std::holds_alternative<Work>(step));
    const auto verified = std::get<Work>(step).run();
    checker->check(token(new_key("k2")), at(31));
    checker->take_fetches();
    checker->fetched(JwksCache::what, jwks({}), at(31));
    verified(at(31));
    EXPECT_EQ(why(text, at(32)), "the token is not signed by a key of the issuer");
}

TEST_F(Jwt, unavailable_keys_are_reported_as_cannot_check) {
    checker = make_jwt_checker({.issuer = the_issuer, .audience = the_resource, .jwks_uri = keys_url});
    checker->check(token(key), at(0));
    checker->fetched(JwksCache::what, down(), at(0));
    EXPECT_NE(std::get<CannotCheck>(checker->check(token(key), at(0))).why.find("it is down"), std::string::npos);
}

}  // namespace
}  // namespace tenon::auth
