// The policy for pages of servers.
#include "inspect/app_policy.hpp"

#include <gtest/gtest.h>

namespace tenon::inspect {
namespace {

constexpr std::string_view page_host = "http://127.0.0.1:4000";

json::value resource(json::object contents) { return json::object{{"contents", json::array{std::move(contents)}}}; }

TEST(AppPolicy, allows_nothing_from_elsewhere_by_default) {
    const std::string policy = app_policy({}, page_host);
    EXPECT_TRUE(
        policy.starts_with("sandbox allow-scripts allow-forms; default-src 'none'; script-src 'unsafe-inline';"))
        << policy;
    EXPECT_NE(policy.find("connect-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'"), policy.npos);
    EXPECT_TRUE(policy.ends_with("frame-ancestors http://127.0.0.1:4000"));
    EXPECT_EQ(policy.find("allow-same-origin"), policy.npos);
}

TEST(AppPolicy, adds_the_origins_that_the_app_names) {
    const std::string policy = app_policy({{"connectDomains", json::array{"https://api.example.com"}},
                                           {"resourceDomains", json::array{"https://*.cdn.example"}}},
                                          page_host);
    EXPECT_NE(policy.find("connect-src https://api.example.com;"), policy.npos) << policy;
    EXPECT_NE(policy.find("script-src 'unsafe-inline' https://*.cdn.example;"), policy.npos);
}

TEST(AppPolicy, leaves_out_text_that_could_change_other_directives) {
    const std::string policy = app_policy(
        {{"connectDomains", json::array{"https://a; script-src *", "*", "'unsafe-eval'", "https://a b", "data:", 7,
                                        "javascript://x", "https://", "https://a\r\nX: y", "https://a/path"}}},
        page_host);
    EXPECT_EQ(policy, app_policy({}, page_host));
}

TEST(ReadApp, takes_html_as_text_or_bytes) {
    const auto text = read_app(resource({{"uri", "ui://a"},
                                         {"mimeType", "text/html;profile=mcp-app"},
                                         {"text", "<p>"},
                                         {"_meta", {{"ui", {{"prefersBorder", true}}}}}}),
                               page_host);
    ASSERT_TRUE(text);
    EXPECT_EQ(text->html, "<p>");
    EXPECT_EQ(text->prefers_border, true);
    const auto bytes = read_app(resource({{"uri", "ui://a"}, {"mimeType", "text/html"}, {"blob", "PHA+"}}), page_host);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->html, "<p>");
}

TEST(ReadApp, refuses_what_is_not_a_page) {
    EXPECT_FALSE(read_app(nullptr, page_host));
    EXPECT_FALSE(read_app(json::object{{"contents", json::array()}}, page_host));
    EXPECT_FALSE(read_app(resource({{"mimeType", "text/plain"}, {"text", "<p>"}}), page_host));
    EXPECT_FALSE(read_app(resource({{"mimeType", "text/html"}}), page_host));
    EXPECT_FALSE(read_app(resource({{"mimeType", "text/html"}, {"blob", "!"}}), page_host));
}

}  // namespace
}  // namespace tenon::inspect
