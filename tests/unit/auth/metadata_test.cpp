// rules: HTTP-14
#include "auth/metadata.hpp"

#include <gtest/gtest.h>

namespace tenon::auth::client {
namespace {

using List = std::vector<std::string>;

web::Url url(std::string_view text) { return web::parse_url(text).value(); }

TEST(Metadata, of_a_resource_is_searched_at_its_path_and_then_at_the_root) {
    EXPECT_EQ(protected_resource_urls(url("https://h.example/a/mcp?x=1")),
              (List{"https://h.example/.well-known/oauth-protected-resource/a/mcp",
                    "https://h.example/.well-known/oauth-protected-resource"}));
    EXPECT_EQ(protected_resource_urls(url("https://h.example:8443/")),
              (List{"https://h.example:8443/.well-known/oauth-protected-resource"}));
}

TEST(Metadata, of_an_issuer_is_searched_in_the_specified_order) {
    EXPECT_EQ(issuer_urls(url("https://as.example")), (List{"https://as.example/.well-known/oauth-authorization-server",
                                                            "https://as.example/.well-known/openid-configuration"}));
    EXPECT_EQ(issuer_urls(url("https://as.example/tenant1")),
              (List{"https://as.example/.well-known/oauth-authorization-server/tenant1",
                    "https://as.example/.well-known/openid-configuration/tenant1",
                    "https://as.example/tenant1/.well-known/openid-configuration"}));
    EXPECT_EQ(issuer_urls(url("https://as.example/tenant1/")), issuer_urls(url("https://as.example/tenant1")));
}

TEST(Metadata, of_a_resource_must_match_the_servers_url) {
    const auto about = [](const std::string& resource, std::string_view server) {
        return read_protected_resource(R"({"resource":")" + resource + R"(","authorization_servers":["https://as"]})",
                                       url(server))
            .has_value();
    };
    EXPECT_TRUE(about("https://h.example/mcp", "https://h.example/mcp"));
    EXPECT_TRUE(about("https://h.example/mcp/", "https://h.example/mcp"));
    EXPECT_TRUE(about("https://h.example", "https://h.example/mcp"));
    EXPECT_TRUE(about("https://H.example:443/a", "https://h.example/a/b?c"));
    EXPECT_FALSE(about("https://evil.example/mcp", "https://h.example/mcp"));
    EXPECT_FALSE(about("http://h.example/mcp", "https://h.example/mcp"));
    EXPECT_FALSE(about("https://h.example:444/mcp", "https://h.example/mcp"));
    EXPECT_FALSE(about("https://h.example/mc", "https://h.example/mcp"));
    EXPECT_FALSE(about("https://h.example/mcp/x", "https://h.example/mcp"));
    EXPECT_FALSE(about("https://h.example@evil.example/mcp", "https://h.example/mcp"));
    EXPECT_FALSE(about("", "https://h.example/mcp"));
}

TEST(Metadata, of_a_resource_is_parsed_strictly) {
    const auto read = read_protected_resource(
        R"({"resource":"https://h","authorization_servers":["https://a",7,"https://b"],"scopes_supported":["x","y"],)"
        R"("dpop_bound_access_tokens_required":true})",
        url("https://h"));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->authorization_servers, (List{"https://a", "https://b"}));
    EXPECT_EQ(read->scopes_supported, (List{"x", "y"}));
    EXPECT_TRUE(read->wants_dpop);
    EXPECT_FALSE(read_protected_resource(R"({"resource":"https://h"})", url("https://h"))->scopes_supported);
    for (const char* text :
         {"", "[]", "<html>", R"({"resource":7})", R"({"resource":"https://h","resource":"https://h"})"})
        EXPECT_FALSE(read_protected_resource(text, url("https://h"))) << text;
}

std::string issuer_document(const std::string& issuer, const std::string& token_endpoint = "https://as/t") {
    return R"({"issuer":")" + issuer + R"(","token_endpoint":")" + token_endpoint +
           R"(","authorization_endpoint":"https://as/a"})";
}

// Otherwise an attacker's document could claim to be the honest issuer, and the honest issuer's codes would be sent to
// the attacker.
TEST(Metadata, of_an_issuer_must_contain_exactly_its_url) {
    EXPECT_TRUE(read_issuer(issuer_document("https://as"), "https://as"));
    for (const char* other : {"https://as/", "https://AS", "https://as:443", "https://honest.example", "http://as", ""})
        EXPECT_FALSE(read_issuer(issuer_document(other), "https://as")) << other;
}

TEST(Metadata, endpoints_must_be_https_or_loopback) {
    EXPECT_TRUE(read_issuer(issuer_document("https://as", "https://elsewhere/t"), "https://as"));
    EXPECT_TRUE(read_issuer(issuer_document("https://as", "http://127.0.0.1:8/t"), "https://as"));
    EXPECT_TRUE(read_issuer(issuer_document("https://as", "http://localhost:8/t"), "https://as"));
    for (const char* bad : {"http://as/t", "ftp://as/t", "javascript:alert(1)", "file:///etc/passwd", "/t", "",
                            "https://user:secret@as/t", "http://10.0.0.1/t", "http://localhost.evil.example/t"})
        EXPECT_FALSE(read_issuer(issuer_document("https://as", bad), "https://as")) << bad;
}

TEST(Metadata, default_endpoints_are_at_the_root_of_the_server) {
    const Issuer issuer = default_issuer(url("https://h.example:444/v1/mcp"));
    EXPECT_EQ(issuer.issuer, "https://h.example:444");
    EXPECT_EQ(issuer.authorization_endpoint, "https://h.example:444/authorize");
    EXPECT_EQ(issuer.token_endpoint, "https://h.example:444/token");
    EXPECT_EQ(issuer.registration_endpoint, "https://h.example:444/register");
}

}  // namespace
}  // namespace tenon::auth::client
