#include "protocol/question_rules.hpp"

#include <gtest/gtest.h>

#include "protocol/read.hpp"

namespace tenon::protocol {
namespace {

// rules: SEC-3
TEST(QuestionRules, a_page_has_an_absolute_http_url) {
    for (const char* good : {"https://example.com", "http://localhost:8080/a?b=c#d", "HTTPS://example.com/x"})
        EXPECT_FALSE(wrong_page_url(good)) << good;
    for (const char* bad :
         {"", "not a url at all\n", "example.com", "/path", "https:", "https://", "https:///x", "javascript:alert(1)",
          "file:///etc/passwd", "https://exa mple.com", "https://example.com\n"})
        EXPECT_TRUE(wrong_page_url(bad)) << bad;
    EXPECT_EQ(wrong_page_url("x\n")->message.find('\n'), std::string::npos);
}

// rules: SEC-3
TEST(QuestionRules, the_roots_that_a_client_returns_are_checked) {
    const auto read = [](const char* uri) {
        return read_roots(json::object{{"roots", json::array{json::object{{"uri", uri}}}}}).has_value();
    };
    EXPECT_TRUE(read("file:///home"));
    EXPECT_FALSE(read("https://example.com"));
    EXPECT_FALSE(read("file:///home/../etc"));
    EXPECT_FALSE(read("file:///home?x")) << "the same rules as on the client's side";
    EXPECT_FALSE(read("file:///home#x"));
    EXPECT_FALSE(read("file://server"));
}

}  // namespace
}  // namespace tenon::protocol
