// Tokens after the sign-in: refresh, sign-in without a user, and DPoP. rules: HTTP-14
#include "jose/jws.hpp"
#include "unit/auth/client/sign_in_world.hpp"

namespace tenon::auth::client {
namespace {

using List = std::vector<std::string>;

// ---- refresh

TEST_F(SigningIn, tokens_are_refreshed_without_asking_the_user) {
    ASSERT_TRUE(sign_in(R"(Bearer scope="a")")) << error;
    places[token] = {200, R"({"access_token":"AT2","token_type":"Bearer"})"};
    fetches.clear();
    ASSERT_TRUE(refresh()) << error;
    EXPECT_EQ(visited(), (List{token}));
    EXPECT_EQ(sent(token, "refresh_token"), "RT");
    EXPECT_EQ(sent(token, "resource"), "https://mcp.example/mcp");
    EXPECT_EQ(record.tokens.access_token, "AT2");
    EXPECT_EQ(record.tokens.refresh_token, "RT");  // the response had no new refresh token, so the old one stays valid
    EXPECT_EQ(record.scopes, (Scopes{"a"}));
    EXPECT_EQ(pages.size(), 1u);
}

TEST_F(SigningIn, a_new_refresh_token_replaces_the_old_one) {
    ASSERT_TRUE(sign_in()) << error;
    places[token] = {200, R"({"access_token":"AT2","token_type":"Bearer","refresh_token":"RT2"})"};
    ASSERT_TRUE(refresh()) << error;
    EXPECT_EQ(record.tokens.refresh_token, "RT2");
}

TEST_F(SigningIn, a_refused_refresh_token_is_forgotten) {
    ASSERT_TRUE(sign_in()) << error;
    places[token] = {400, R"({"error":"invalid_grant"})"};
    EXPECT_FALSE(refresh());
    EXPECT_EQ(record.tokens.access_token, "");
    EXPECT_EQ(record.tokens.refresh_token, "");
    EXPECT_EQ(pages.size(), 1u);
}

TEST_F(SigningIn, a_refresh_token_is_not_sent_to_an_unsafe_endpoint) {
    ASSERT_TRUE(sign_in()) << error;
    fetches.clear();
    record.token_endpoint = "http://as.example/token";
    EXPECT_FALSE(refresh());
    EXPECT_TRUE(fetches.empty());
    EXPECT_EQ(error, "the stored token endpoint must begin with https://: http://as.example/token");
}

TEST_F(SigningIn, a_failed_refresh_request_keeps_the_refresh_token) {
    ASSERT_TRUE(sign_in()) << error;
    places[token] = {503, ""};
    EXPECT_FALSE(refresh());
    EXPECT_EQ(record.tokens.refresh_token, "RT");
    places[token] = {0, ""};
    EXPECT_FALSE(refresh());
    EXPECT_EQ(record.tokens.refresh_token, "RT");
}

TEST_F(SigningIn, a_refused_token_is_refreshed_before_the_user_is_asked) {
    ASSERT_TRUE(sign_in()) << error;
    places[token] = {200, R"({"access_token":"AT2","token_type":"Bearer"})"};
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(pages.size(), 1u);
    EXPECT_EQ(record.tokens.access_token, "AT2");
}

TEST_F(SigningIn, a_non_interactive_client_only_refreshes) {
    profile->interactive = false;
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("sign in first")) << error;
    EXPECT_TRUE(pages.empty());
    profile->interactive = true;
    ASSERT_TRUE(sign_in()) << error;
    profile->interactive = false;
    EXPECT_TRUE(sign_in()) << error;
    EXPECT_EQ(pages.size(), 1u);
}

TEST_F(SigningIn, the_hosts_client_secret_is_not_stored) {
    profile->client_id = "me";
    profile->client_secret = "SECRET";
    set_issuer(R"("token_endpoint_auth_methods_supported":["client_secret_post"])");
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(write_record(record).find("SECRET"), std::string::npos);
    ASSERT_TRUE(refresh()) << error;
    EXPECT_EQ(sent(token, "client_secret"), "SECRET");
}

TEST_F(SigningIn, a_client_secret_is_sent_only_to_the_configured_issuer) {
    profile->client_id = "me";
    profile->client_secret = "SECRET";
    profile->issuer = "https://good.example";
    for (const auto kind : {Profile::Kind::user, Profile::Kind::client_credentials, Profile::Kind::workload}) {
        profile->kind = kind;
        EXPECT_FALSE(sign_in());
        EXPECT_TRUE(says("https://good.example")) << error;
        EXPECT_FALSE(asked(token));
    }
    // The server names the right issuer, but the metadata at that URL belongs to another issuer.
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"] = {
        200, R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://good.example"]})"};
    places["https://good.example/.well-known/oauth-authorization-server"] =
        places["https://as.example/.well-known/oauth-authorization-server"];
    EXPECT_FALSE(sign_in());
    EXPECT_FALSE(asked(token));
}

TEST_F(SigningIn, a_client_secret_is_not_sent_to_the_issuer_of_stored_tokens) {
    profile->client_id = "me";
    ASSERT_TRUE(sign_in()) << error;
    fetches.clear();
    profile->client_secret = "SECRET";
    profile->issuer = "https://good.example";
    EXPECT_FALSE(refresh());
    EXPECT_TRUE(says("another authorisation server")) << error;
    EXPECT_TRUE(fetches.empty());
}

// ---- without a user

TEST_F(SigningIn, client_credentials_get_a_token_without_a_user) {
    profile->kind = Profile::Kind::client_credentials;
    profile->client_id = "me";
    profile->client_secret = "s";
    set_issuer(
        R"("token_endpoint_auth_methods_supported":["client_secret_basic"],"code_challenge_methods_supported":null)");
    ASSERT_TRUE(sign_in(R"(Bearer scope="a")")) << error;
    EXPECT_TRUE(pages.empty());
    EXPECT_EQ(sent(token, "grant_type"), "client_credentials");
    EXPECT_EQ(sent(token, "scope"), "a");
    EXPECT_EQ(sent(token, "resource"), "https://mcp.example/mcp");
    EXPECT_TRUE(header(fetches.back(), "Authorization").starts_with("Basic "));
}

TEST_F(SigningIn, a_workload_sends_its_assertion_once) {
    profile->kind = Profile::Kind::workload;
    profile->client_id = "me";
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(audiences, (List{"https://as.example"}));
    EXPECT_EQ(sent(token, "grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer");
    EXPECT_EQ(sent(token, "assertion"), "JWT");
    fetches.clear();
    places[token] = {400, R"({"error":"invalid_scope"})"};
    EXPECT_FALSE(sign_in());
    EXPECT_EQ(std::ranges::count(visited(), token), 1);
}

TEST_F(SigningIn, an_enterprise_token_is_exchanged_at_the_idp_and_then_at_the_issuer) {
    profile->kind = Profile::Kind::enterprise;
    profile->client_id = "me";
    profile->idp_issuer = "https://idp.example";
    profile->idp_client_id = "me-at-idp";
    set_issuer("", "https://idp.example");
    const std::string idp = "https://idp.example/token";
    places[idp] = {
        200,
        R"({"access_token":"JAG","issued_token_type":"urn:ietf:params:oauth:token-type:id-jag","token_type":"N_A"})"};
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(sent(idp, "grant_type"), "urn:ietf:params:oauth:grant-type:token-exchange");
    EXPECT_EQ(sent(idp, "requested_token_type"), "urn:ietf:params:oauth:token-type:id-jag");
    EXPECT_EQ(sent(idp, "subject_token"), "JWT");
    EXPECT_EQ(sent(idp, "audience"), "https://as.example");
    EXPECT_EQ(sent(idp, "resource"), "https://mcp.example/mcp");
    EXPECT_EQ(sent(idp, "client_id"), "me-at-idp");
    EXPECT_EQ(sent(token, "assertion"), "JAG");
    EXPECT_EQ(sent(token, "client_id"), "me");
    for (const Fetch& f : fetches) EXPECT_EQ(f.named_by_host, f.url.starts_with("https://idp.example")) << f.url;
    places[idp] = {200, R"({"access_token":"AT","issued_token_type":"urn:ietf:params:oauth:token-type:access_token"})"};
    EXPECT_FALSE(sign_in());
}

// ---- DPoP

json::object proof_of(const Fetch& fetch) {
    const auto proof = jose::UnverifiedJws::parse(test::SignInWorld::header(fetch, "DPoP"));
    if (!proof) return {};
    EXPECT_EQ(proof->text("typ"), "dpop+jwt");
    const auto key = jose::PublicKey::from_jwk(proof->header().at("jwk").as_object());
    return json::parse(jose::verify(key.value(), *proof).value()).value().as_object();
}

TEST_F(SigningIn, a_dpop_challenge_makes_the_token_request_carry_a_proof) {
    places[token] = {200, R"({"access_token":"AT","token_type":"DPoP"})"};
    ASSERT_TRUE(sign_in("DPoP")) << error;
    const auto claims = proof_of(fetches.back());
    EXPECT_EQ(claims.at("htm").as_string(), "POST");
    EXPECT_EQ(claims.at("htu").as_string(), token);
    EXPECT_EQ(claims.at("iat").as_int64(), now);
    EXPECT_FALSE(claims.contains("ath"));
    EXPECT_TRUE(record.tokens.dpop);
    EXPECT_NE(record.dpop_key, "");
}

TEST_F(SigningIn, the_dpop_key_stays_the_same_across_refreshes) {
    places[token] = {200, R"({"access_token":"AT","token_type":"DPoP","refresh_token":"RT"})"};
    ASSERT_TRUE(sign_in("DPoP")) << error;
    const std::string key = record.dpop_key;
    ASSERT_TRUE(refresh()) << error;
    EXPECT_EQ(record.dpop_key, key);
    EXPECT_NE(header(fetches.back(), "DPoP"), "");
}

TEST_F(SigningIn, a_dpop_nonce_is_retried_only_once) {
    places[token] = {400, R"({"error":"use_dpop_nonce"})", "N1"};
    EXPECT_FALSE(sign_in("DPoP"));
    EXPECT_EQ(std::ranges::count(visited(), token), 2);
    EXPECT_EQ(proof_of(fetches.back()).at("nonce").as_string(), "N1");
    EXPECT_NE(proof_of(fetches.back()).at("jti"), proof_of(fetches.at(fetches.size() - 2)).at("jti"));
}

TEST_F(SigningIn, a_bearer_token_is_refused_if_dpop_is_required) {
    profile->dpop = Profile::Dpop::always;
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("DPoP is required")) << error;
    profile->dpop = Profile::Dpop::never;
    ASSERT_TRUE(sign_in("DPoP")) << error;
    EXPECT_EQ(header(fetches.back(), "DPoP"), "");
}

TEST_F(SigningIn, an_unrequested_dpop_token_is_refused) {
    places[token] = {200, R"({"access_token":"AT","token_type":"DPoP"})"};
    EXPECT_FALSE(sign_in());
}

}  // namespace
}  // namespace tenon::auth::client
