#include "web/url.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tenon::web {
namespace {

TEST(Url, is_split_into_its_parts) {
    const Url url = parse_url("HTTPS://Example.COM:8443/a/b?c=d#e").value();
    EXPECT_TRUE(url.tls);
    EXPECT_EQ(url.host, "example.com");
    EXPECT_EQ(url.port, 8443);
    EXPECT_EQ(url.target, "/a/b?c=d");
    EXPECT_EQ(url.authority(), "example.com:8443");
    EXPECT_EQ(parse_url("http://a").value().text(), "http://a/");
    EXPECT_EQ(parse_url("http://a:80/x").value().authority(), "a");
    EXPECT_EQ(parse_url("https://a:443/x").value().authority(), "a");
    EXPECT_EQ(parse_url("http://[::1]:9/x").value().host, "::1");
    EXPECT_EQ(parse_url("http://[::1]:9/x").value().text(), "http://[::1]:9/x");
    EXPECT_EQ(parse_url("http://me%3A:pw%20@p:1").value().user, "me::pw ");
    EXPECT_EQ(parse_url("http://a?b").value().target, "/?b");
}

TEST(Url, malformed_and_unsupported_urls_are_refused) {
    for (const char* text : {"", "a", "/a", "//a/b", "ftp://a", "http:", "http:///x", "http://a b", "http://a:b",
                             "http://a:0", "http://a:65536", "http://a/\r\nX: y", "http://[::1", "http:a"})
        EXPECT_TRUE(parse_url(text).has_error()) << text;
}

TEST(Url, a_parsed_url_can_be_written_and_parsed_again) {
    rc::check([](const std::string& text) {
        const auto url = parse_url("http://" + text);
        if (!url) return;
        const auto again = parse_url(url->text());
        RC_ASSERT((again ? again->text() : "") == url->text());
    });
}

TEST(Url, an_origin_is_scheme_host_and_port) {
    const Url a = parse_url("https://a:1/x").value();
    EXPECT_TRUE(same_origin(a, parse_url("HTTPS://A:1/y").value()));
    for (const char* other : {"http://a:1/x", "https://b:1/x", "https://a:2/x", "https://a/x", "https://a.a:1/x"})
        EXPECT_FALSE(same_origin(a, parse_url(other).value())) << other;
}

TEST(Url, references_are_resolved) {
    const Url base = parse_url("http://a/b/c/d?q").value();
    const auto at = [&](std::string_view reference) { return resolve_reference(base, reference).value().text(); };
    EXPECT_EQ(at("g"), "http://a/b/c/g");
    EXPECT_EQ(at("./g?y"), "http://a/b/c/g?y");
    EXPECT_EQ(at("/g"), "http://a/g");
    EXPECT_EQ(at("//g"), "http://g/");
    EXPECT_EQ(at("?y"), "http://a/b/c/d?y");
    EXPECT_EQ(at(""), "http://a/b/c/d?q");
    EXPECT_EQ(at("#s"), "http://a/b/c/d?q");
    EXPECT_EQ(at(".."), "http://a/b/");
    EXPECT_EQ(at("../../../g"), "http://a/g");
    EXPECT_EQ(at("g/"), "http://a/b/c/g/");
    EXPECT_EQ(at("https://x:9/y"), "https://x:9/y");
    EXPECT_EQ(at("/messages?session=a:b"), "http://a/messages?session=a:b");
    for (const char* wrong : {"javascript:1", "http://", "//", "a b", "/x\r\ny"})
        EXPECT_TRUE(resolve_reference(base, wrong).has_error()) << wrong;
}

}  // namespace
}  // namespace tenon::web
