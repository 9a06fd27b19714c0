#include "observe/masking.hpp"

#include <gtest/gtest.h>

namespace tenon::observe {
namespace {

// rules: SEC-6
TEST(Masking, credentials_in_urls_are_masked) {
    EXPECT_EQ(masked("https://ann:pw@example.com/a"), "https://***@example.com/a");
    EXPECT_EQ(masked("https://a@b@example.com"), "https://***@example.com");
    EXPECT_EQ(masked("https://example.com/a?token=x&b=y#c=z"), "https://example.com/a?token=***&b=***#c=***");
    EXPECT_EQ(masked("mailto:a?secret=x"), "mailto:a?secret=***");
    EXPECT_EQ(masked("get \"https://h/?k=v\" failed"), "get \"https://h/?k=***\" failed");
    EXPECT_EQ(masked("/path@home"), "/path@home");
}

TEST(Masking, credentials_after_a_scheme_are_masked) {
    EXPECT_EQ(masked("Authorization: Bearer abc.def, x"), "Authorization: Bearer ***, x");
    EXPECT_EQ(masked("basic dXNlcjpwdw=="), "basic ***");
    EXPECT_EQ(masked("DPoP abc"), "DPoP ***");
    EXPECT_EQ(masked("the acrobasic act"), "the acrobasic act");
}

TEST(Masking, other_text_stays) {
    for (const char* text : {"", "plain", "why? because", "a & b", "#1", "x = y", "?=", "??", "://", "a:b", "?a"})
        EXPECT_EQ(masked(text), text);
}

TEST(Masking, safe_text_has_no_hidden_characters_and_is_short) {
    EXPECT_EQ(safe_text("a\nb\x1b[31m"), "a b [31m");
    EXPECT_EQ(safe_text("a\xe2\x80\xae"
                        "b"),
              "a<U+202E>b");
    EXPECT_LE(safe_text(std::string(100'000, 'x')).size(), max_text + 3);
}

TEST(Masking, the_name_of_a_secret_is_recognised) {
    for (const char* name : {"password", "API_KEY", "accessToken", "client-secret", "Cookie"})
        EXPECT_TRUE(names_a_secret(name)) << name;
    for (const char* name : {"city", "message", ""}) EXPECT_FALSE(names_a_secret(name)) << name;
}

}  // namespace
}  // namespace tenon::observe
