#include "observe/mask.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <tenon/wire_tap.hpp>

namespace tenon::observe {
namespace {

// rules: SEC-6
TEST(Mask, credentials_in_urls_are_masked) {
    EXPECT_EQ(mask_text("https://ann:pw@example.com/a"), "https://***@example.com/a");
    EXPECT_EQ(mask_text("https://a@b@example.com"), "https://***@example.com");
    EXPECT_EQ(mask_text("//tok@example.com"), "//***@example.com");
    EXPECT_EQ(mask_text("https://example.com/a?token=x&b=y#c=z"), "https://example.com/a?token=***&b=***#c=***");
    EXPECT_EQ(mask_text("mailto:a?secret=x"), "mailto:a?secret=***");
    EXPECT_EQ(mask_text("get \"https://h/?k=v\" failed"), "get \"https://h/?k=***\" failed");
    EXPECT_EQ(mask_text("https://a.b:80/c@d"), "https://a.b:80/c@d");
}

TEST(Mask, credentials_after_a_scheme_are_masked) {
    EXPECT_EQ(mask_text("with Bearer abc.def-123, x"), "with Bearer ***, x");
    EXPECT_EQ(mask_text("basic dXNlcjpwdw=="), "basic ***");
    EXPECT_EQ(mask_text("DPoP abcd"), "DPoP ***");
}

TEST(Mask, the_value_after_the_name_of_a_secret_is_masked) {
    EXPECT_EQ(mask_text("password=x y"), "password=*** y");
    EXPECT_EQ(mask_text("--api-key=x"), "--api-key=***");
    EXPECT_EQ(mask_text("MY_TOKEN=\"x y\" z"), "MY_TOKEN=\"***\" z");
    EXPECT_EQ(mask_text(R"({"password" : "x y", "n":1)"), R"({"password" : "***", "n":1)");
    EXPECT_EQ(mask_text(R"({"password":["x"]})"), R"({"password":***)");
    EXPECT_EQ(mask_text(R"({"password":"a\"x"})"), R"({"password":"***"})");
    EXPECT_EQ(mask_text("Cookie: a=b; c\nnext"), "Cookie:***\nnext");
    EXPECT_EQ(mask_text("Authorization: Bearer abc"), "Authorization:***");
}

TEST(Mask, other_text_stays) {
    for (const char* text :
         {"", "plain", "why? because", "a & b", "#1", "x = y", "?=", "??", "://", "a:b", "?a", "/path@home", "//",
          "the acrobasic act", "the bearer of news", "invalid token: expired", "no such key: x", "a=b", "monkey=x"})
        EXPECT_EQ(mask_text(text), text);
}

TEST(Mask, the_name_of_a_secret_is_recognised) {
    for (const char* name :
         {"password", "API_KEY", "accessToken", "client-secret", "Cookie", "sshKey", "ssh_key", "KEY", "SSH-KEY"})
        EXPECT_TRUE(is_secret_name(name)) << name;
    for (const char* name : {"city", "message", "", "monkey", "turkey", "keyword", "progressToken", "token_type"})
        EXPECT_FALSE(is_secret_name(name)) << name;
}

TEST(Mask, secret_members_are_masked_at_every_depth) {
    for (const char* name : {"token", "access_token", "refreshToken", "clientSecret", "PASSWORD", "passwd", "apiKey",
                             "api_key", "x-api-key", "Authorization", "cookie", "Set-Cookie", "key", "private_key",
                             "pwd", "client_assertion", "credentials"}) {
        const std::string text =
            R"({"a":[{")" + std::string(name) + R"(":"canary"},{")" + name + R"(":{"b":"canary"}}]})";
        EXPECT_EQ(mask_secrets(text), R"({"a":[{")" + std::string(name) + R"(":"***"},{")" + name + R"(":"***"}]})");
    }
}

TEST(Mask, members_of_the_protocol_stay) {
    for (const char* text : {R"({"_meta":{"progressToken":5}})", R"({"maxTokens":100})", R"({"token":null})",
                             R"({"keyword":"x","monkey":"y"})", R"({"text":"the bearer of news"})",
                             R"({"inputSchema":{"properties":{"token":{"type":"string"}}}})"})
        EXPECT_EQ(mask_secrets(text), text);
    EXPECT_EQ(mask_secrets(R"({"inputSchema":{"properties":{"token":{"default":"x","password":"canary"}}}})"),
              R"({"inputSchema":{"properties":{"token":{"default":"x","password":"***"}}}})");
    EXPECT_EQ(mask_secrets(R"({"maxTokens":"canary","password":1234})"), R"({"maxTokens":"***","password":"***"})");
}

TEST(Mask, safe_text_has_no_hidden_characters_and_is_short) {
    EXPECT_EQ(safe_text("a\nb\x1b[31m"), "a b [31m");
    EXPECT_EQ(safe_text("a\xe2\x80\xae"
                        "b"),
              "a<U+202E>b");
    EXPECT_LE(safe_text(std::string(100'000, 'x')).size(), max_text + 3);
}

RC_GTEST_PROP(Mask, a_safe_text_is_unchanged, ()) {
    const auto text = *rc::gen::container<std::string>(
        rc::gen::element('a', 'K', '/', ':', '@', '?', '=', '-', '\n', '"', '\x80', 'k', 'e', 'y'));
    if (is_safe(text)) RC_ASSERT(safe_text(text) == text);
    std::string copy(text.size(), '_');
    RC_ASSERT(copy_if_safe(copy.data(), text) == is_safe(text));
    if (is_safe(text)) RC_ASSERT(copy == text);
}

TEST(Mask, a_text_above_the_limit_is_not_safe_and_not_copied) {
    const std::string text(max_text + 1, 'x');
    char untouched = '_';
    EXPECT_FALSE(is_safe(text));
    EXPECT_FALSE(copy_if_safe(&untouched, text));
    EXPECT_EQ(untouched, '_');
}

RC_GTEST_PROP(Mask, a_secret_never_appears_and_the_result_is_json, ()) {
    const auto name = *rc::gen::element<std::string>("token", "my_secret", "Password", "api-key", "harmless");
    const auto before = *rc::gen::string<std::string>();
    json::object inner{{name, "canary"}, {"text", "Bearer canary"}, {"url", "https://canary:canary@h/?a=canary"}};
    if (name == "harmless") inner.erase(name);
    json::object outer{{"list", json::array{json::value(inner), before}}};
    const std::string masked = mask_secrets(json::write(outer));
    RC_ASSERT(masked.find("canary") == std::string::npos);
    RC_ASSERT(json::parse(masked).has_value());
}

RC_GTEST_PROP(Mask, masking_any_text_terminates_and_changes_no_other_text, ()) {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::element('a', ' ', '/', ':', '@', '?', '&', '=', 'k', 'e', 'y', '"'));
    const std::string once = mask_text(text);
    if (once.find("***") == std::string::npos) RC_ASSERT(once == text);
    RC_ASSERT(mask_text(once).find("***") == once.find("***"));
}

}  // namespace
}  // namespace tenon::observe
