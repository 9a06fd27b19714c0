#include "protocol/question_rules.hpp"

#include <gtest/gtest.h>

#include "protocol/read.hpp"

namespace tenon::protocol {
namespace {

TEST(QuestionRules, a_page_has_an_absolute_http_url) {
    for (const char* good : {"https://example.com", "http://localhost:8080/a?b=c#d", "HTTPS://example.com/x"})
        EXPECT_FALSE(wrong_page_url(good)) << good;
    for (const char* bad :
         {"", "not a url at all\n", "example.com", "/path", "https:", "https://", "https:///x", "javascript:alert(1)",
          "file:///etc/passwd", "https://exa mple.com", "https://example.com\n"})
        EXPECT_TRUE(wrong_page_url(bad)) << bad;
    EXPECT_EQ(wrong_page_url("x\n")->message.find('\n'), std::string::npos);
}

TEST(QuestionRules, a_root_is_a_file_uri_without_traversal) {
    for (const char* good : {"file:///home/me", "file:///", "file://host/share", "FILE:///a%20b"})
        EXPECT_FALSE(wrong_root({good})) << good;
    for (const char* bad : {"", "home", "http://example.com", "file:/home", "file:///home/../etc", "file:///a/%2e%2e/b",
                            "file:///a\\b", "file:///a/%252e%252e/b"})
        EXPECT_TRUE(wrong_root({bad})) << bad;
}

TEST(QuestionRules, the_roots_that_a_client_returns_are_checked) {
    const auto read = [](const char* uri) {
        return read_roots(json::object{{"roots", json::array{json::object{{"uri", uri}}}}}).has_value();
    };
    EXPECT_TRUE(read("file:///home"));
    EXPECT_FALSE(read("https://example.com"));
    EXPECT_FALSE(read("file:///home/../etc"));
}

SamplingMessage said(Role role, std::vector<SamplingContent> blocks) { return {role, std::move(blocks)}; }
bool balanced(std::vector<SamplingMessage> messages) {
    SampleRequest request;
    request.messages = std::move(messages);
    return !unbalanced_tool_use(request);
}

TEST(QuestionRules, each_tool_use_is_answered_by_the_next_message) {
    const TextContent text{"hi"};
    const ToolUse a{"a", "search"}, b{"b", "search"};
    const ToolUseResult of_a{"a"}, of_b{"b"};
    const auto user = [](auto... blocks) { return said(Role::user, {blocks...}); };
    const auto model = [](auto... blocks) { return said(Role::assistant, {blocks...}); };

    EXPECT_TRUE(balanced({}));
    EXPECT_TRUE(balanced({user(text), model(text), user(text, text)}));
    EXPECT_TRUE(balanced({user(text), model(text, a, b), user(of_b, of_a), model(text)}));
    EXPECT_TRUE(balanced({model(a), user(of_a), model(a), user(of_a)}));

    EXPECT_FALSE(balanced({user(text), model(a)})) << "no result";
    EXPECT_FALSE(balanced({user(text), model(a, b), user(of_a)})) << "a result is missing";
    EXPECT_FALSE(balanced({user(text), model(a), user(of_a, of_b)})) << "a result without a use";
    EXPECT_FALSE(balanced({user(of_a)})) << "a result without a use before it";
    EXPECT_FALSE(balanced({model(a), user(of_a, text)})) << "mixed with text";
    EXPECT_FALSE(balanced({model(a), user(text), user(of_a)})) << "not the next message";
    EXPECT_FALSE(balanced({model(a, a), user(of_a)})) << "two uses with one id";
    EXPECT_FALSE(balanced({model(a), user(of_a, of_a)})) << "two results for one use";
    EXPECT_FALSE(balanced({user(a), user(of_a)})) << "a use of the user";
    EXPECT_FALSE(balanced({model(a), model(of_a)})) << "a result of the assistant";
}

}  // namespace
}  // namespace tenon::protocol
