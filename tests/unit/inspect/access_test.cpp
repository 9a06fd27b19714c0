// The rules that protect the inspector from other sites and other programs.
#include "inspect/access.hpp"

#include <gtest/gtest.h>

namespace tenon::inspect {
namespace {

constexpr std::string_view host = "Host: 127.0.0.1:4000\r\n", cookie = "Cookie: a=b; tenon=COOKIE\r\n",
                           page_key = "X-Tenon-Key: KEY\r\n";

class AccessTest : public testing::Test {
 protected:
    Access::Verdict judge(const std::string& line, const std::string& fields) {
        framing::HttpRequestParser parser;
        const std::string text = line + " HTTP/1.1\r\n" + fields + "\r\n";
        std::string_view input = text;
        EXPECT_EQ(parser.next(input), framing::HttpRequestParser::Event::head) << parser.refusal().why;
        return access_.judge(parser.request());
    }
    Access::Verdict judge(const std::string& line, std::initializer_list<std::string_view> fields) {
        std::string all;
        for (const std::string_view field : fields) all += field;
        return judge(line, all);
    }
    bool is_refused(const std::string& line, std::initializer_list<std::string_view> fields, int status = 403) {
        const Access::Verdict verdict = judge(line, fields);
        return verdict.kind == Access::Kind::refused && verdict.status == status && !verdict.why.empty();
    }

    Access access_{{"TOKEN", "COOKIE", "KEY"}, 4000};
};

TEST_F(AccessTest, the_link_works_once) {
    EXPECT_EQ(judge("GET /?token=TOKEN", {host}).kind, Access::Kind::enter);
    EXPECT_TRUE(is_refused("GET /?token=TOKEN", {host}));
}

TEST_F(AccessTest, the_browser_that_opened_the_link_may_open_it_again) {
    EXPECT_EQ(judge("GET /?token=TOKEN", {host}).kind, Access::Kind::enter);
    EXPECT_EQ(judge("GET /?token=TOKEN", {host, cookie}).kind, Access::Kind::file);
}

TEST_F(AccessTest, a_wrong_token_does_not_use_up_the_link) {
    for (const char* wrong : {"TOKE", "TOKENN", "token", ""}) {
        EXPECT_TRUE(is_refused("GET /?token=" + std::string(wrong), {host})) << wrong;
    }
    EXPECT_TRUE(is_refused("GET /app.js?token=TOKEN", {host}));
    EXPECT_EQ(judge("GET /?token=TOKEN", {host}).kind, Access::Kind::enter);
}

TEST_F(AccessTest, files_need_the_cookie) {
    EXPECT_EQ(judge("GET /app.js", {host, cookie}).kind, Access::Kind::file);
    EXPECT_TRUE(is_refused("GET /app.js", {host}));
    EXPECT_TRUE(is_refused("GET /", {host}));
    EXPECT_TRUE(is_refused("GET /", {host, "Cookie: tenon=COOKI\r\n"}));
    EXPECT_TRUE(is_refused("GET /", {host, "Cookie: xtenon=COOKIE\r\n"}));
    EXPECT_TRUE(is_refused("GET /", {host, cookie, cookie})) << "two Cookie fields";
}

TEST_F(AccessTest, commands_need_the_cookie_and_the_key) {
    EXPECT_EQ(judge("POST /api/status", {host, cookie, page_key}).kind, Access::Kind::api);
    EXPECT_EQ(judge("GET /api/events", {host, cookie, page_key}).kind, Access::Kind::api);
    EXPECT_TRUE(is_refused("POST /api/status", {host, cookie}));
    EXPECT_TRUE(is_refused("POST /api/status", {host, page_key}));
    EXPECT_TRUE(is_refused("POST /api/status", {host, cookie, "X-Tenon-Key: KE\r\n"}));
    EXPECT_TRUE(is_refused("GET /api/events", {host, cookie}));
}

TEST_F(AccessTest, the_host_must_be_this_inspector) {
    EXPECT_EQ(judge("GET /", {"Host: localhost:4000\r\n", cookie}).kind, Access::Kind::file);
    for (const char* other : {"evil.example", "evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "localhost",
                              "127.0.0.1.evil.example:4000", "[::1]:4000", "0.0.0.0:4000"}) {
        EXPECT_TRUE(is_refused("GET /", {"Host: " + std::string(other) + "\r\n", cookie})) << other;
    }
}

TEST_F(AccessTest, the_origin_must_be_this_inspector) {
    EXPECT_EQ(judge("POST /api/status", {host, cookie, page_key, "Origin: http://127.0.0.1:4000\r\n"}).kind,
              Access::Kind::api);
    for (const char* other : {"http://evil.example", "http://127.0.0.1:4001", "https://127.0.0.1:4000", "null",
                              "http://localhost:4000", "http://127.0.0.1"}) {
        EXPECT_TRUE(is_refused("POST /api/status", {host, cookie, page_key, "Origin: " + std::string(other) + "\r\n"}))
            << other;
    }
}

TEST_F(AccessTest, a_link_on_another_site_is_refused) {
    EXPECT_TRUE(is_refused("GET /?token=TOKEN", {host, "Sec-Fetch-Site: cross-site\r\n"}));
    EXPECT_TRUE(is_refused("GET /", {host, cookie, "Sec-Fetch-Site: same-site\r\n"})) << "another local port";
    EXPECT_EQ(judge("GET /", {host, cookie, "Sec-Fetch-Site: same-origin\r\n"}).kind, Access::Kind::file);
    EXPECT_EQ(judge("GET /?token=TOKEN", {host, "Sec-Fetch-Site: none\r\n"}).kind, Access::Kind::enter);
}

TEST_F(AccessTest, only_get_and_post_are_answered) {
    EXPECT_TRUE(is_refused("PUT /", {host, cookie}, 405));
    EXPECT_TRUE(is_refused("POST /", {host, cookie}, 405));
    EXPECT_TRUE(is_refused("OPTIONS /api/status", {host}, 405));
}

TEST_F(AccessTest, the_cookie_is_hidden_from_scripts_and_other_sites) {
    EXPECT_EQ(access_.cookie_field(), "tenon=COOKIE; Path=/; HttpOnly; SameSite=Strict");
}

TEST(QueryValue, is_found_by_its_whole_name) {
    EXPECT_EQ(query_value("a=1&after=22&b", "after"), "22");
    EXPECT_EQ(query_value("xafter=22", "after"), "");
    EXPECT_EQ(query_value("after", "after"), "");
    EXPECT_EQ(query_value("", "after"), "");
}

}  // namespace
}  // namespace tenon::inspect
