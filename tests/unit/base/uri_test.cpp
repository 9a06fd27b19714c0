#include "base/uri.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/uri_encode.hpp"

namespace tenon::base {
namespace {

TEST(Uri, splits_into_parts) {
    const auto uri = parse_uri("https://me:pw@example.com:8080/a/b;p=1?q=x/y?z#top");
    ASSERT_TRUE(uri);
    EXPECT_EQ(uri->scheme, "https");
    EXPECT_EQ(uri->authority, "me:pw@example.com:8080");
    EXPECT_EQ(uri->host, "example.com");
    EXPECT_EQ(uri->path, "/a/b;p=1");
    EXPECT_EQ(uri->query, "q=x/y?z");
    EXPECT_EQ(uri->fragment, "top");
}

TEST(Uri, distinguishes_empty_and_missing_parts) {
    const auto file = parse_uri("file:///x?#");
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->has_authority && file->has_query && file->has_fragment);
    const auto urn = parse_uri("urn:isbn:123");
    ASSERT_TRUE(urn);
    EXPECT_EQ(urn->path, "isbn:123");
    EXPECT_FALSE(urn->has_authority || urn->has_query || urn->has_fragment);
}

TEST(Uri, accepts_what_rfc_3986_allows) {
    for (const char* text : {"a:", "test://x", "x+y-z.1:p", "file:///a%20b", "http://[::1]/",
                             "http://[2001:db8::7]:80/", "ldap://[::ffff:1.2.3.4]/c=GB", "http://[1:2:3:4:5:6:7:8]",
                             "http://[1:2:3:4:5:6:1.2.3.4]", "http://[1::]", "http://[v1.a:b]/", "http://h:/",
                             "mailto:a@b.c", "note://a!$&'()*+,;=:@/~", "http://1.2.3.999/", "custom://%41/"})
        EXPECT_TRUE(parse_uri(text)) << text;
}

TEST(Uri, refuses_what_rfc_3986_forbids) {
    for (const char* text : {"",
                             ":",
                             "x",
                             "/a/b",
                             "//h/p",
                             "?q",
                             "1a:b",
                             "+a:b",
                             "a b:c",
                             "a:b c",
                             "a:%",
                             "a:%4",
                             "a:%4g",
                             "a:\"b\"",
                             "a:<b>",
                             "a:b\\c",
                             "a:{b}",
                             "a:b|c",
                             "a:^",
                             "a:`",
                             "a:[b]",
                             "a:b#c#d",
                             "http://[::1",
                             "http://::1/",
                             "http://[1:2]/",
                             "http://[1::2::3]/",
                             "http://[12345::]/",
                             "http://[:1:2:3:4:5:6:7]/",
                             "http://[1:2:3:4:5:6:7:8:9]/",
                             "http://[1:2:3:4:5:6:7::8]/",
                             "http://[::1.2.3.256]/",
                             "http://[::1.2.3]/",
                             "http://[::01.2.3.4]/",
                             "http://[fe80::1%25eth0]/",
                             "http://[v.a]/",
                             "http://[v1.]/",
                             "http://[]/",
                             "http://[::1]x/",
                             "http://h:80x/",
                             "http://a@b@c/",
                             "http://h o/",
                             "a:\xC3\xA9",
                             "a:\x7F",
                             "a:\n"})
        EXPECT_FALSE(parse_uri(text)) << text;
    EXPECT_FALSE(parse_uri(std::string_view("a:b\0c", 5)));
}

TEST(Uri, detects_traversal_in_any_encoding) {
    for (const char* text :
         {"file:///a/../b", "file:///..", "file:///a/.", "file:///./a", "file:///a/%2e%2E/b", "file:///a/.%2e",
          "file:///a%2f..%2fb", "file:///a/..%2Fb", "file:///a%5c..%5cb", "file:///a%5Cb", "file:///a%00.txt", "x:..",
          "x:../a", "file://../etc/passwd", "file://%2e%2e/etc", "x://..%2f..%2fetc", "file:///%252e%252e/a",
          "file:///a%252f..%252fb"}) {
        const auto uri = parse_uri(text);
        ASSERT_TRUE(uri) << text;
        EXPECT_TRUE(has_traversal(*uri)) << text;
    }
}

TEST(Uri, dots_in_names_are_not_traversal) {
    for (const char* text : {"file:///a.b/c..d/...", "file:///.hidden", "file:///a/b..", "http://example.com/a%2fb",
                             "urn:a:..:b", "x:a?../b#..", "http://h/100%25", "x:"}) {
        const auto uri = parse_uri(text);
        ASSERT_TRUE(uri) << text;
        EXPECT_FALSE(has_traversal(*uri)) << text;
    }
}

TEST(PercentDecode, refuses_broken_encodings) {
    EXPECT_EQ(percent_decode("a%20b+c%C3%A9"), "a b+c\xC3\xA9");
    for (const char* text : {"%", "%2", "%2g", "%g2", "a%%20"}) EXPECT_FALSE(percent_decode(text)) << text;
}

TEST(PercentDecode, inverts_encoding) {
    EXPECT_TRUE(rc::check(
        "round trip", [](const std::string& bytes) { RC_ASSERT(percent_decode(encode_unreserved(bytes)) == bytes); }));
}

TEST(Uri, parsing_any_text_reads_nothing_outside_it) {
    EXPECT_TRUE(rc::check("any text", [] {
        const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("a:/?#[]@%2eFv.1\\ ")));
        const std::string whole = "x:" + text;
        if (const auto uri = parse_uri(whole)) (void)has_traversal(*uri);
    }));
}

}  // namespace
}  // namespace tenon::base
