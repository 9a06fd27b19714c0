// The limits of a resource server that other tests do not reach: elsewhere.txt names those tests.
#include <gtest/gtest.h>

#include "auth/resource_server/jwks_cache.hpp"
#include "auth/resource_server/token_gate.hpp"
#include "support/http_exchange.hpp"
#include "unit/auth/resource_server/authority.hpp"

namespace tenon::auth {
namespace {

using web::Response;

std::string header_of(const Response& response, std::string_view name) {
    for (const auto& [n, value] : response.fields)
        if (n == name) return value;
    return "";
}

struct ResourceLimit : testing::Test {
    /// Opens a gate with these limits and the key of the issuer.
    void open(const ResourceLimits& limits, bool dpop_nonces = false) {
        gate.emplace(ResourceServer{.issuer = the_issuer,
                                    .audience = the_resource,
                                    .jwks_uri = "https://login.example/keys",
                                    .dpop_nonces = dpop_nonces,
                                    .leeway = std::chrono::seconds(0),
                                    .limits = limits},
                     DpopNonces::Secret{1});
        gate->checker().check(token(issuer), at(0));
        gate->checker().take_fetches();
        gate->checker().fetched(JwksCache::what, jwks({issuer.public_key()}), at(0));
    }
    /// Returns a token of this principal that is bound to the key of the client.
    std::string token_of(std::string_view principal) const {
        return token(issuer,
                     claims({{"sub", principal}, {"cnf", json::object{{"jkt", client.public_key().thumbprint()}}}}));
    }
    /// Sends a request with a proof that has these claims. Returns the refusal; a request that is let in has status 0.
    Response send(const std::string& access_token, const json::object& said, std::int64_t seconds) {
        const test::Head head(
            "POST", "/mcp",
            "Authorization: DPoP " + access_token + "\r\nDPoP: " + proof(client, access_token, said) + "\r\n");
        const Now now = at(seconds);
        const TokenCheck checked = gate->checker().check(access_token, now);
        const auto admitted = gate->admit(head, std::get<Credentials>(gate->read(head)), std::get<Token>(checked),
                                          now.wall, [&](const Proof& p) { return gate->see(p, now.wall); });
        const auto* refused = std::get_if<Response>(&admitted);
        return refused ? *refused : Response{.status = 0};
    }

    const jose::PrivateKey issuer = new_key(), client = jose::PrivateKey::generate(jose::Algorithm::es256);
    std::optional<TokenGate> gate;
};

TEST_F(ResourceLimit, max_keys) {
    JwksCache cache(the_issuer, "https://login.example/keys", {.max_keys = 2});
    cache.find("k3", jose::Algorithm::es256, at(0));
    cache.take_fetches();
    cache.fetched(jwks({new_key("k1").public_key(), new_key("k2").public_key(), new_key("k3").public_key()}), at(0));
    EXPECT_EQ(cache.find("k2", jose::Algorithm::es256, at(1)).keys.size(), 1U);
    EXPECT_TRUE(cache.find("k3", jose::Algorithm::es256, at(1)).keys.empty()) << "the third key is ignored";
}

TEST_F(ResourceLimit, max_proofs_per_principal) {
    open({.max_proofs_per_principal = 2});
    const std::string greedy = token_of("greedy"), other = token_of("other");
    EXPECT_EQ(send(greedy, {{"jti", "1"}}, 0).status, 0);
    EXPECT_EQ(send(greedy, {{"jti", "2"}}, 0).status, 0);
    const Response refused = send(greedy, {{"jti", "3"}}, 0);
    EXPECT_EQ(refused.status, 429);
    EXPECT_NE(refused.body.find("2 DPoP proofs that are still valid, which is the limit (max_proofs_per_principal)"),
              std::string::npos)
        << refused.body;
    EXPECT_NE(header_of(refused, "Retry-After"), "");
    EXPECT_EQ(send(other, {{"jti", "4"}}, 0).status, 0) << "another principal has proofs of its own";
}

TEST_F(ResourceLimit, proof_time) {
    open({.proof_time = std::chrono::seconds(10)});
    const std::string t = token_of("ada");
    EXPECT_EQ(send(t, {{"jti", "1"}, {"iat", start}}, 10).status, 0);
    const Response refused = send(t, {{"jti", "2"}, {"iat", start}}, 11);
    EXPECT_EQ(refused.status, 401);
    EXPECT_NE(header_of(refused, "WWW-Authenticate").find("too old"), std::string::npos);
}

TEST_F(ResourceLimit, nonce_time) {
    open({.nonce_time = std::chrono::seconds(20)}, true);
    const std::string t = token_of("ada");
    const auto with = [&](const std::string& nonce, std::int64_t seconds) {
        return send(t, {{"jti", nonce + std::to_string(seconds)}, {"nonce", nonce}, {"iat", start + seconds}}, seconds);
    };
    const std::string first = header_of(with("", 0), "DPoP-Nonce");
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(with(first, 19).status, 0);
    EXPECT_EQ(with(first, 39).status, 0) << "the next period accepts it too";
    const Response refused = with(first, 40);
    EXPECT_EQ(refused.status, 401);
    EXPECT_NE(header_of(refused, "WWW-Authenticate").find("use_dpop_nonce"), std::string::npos);
    EXPECT_NE(header_of(refused, "DPoP-Nonce"), first);
}

}  // namespace
}  // namespace tenon::auth
