#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <tenon/json.hpp>
#include <tenon/wire_tap.hpp>

#include "observe/mask.hpp"

namespace tenon {
namespace {

WireMessage message(std::string_view text) {
    WireMessage m;
    m.time = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'794'945'296'789));
    m.connection = 7;
    m.text = text;
    return m;
}

TEST(WireText, a_line_has_time_direction_connection_and_size) {
    WireMessage m = message(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
    EXPECT_EQ(wire_line(m), R"(19:54:56.789 <- #7 40 {"jsonrpc":"2.0","id":1,"method":"ping"})");
    m.direction = WireMessage::Direction::sent;
    m.http_status = 401;
    EXPECT_EQ(wire_line(m, 12), R"(19:54:56.789 -> #7 40 HTTP 401 {"jsonrpc":"…)");
}

TEST(WireText, json_has_the_whole_message) {
    WireMessage m = message(R"({"id":1,"params":{"password":"canary"}})");
    EXPECT_EQ(wire_json(m), R"({"time":"2026-11-17T19:54:56.789Z","side":"server","direction":"received",)"
                            R"("connection":7,"bytes":39,"message":{"id":1,"params":{"password":"***"}}})");
    m = message("not JSON\x1b[2J Bearer canary1234");
    m.side = WireMessage::Side::client;
    EXPECT_EQ(wire_json(m), R"({"time":"2026-11-17T19:54:56.789Z","side":"client","direction":"received",)"
                            R"("connection":7,"bytes":30,"malformed":"not JSON\u001b[2J Bearer ***"})");
}

TEST(WireText, a_line_has_no_control_characters_of_the_peer) {
    EXPECT_EQ(wire_line(message("{\x1b[2J\n\xe2\x80\xae")), "19:54:56.789 <- #7 9 { [2J <U+202E>");
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
}

TEST(Mask, credentials_and_urls_in_texts_are_masked) {
    EXPECT_EQ(observe::mask_text("Authorization: Bearer abc.def-123, next"), "Authorization: Bearer ***, next");
    EXPECT_EQ(observe::mask_text("basic dXNlcjpwYXNz"), "basic ***");
    EXPECT_EQ(observe::mask_text("https://a.b/c?x=1&token=canary&y=2#f"), "https://a.b/c?x=1&token=***&y=2#f");
    EXPECT_EQ(observe::mask_text("https://user:canary@a.b/c?q"), "https://user:***@a.b/c?q");
    EXPECT_EQ(observe::mask_text("https://a.b:80/c@d"), "https://a.b:80/c@d");
    EXPECT_EQ(observe::mask_text("a?b=c"), "a?b=c");
    EXPECT_EQ(observe::mask_text("//"), "//");
}

RC_GTEST_PROP(Mask, a_secret_never_appears_and_the_result_is_json, ()) {
    const auto name = *rc::gen::element<std::string>("token", "my_secret", "Password", "api-key", "harmless");
    const auto before = *rc::gen::string<std::string>();
    json::object inner{{name, "canary"}, {"text", "Bearer canary"}, {"url", "https://u:canary@h/?token=canary"}};
    if (name == "harmless") inner.erase(name);
    json::object outer{{"list", json::array{json::value(inner), before}}};
    const std::string masked = mask_secrets(json::write(outer));
    RC_ASSERT(masked.find("canary") == std::string::npos);
    RC_ASSERT(json::parse(masked).has_value());
}

RC_GTEST_PROP(Mask, masking_any_text_terminates_and_changes_no_other_text, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::element('a', ' ', '/', ':', '@', '?', '&', '=', 'k'));
    const std::string once = observe::mask_text(text);
    if (once.find("***") == std::string::npos) RC_ASSERT(once == text);
}

}  // namespace
}  // namespace tenon
