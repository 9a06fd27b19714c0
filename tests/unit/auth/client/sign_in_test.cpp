// The sign-in, from the 401 response to the tokens, and its failures. rules: HTTP-14
#include <tenon/auth/error.hpp>

#include "jose/jws.hpp"
#include "unit/auth/client/sign_in_world.hpp"

namespace tenon::auth::client {
namespace {

using List = std::vector<std::string>;

class SigningIn : public testing::Test, protected test::SignInWorld {
 protected:
    bool says(std::string_view part) const { return error.find(part) != std::string::npos; }
    static inline const std::string token = "https://as.example/token";
};

TEST_F(SigningIn, a_new_client_registers_asks_the_user_and_gets_tokens) {
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(visited(), (List{"https://mcp.example/.well-known/oauth-protected-resource/mcp",
                               "https://as.example/.well-known/oauth-authorization-server",
                               "https://as.example/register", "https://as.example/token"}));
    EXPECT_EQ(record.tokens.access_token, "AT");
    EXPECT_EQ(record.tokens.expires_at, now + 60);
    EXPECT_EQ(record.issuer, "https://as.example");
    EXPECT_EQ(sent(token, "grant_type"), "authorization_code");
    EXPECT_EQ(sent(token, "code"), "CODE");
    EXPECT_EQ(sent(token, "redirect_uri"), "http://127.0.0.1:7/callback");
    EXPECT_EQ(sent(token, "client_id"), "registered");
    EXPECT_EQ(page_field("code_challenge"), code_challenge(sent(token, "code_verifier")));
    EXPECT_GE(sent(token, "code_verifier").size(), 43u);
}

TEST_F(SigningIn, the_resource_is_sent_to_the_authorisation_and_token_endpoints) {
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(page_field("resource"), "https://mcp.example/mcp");
    EXPECT_EQ(sent(token, "resource"), "https://mcp.example/mcp");
}

TEST_F(SigningIn, the_resource_is_left_out_when_resource_indicator_is_off) {
    profile->resource_indicator = false;
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(page_field("resource"), "(none)");
    EXPECT_EQ(sent(token, "resource"), "(none)");
}

// ---- finding the metadata

TEST_F(SigningIn, the_metadata_url_of_the_challenge_is_used) {
    places["https://elsewhere.example/meta"] =
        places.extract("https://mcp.example/.well-known/oauth-protected-resource/mcp").mapped();
    ASSERT_TRUE(sign_in(R"(Basic realm="x", Bearer resource_metadata="https://elsewhere.example/meta")")) << error;
    EXPECT_EQ(visited().front(), "https://elsewhere.example/meta");
}

TEST_F(SigningIn, metadata_at_the_root_is_the_fallback) {
    places["https://mcp.example/.well-known/oauth-protected-resource"] =
        places.extract("https://mcp.example/.well-known/oauth-protected-resource/mcp").mapped();
    EXPECT_TRUE(sign_in()) << error;
}

TEST_F(SigningIn, a_page_that_is_not_metadata_fails_without_the_legacy_fallback) {
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"] = {200, "<html>welcome</html>"};
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("is not a JSON object")) << error;
    EXPECT_FALSE(asked("https://mcp.example/.well-known/oauth-authorization-server"));
}

TEST_F(SigningIn, openid_configuration_is_accepted_as_metadata) {
    places["https://as.example/.well-known/openid-configuration"] =
        places.extract("https://as.example/.well-known/oauth-authorization-server").mapped();
    EXPECT_TRUE(sign_in()) << error;
}

TEST_F(SigningIn, a_server_without_resource_metadata_is_its_own_authorisation_server) {
    places.clear();
    set_issuer("", "https://mcp.example");
    places["https://mcp.example/register"] = {201, R"({"client_id":"c"})"};
    places["https://mcp.example/token"] = {200, tokens};
    iss = "";
    EXPECT_TRUE(sign_in()) << error;
    EXPECT_EQ(record.issuer, "https://mcp.example");
}

TEST_F(SigningIn, a_server_without_any_metadata_gets_the_default_endpoints) {
    places.clear();
    places["https://mcp.example/register"] = {201, R"({"client_id":"c"})"};
    places["https://mcp.example/token"] = {200, tokens};
    iss = "";
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_TRUE(pages.back().url.starts_with("https://mcp.example/authorize?"));
    EXPECT_EQ(page_field("code_challenge_method"), "S256");
}

TEST_F(SigningIn, an_unreachable_server_does_not_trigger_the_legacy_fallback) {
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"] = {503, ""};
    EXPECT_FALSE(sign_in());
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"] = {0, ""};
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("no connection")) << error;
    EXPECT_EQ(fetches.size(), 2u);
}

// ---- attacks

TEST_F(SigningIn, resource_metadata_of_another_server_is_refused) {
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"] = {
        200, R"({"resource":"https://bank.example/mcp","authorization_servers":["https://as.example"]})"};
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(pages.empty());
    EXPECT_EQ(fetches.size(), 2u);  // the second fetch looks at the root, then the sign-in fails
}

TEST_F(SigningIn, issuer_metadata_with_another_issuer_is_refused) {
    set_issuer(R"("issuer":"https://honest.example")");
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("belongs to another one")) << error;
    EXPECT_TRUE(pages.empty());
    EXPECT_FALSE(asked("https://as.example/register"));
}

TEST_F(SigningIn, a_redirect_of_another_issuer_is_not_sent_to_the_token_endpoint) {
    iss = "https://evil.example";
    EXPECT_FALSE(sign_in());
    EXPECT_FALSE(asked(token));
    set_issuer(R"("authorization_response_iss_parameter_supported":true)");
    iss = "";
    EXPECT_FALSE(sign_in());
    EXPECT_FALSE(asked(token));
}

TEST_F(SigningIn, a_redirect_with_another_state_is_not_sent_to_the_token_endpoint) {
    redirect = "http://127.0.0.1:7/callback?code=STOLEN&state=other&iss=https://as.example";
    EXPECT_FALSE(sign_in());
    EXPECT_FALSE(asked(token));
}

TEST_F(SigningIn, an_issuer_without_s256_is_refused) {
    for (const char* methods :
         {R"("code_challenge_methods_supported":["plain"])", R"("code_challenge_methods_supported":[])",
          R"("code_challenge_methods_supported":null)"}) {
        set_issuer(methods);
        EXPECT_FALSE(sign_in()) << methods;
        EXPECT_TRUE(says("S256")) << error;
    }
    EXPECT_TRUE(pages.empty());
}

TEST_F(SigningIn, plain_http_urls_are_refused) {
    EXPECT_FALSE(sign_in(R"(Bearer resource_metadata="http://mcp.example/meta")"));
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"].body =
        R"({"resource":"https://mcp.example/mcp","authorization_servers":["http://as.example"]})";
    EXPECT_FALSE(sign_in());
    EXPECT_EQ(fetches.size(), 1u);
    profile->server = web::parse_url("http://mcp.example/mcp").value();
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("would not be encrypted")) << error;
    EXPECT_EQ(fetches.size(), 1u);
}

TEST_F(SigningIn, only_https_authorisation_pages_are_opened) {
    for (const char* page :
         {"javascript:alert(1)", "file:///etc/passwd", "http://as.example/a", "ssh://as.example", "x"}) {
        set_issuer(R"("authorization_endpoint":")" + std::string(page) + "\"");
        EXPECT_FALSE(sign_in()) << page;
    }
    EXPECT_TRUE(pages.empty());
}

TEST_F(SigningIn, endpoints_in_the_local_network_are_refused_for_an_internet_server) {
    for (const char* inside : {"http://localhost:9/x", "http://127.0.0.1/x", "https://192.168.0.1/x",
                               "https://[fd00::1]/x", "https://169.254.169.254/latest"}) {
        for (const char* endpoint : {"authorization_endpoint", "token_endpoint", "registration_endpoint"}) {
            set_issuer("\"" + std::string(endpoint) + "\":\"" + inside + "\"");
            EXPECT_FALSE(sign_in()) << inside;
            EXPECT_TRUE(says("on the internet")) << error;
        }
    }
    EXPECT_TRUE(pages.empty());
    set_issuer(R"("authorization_endpoint":"http://localhost:9/x")");
    EXPECT_TRUE(sign_in("Bearer", false, false)) << error;
}

TEST_F(SigningIn, error_messages_contain_no_secret) {
    profile->client_id = "me";
    profile->client_secret = "SECRET";
    set_issuer(R"("token_endpoint_auth_methods_supported":["client_secret_post"])");
    places[token] = {400, R"({"error":"invalid_grant"})"};
    EXPECT_FALSE(sign_in());
    for (const std::string& secret : {std::string("SECRET"), std::string("CODE"), sent(token, "code_verifier")})
        EXPECT_EQ(error.find(secret), std::string::npos);
}

// ---- the client's identity

TEST_F(SigningIn, a_registered_client_does_not_register_again) {
    ASSERT_TRUE(sign_in()) << error;
    record.forget_tokens();
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(preferred, "http://127.0.0.1:7/callback");
    EXPECT_EQ(std::ranges::count(visited(), "https://as.example/register"), 1);
}

TEST_F(SigningIn, a_registration_with_another_redirect_uri_or_an_expired_secret_is_not_reused) {
    record.remember("https://as.example", {"old", "", "none", "http://127.0.0.1:9/callback", 0});
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(sent(token, "client_id"), "registered");
    record = {};
    record.remember("https://as.example", {"old", "", "none", "http://127.0.0.1:7/callback", now - 1});
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(sent(token, "client_id"), "registered");
}

TEST_F(SigningIn, credentials_of_one_issuer_are_not_sent_to_another) {
    ASSERT_TRUE(sign_in()) << error;
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"].body =
        R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://new.example"]})";
    set_issuer("", "https://new.example");
    places["https://new.example/register"] = {201, R"({"client_id":"second"})"};
    places["https://new.example/token"] = {200, R"({"access_token":"AT2","token_type":"Bearer"})"};
    iss = "https://new.example";
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(sent("https://new.example/token", "client_id"), "second");
    for (const Fetch& f : fetches)
        if (f.url.starts_with("https://new.example")) {
            EXPECT_EQ(f.body.find("registered"), std::string::npos);
            EXPECT_EQ(f.body.find("RT"), std::string::npos);
        }
    EXPECT_EQ(record.tokens.refresh_token, "");
}

TEST_F(SigningIn, a_configured_client_id_is_used_for_one_issuer_only) {
    profile->client_id = "me";
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_FALSE(asked("https://as.example/register"));
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"].body =
        R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://new.example"]})";
    set_issuer("", "https://new.example");
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("from https://as.example to https://new.example")) << error;
    record = {};
    profile->issuer = "https://as.example";
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("no longer https://as.example")) << error;
}

TEST_F(SigningIn, a_known_or_configured_issuer_is_preferred_among_several) {
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"].body =
        R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://first.example","https://as.example"]})";
    record.issuer = "https://as.example";
    EXPECT_TRUE(sign_in()) << error;
    record = {};
    profile->issuer = "https://as.example";
    EXPECT_TRUE(sign_in()) << error;
}

TEST_F(SigningIn, the_client_metadata_url_is_the_client_id_if_the_issuer_supports_it) {
    profile->client_metadata_url = "https://app.example/client.json";
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(page_field("client_id"), "registered");
    set_issuer(R"("client_id_metadata_document_supported":true)");
    record = {};
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(page_field("client_id"), "https://app.example/client.json");
    now += 100;
    ASSERT_TRUE(refresh()) << error;
    EXPECT_EQ(sent(token, "client_id"), "https://app.example/client.json");
}

TEST_F(SigningIn, without_a_registration_endpoint_a_client_id_is_required) {
    set_issuer(R"("registration_endpoint":"")");
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("pass its client id")) << error;
}

TEST_F(SigningIn, a_registration_that_the_issuer_refuses_is_forgotten) {
    ASSERT_TRUE(sign_in()) << error;
    record.forget_tokens();
    places[token] = {401, R"({"error":"invalid_client"})"};
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(record.identities.empty());
}

// ---- scopes

TEST_F(SigningIn, scopes_come_from_the_challenge_or_else_from_the_metadata) {
    places["https://mcp.example/.well-known/oauth-protected-resource/mcp"].body =
        R"({"resource":"https://mcp.example/mcp","authorization_servers":["https://as.example"],"scopes_supported":["m","n"]})";
    ASSERT_TRUE(sign_in(R"(Bearer scope="a b")")) << error;
    EXPECT_EQ(page_field("scope"), "a b");
    record = {};
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(page_field("scope"), "m n");
    record = {};
    profile->scopes = {"mine", "n"};
    ASSERT_TRUE(sign_in()) << error;
    EXPECT_EQ(page_field("scope"), "m n mine");
}

TEST_F(SigningIn, additional_scopes_are_requested_together_with_the_granted_ones) {
    ASSERT_TRUE(sign_in(R"(Bearer scope="a")")) << error;
    ASSERT_TRUE(sign_in(R"(Bearer error="insufficient_scope", scope="b")", true)) << error;
    EXPECT_EQ(page_field("scope"), "a b");
    EXPECT_EQ(sent(token, "grant_type"), "authorization_code");  // a refresh token cannot add scopes
}

TEST_F(SigningIn, offline_access_is_requested_if_the_issuer_offers_it) {
    set_issuer(R"("scopes_supported":["a","offline_access"])");
    ASSERT_TRUE(sign_in(R"(Bearer scope="a")")) << error;
    EXPECT_EQ(page_field("scope"), "a offline_access");
    record = {};
    profile->offline_access = false;
    ASSERT_TRUE(sign_in(R"(Bearer scope="a")")) << error;
    EXPECT_EQ(page_field("scope"), "a");
}

TEST_F(SigningIn, scopes_of_a_server_cannot_inject_parameters) {
    ASSERT_TRUE(sign_in("Bearer scope=\"a&redirect_uri=x \\\"b c\"")) << error;
    EXPECT_EQ(page_field("scope"), "a&redirect_uri=x c");
    EXPECT_EQ(page_field("redirect_uri"), "http://127.0.0.1:7/callback");
}

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
