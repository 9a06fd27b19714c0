// rules: HTTP-13
#include "auth/resource_server/dpop_verify.hpp"

#include <gtest/gtest.h>

#include "unit/auth/resource_server/authority.hpp"
#include "unit/jose/rfc_examples.hpp"

namespace tenon::auth {
namespace {

struct DpopProof : testing::Test {
    std::string why(std::string_view text, std::int64_t seconds = 0) {
        const std::string thumbprint = key.public_key().thumbprint();
        const Proven proven{"POST", {the_resource, "https://mcp.example/other"}, "the-token", thumbprint};
        const auto read = read_proof(text, proven, at(seconds).wall);
        if (!read) return read.error().message;
        last = *read;
        return "";
    }
    std::string with(json::object changes, json::object header = {}) {
        return why(proof(key, "the-token", std::move(changes), std::move(header)));
    }
    const jose::PrivateKey key = jose::PrivateKey::generate(jose::Algorithm::es256);
    Proof last;
};

TEST_F(DpopProof, a_valid_proof_is_accepted) {
    EXPECT_EQ(with({{"nonce", "n"}}), "");
    EXPECT_EQ(last.nonce, "n");
    EXPECT_EQ(last.issued, start);
    EXPECT_EQ(with({{"htu", "https://mcp.example/other"}}), "");
    EXPECT_EQ(with({{"htu", "HTTPS://MCP.example:443/mcp?x=1#y"}}), "")
        << "equivalent URLs, and a query, must be accepted";
}

TEST_F(DpopProof, a_proof_for_another_request_is_refused) {
    EXPECT_EQ(with({{"htm", "GET"}}), "the DPoP proof is for another method");
    EXPECT_EQ(with({{"htm", nullptr}}), "the DPoP proof is for another method");
    for (const char* url : {"https://mcp.example/", "http://mcp.example/mcp", "https://evil.example/mcp", "/mcp", "",
                            "https://mcp.example:8443/mcp", "https://mcp.example/MCP"})
        EXPECT_EQ(with({{"htu", url}}), "the DPoP proof is for another URL") << url;
    EXPECT_EQ(with({{"ath", nullptr}}), "the DPoP proof is for another token");
    EXPECT_EQ(why(proof(key, "another-token")), "the DPoP proof is for another token");
    EXPECT_EQ(with({{"jti", nullptr}}), "the DPoP proof has no identifier");
    EXPECT_EQ(with({{"jti", std::string(257, 'x')}}), "the DPoP proof has no identifier");
}

TEST_F(DpopProof, a_proof_that_is_too_old_or_too_new_is_refused) {
    const std::string now = proof(key, "the-token");
    EXPECT_EQ(why(now, 120), "");
    EXPECT_EQ(why(now, 121), "the DPoP proof is too old, or not valid yet");
    EXPECT_EQ(why(now, -60), "");
    EXPECT_EQ(why(now, -61), "the DPoP proof is too old, or not valid yet");
    EXPECT_EQ(with({{"iat", nullptr}}), "the DPoP proof has no time");
    EXPECT_EQ(with({{"iat", "now"}}), "the DPoP proof has no time");
}

TEST_F(DpopProof, a_proof_with_another_key_is_refused) {
    const jose::PrivateKey thief = jose::PrivateKey::generate(jose::Algorithm::es256);
    EXPECT_EQ(why(proof(thief, "the-token")), "the token is bound to another key");
    json::object claimed = key.public_key().jwk();
    EXPECT_EQ(why(proof(thief, "the-token", {}, {{"jwk", claimed}})), "the DPoP proof was not signed with its key");
}

TEST_F(DpopProof, a_malformed_proof_is_refused) {
    for (const char* type : {"JWT", "at+jwt", "", "DPOP+JWT"})
        EXPECT_EQ(with({}, {{"typ", type}}), "the DPoP header is not a DPoP proof") << type;
    EXPECT_EQ(why("x"), "the DPoP header is not a DPoP proof");
    EXPECT_EQ(with({}, {{"jwk", 1}}), "the DPoP proof has no key");
    EXPECT_EQ(with({}, {{"jwk", key.jwk()}}), "the key of the DPoP proof is not of a supported kind")
        << "a private key in the header must be refused";
    EXPECT_EQ(with({}, {{"jwk", json::object{{"kty", "oct"}, {"k", "AAAA"}}}}),
              "the key of the DPoP proof is not of a supported kind");
}

TEST_F(DpopProof, works_with_all_algorithms) {
    json::object pss = jose::rfc7515_rsa;
    pss["alg"] = "PS256";
    for (const json::object& jwk : {jose::rfc7515_rsa, pss, jose::rfc8037_key}) {
        const auto other = jose::PrivateKey::from_jwk(jwk).value();
        const std::string thumbprint = other.public_key().thumbprint();
        EXPECT_TRUE(read_proof(proof(other, "t"), {"POST", {the_resource}, "t", thumbprint}, at(0).wall));
    }
}

TEST_F(DpopProof, the_replay_id_depends_on_the_jti_and_not_on_the_time) {
    EXPECT_EQ(with({}), "");
    const std::string id = last.id;
    EXPECT_EQ(with({{"iat", start + 1}}), "");
    EXPECT_EQ(last.id, id);
    EXPECT_EQ(with({{"jti", "two"}}), "");
    EXPECT_NE(last.id, id);
}

class DpopReplays : public testing::Test {
 protected:
    using Seen = ReplayCache::Seen;
    Seen see(const std::string& id, int until, int now, const std::string& owner = "alice") {
        return cache.see({id, 0, {}, owner}, start + until, at(now).wall);
    }
    ReplayCache cache{{4, 2}, {1, 2, 3}};
};

TEST_F(DpopReplays, are_detected_while_the_proof_is_valid) {
    EXPECT_EQ(see("a", 10, 0), Seen::never);
    EXPECT_EQ(see("a", 10, 10), Seen::before);
    EXPECT_EQ(see("b", 30, 0), Seen::never);
    EXPECT_EQ(see("c", 30, 10), Seen::no_share) << "a proof that cannot be remembered must be refused";
    EXPECT_EQ(see("c", 30, 11), Seen::never);
    EXPECT_EQ(cache.size(), 2U);
}

TEST_F(DpopReplays, proofs_of_one_owner_leave_room_for_others) {
    for (int i = 0; i < 100; ++i) see("of mallory " + std::to_string(i), 30, 0, "mallory");
    EXPECT_EQ(cache.size(), 2U);
    EXPECT_EQ(see("a", 30, 0), Seen::never);
    EXPECT_EQ(see("of mallory 0", 30, 0, "mallory"), Seen::before);
    EXPECT_EQ(see("of mallory 0", 30, 0), Seen::before) << "a replay must be detected for every owner";
}

TEST_F(DpopReplays, new_proofs_are_refused_when_the_cache_is_full) {
    see("a", 30, 0), see("b", 30, 0);
    see("c", 30, 0, "bob"), see("d", 30, 0, "bob");
    EXPECT_EQ(see("e", 30, 0, "carol"), Seen::no_room);
    EXPECT_EQ(see("e", 60, 31, "carol"), Seen::never) << "the other proofs have expired";
    EXPECT_EQ(cache.size(), 1U);
}

TEST(DpopNonce, is_accepted_in_its_period_and_the_next) {
    const DpopNonces nonces({1, 2, 3}, std::chrono::seconds(300)), other({1, 2, 4}, std::chrono::seconds(300));
    const std::string now = nonces.current(at(0).wall);
    EXPECT_EQ(nonces.current(at(299).wall), now);
    EXPECT_NE(nonces.current(at(300).wall), now);
    EXPECT_TRUE(nonces.accepts(now, at(0).wall));
    EXPECT_TRUE(nonces.accepts(now, at(599).wall));
    EXPECT_FALSE(nonces.accepts(now, at(600).wall));
    EXPECT_FALSE(nonces.accepts(now, at(-1).wall)) << "a nonce of the future must be refused";
    EXPECT_FALSE(nonces.accepts("", at(0).wall));
    EXPECT_FALSE(other.accepts(now, at(0).wall));
}

}  // namespace
}  // namespace tenon::auth
