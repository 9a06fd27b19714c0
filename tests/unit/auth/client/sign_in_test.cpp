// The sign-in, from the 401 response to the tokens, and its failures. rules: HTTP-14
#include "unit/auth/client/sign_in_world.hpp"

namespace tenon::auth::client {
namespace {

using List = std::vector<std::string>;

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

// rules: HTTP-14
TEST_F(SigningIn, a_server_without_resource_metadata_is_refused_if_its_revision_requires_it) {
    needs_metadata = true;
    EXPECT_TRUE(sign_in()) << "the metadata is there: " << error;
    places.erase("https://mcp.example/.well-known/oauth-protected-resource/mcp");
    fetches.clear();
    pages.clear();
    EXPECT_FALSE(sign_in());
    EXPECT_TRUE(says("no protected resource metadata (RFC 9728)")) << error;
    EXPECT_TRUE(pages.empty());
    EXPECT_EQ(fetches.size(), 2u) << "only the two places of the server's metadata";
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

// rules: HTTP-14
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

}  // namespace
}  // namespace tenon::auth::client
