#include "web/proxy_rules.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tenon::web {
namespace {

std::string chosen(const char* url, const std::map<std::string, std::string>& variables) {
    const auto proxy = proxy_for(parse_url(url).value(), [&](const std::string& name) {
        const auto it = variables.find(name);
        return it == variables.end() ? std::nullopt : std::optional(it->second);
    });
    if (!proxy) return "error";
    return *proxy ? (*proxy)->text() : "none";
}

TEST(ProxyRules, the_scheme_chooses_the_variable) {
    const std::map<std::string, std::string> both = {{"HTTP_PROXY", "http://p:1"}, {"HTTPS_PROXY", "http://s:2"}};
    EXPECT_EQ(chosen("http://a/", both), "http://p:1/");
    EXPECT_EQ(chosen("https://a/", both), "http://s:2/");
    EXPECT_EQ(chosen("https://a/", {}), "none");
    EXPECT_EQ(chosen("https://a/", {{"HTTP_PROXY", "p:1"}}), "none");
}

TEST(ProxyRules, lower_case_variables_take_precedence) {
    EXPECT_EQ(chosen("http://a/", {{"HTTP_PROXY", "http://x"}, {"http_proxy", "p:8080"}}), "http://p:8080/");
    EXPECT_EQ(chosen("https://a/", {{"HTTPS_PROXY", "http://x"}, {"https_proxy", ""}}), "none");
}

TEST(ProxyRules, http_proxy_in_upper_case_is_ignored_in_cgi) {
    EXPECT_EQ(chosen("http://a/", {{"HTTP_PROXY", "http://evil"}, {"REQUEST_METHOD", "GET"}}), "none");
    EXPECT_EQ(chosen("http://a/", {{"http_proxy", "http://p"}, {"REQUEST_METHOD", "GET"}}), "http://p/");
    EXPECT_EQ(chosen("https://a/", {{"HTTPS_PROXY", "http://p"}, {"REQUEST_METHOD", "GET"}}), "http://p/");
}

TEST(ProxyRules, no_proxy_names_hosts_and_domains) {
    const auto listed = [](const char* list, const char* url) {
        return listed_in_no_proxy(list, parse_url(url).value());
    };
    EXPECT_TRUE(listed("*", "http://a/"));
    EXPECT_TRUE(listed("b, A.example ,c", "http://a.example/"));
    EXPECT_TRUE(listed("example", "http://a.example/"));
    EXPECT_TRUE(listed(".example", "http://a.b.example/"));
    EXPECT_TRUE(listed("a:81", "http://a:81/"));
    EXPECT_TRUE(listed("::1", "http://[::1]/"));
    EXPECT_TRUE(listed("[::1]:5", "http://[::1]:5/"));
    EXPECT_TRUE(listed("127.0.0.1", "http://127.0.0.1:99/"));
    EXPECT_FALSE(listed("", "http://a/"));
    EXPECT_FALSE(listed("ample", "http://a.example/"));
    EXPECT_FALSE(listed("a:81", "http://a/"));
    EXPECT_FALSE(listed("longer.example", "http://example/"));
    EXPECT_EQ(chosen("http://a/", {{"http_proxy", "p"}, {"no_proxy", "a"}}), "none");
    EXPECT_EQ(chosen("http://a/", {{"http_proxy", "p"}, {"no_proxy", "b"}, {"NO_PROXY", "a"}}), "http://p/");
}

TEST(ProxyRules, an_unsupported_proxy_is_an_error) {
    EXPECT_EQ(chosen("http://a/", {{"http_proxy", "socks5://p"}}), "error");
    EXPECT_EQ(chosen("http://a/", {{"http_proxy", "https://p"}}), "error");
}

}  // namespace
}  // namespace tenon::web
