#include "web/client_response.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <tenon/json.hpp>

#include "web/reconnect.hpp"

namespace tenon::web {
namespace {

using namespace std::chrono_literals;

struct Head {
    explicit Head(const std::string& lines) {
        const std::string all = "HTTP/1.1 " + lines + "\r\n\r\n";
        std::string_view input = all;
        parser.expect(framing::HttpResponseParser::To::get_or_post);
        parser.next(input);
    }
    const framing::HttpResponse& get() const { return parser.response(); }
    framing::HttpResponseParser parser;
};
BodyKind reading(const std::string& lines, bool of_request = true) {
    return body_kind_of(Head(lines).get(), of_request);
}

TEST(ClientAnswer, status_and_content_type_decide_how_a_response_is_read) {
    EXPECT_EQ(reading("200 OK\r\nContent-Type: application/json"), BodyKind::message);
    EXPECT_EQ(reading("200 OK\r\ncontent-type: Application/JSON ; charset=utf-8"), BodyKind::message);
    EXPECT_EQ(reading("200 OK\r\nContent-Type: text/event-stream;x"), BodyKind::stream);
    EXPECT_EQ(reading("200 OK\r\nContent-Type: text/html"), BodyKind::unintelligible);
    EXPECT_EQ(reading("200 OK"), BodyKind::unintelligible);
    EXPECT_EQ(reading("200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip"), BodyKind::unintelligible);
    EXPECT_EQ(reading("202 Accepted"), BodyKind::nothing);
    EXPECT_EQ(reading("200 OK\r\nContent-Type: text/plain", false), BodyKind::nothing);
    EXPECT_EQ(reading("404 x\r\nContent-Type: application/json"), BodyKind::explanation);
    EXPECT_EQ(reading("302 x"), BodyKind::explanation);
}

TEST(ClientAnswer, an_http_error_has_its_status_or_the_servers_json_rpc_error) {
    const Error plain = refusal_error(503, "", "over\nloaded");
    EXPECT_EQ(plain.message, "the server answered HTTP 503 Service Unavailable: over loaded");
    EXPECT_EQ(plain.code, code::http_refused);
    EXPECT_EQ(plain.data.at("httpStatus"), 503);
    const Error said =
        refusal_error(400, "", R"({"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"m","data":[1]}})");
    EXPECT_EQ(said.code, code::unsupported_version);
    EXPECT_EQ(said.data, json::value(json::array{1}));
    const Error who = refusal_error(401, "Bearer realm=\"x\"", R"({"error":{"code":-32000,"message":"who?"}})");
    EXPECT_EQ(who.data.at("wwwAuthenticate"), "Bearer realm=\"x\"");
    EXPECT_NE(who.message.find("HTTP 401"), std::string::npos);
    EXPECT_NE(who.message.find("who?"), std::string::npos);
}

TEST(ClientAnswer, only_a_valid_json_rpc_error_is_used) {
    for (const char* body : {"", "{", "[]", "{\"error\":\"invalid_token\"}", R"({"error":{"code":"x","message":"m"}})",
                             R"({"error":{"code":99999999999,"message":"m"}})", R"({"error":{"code":1}})"})
        EXPECT_FALSE(jsonrpc_error(body)) << body;
}

TEST(ClientAnswer, the_old_transport_is_tried_after_a_plain_4xx_response) {
    EXPECT_TRUE(may_be_old_transport(405, {}));
    EXPECT_TRUE(may_be_old_transport(400, Error{code::invalid_request, "x"}));
    EXPECT_FALSE(may_be_old_transport(400, Error{code::unsupported_version, "x"}));
    EXPECT_FALSE(may_be_old_transport(401, {}));
    EXPECT_FALSE(may_be_old_transport(500, {}));
}

TEST(ClientAnswer, redirects_keep_the_method) {
    const auto to = [](const std::string& lines, std::string_view method) {
        return std::string(redirect_target(Head(lines).get(), method).value_or("none"));
    };
    EXPECT_EQ(to("307 x\r\nLocation: /a", "POST"), "/a");
    EXPECT_EQ(to("308 x\r\nLocation: /a", "DELETE"), "/a");
    EXPECT_EQ(to("301 x\r\nLocation: /a", "GET"), "/a");
    EXPECT_EQ(to("302 x\r\nLocation: /a", "POST"), "none");
    EXPECT_EQ(to("303 x\r\nLocation: /a", "GET"), "none");
    EXPECT_EQ(to("307 x", "POST"), "none");
    EXPECT_EQ(to("307 x\r\nLocation: /a\r\nLocation: /b", "POST"), "none");
}

TEST(ClientAnswer, recognises_the_response_to_a_request) {
    EXPECT_TRUE(is_response_to(R"({"jsonrpc":"2.0","id":7,"result":{}})", 7));
    EXPECT_TRUE(is_response_to(R"( { "result" : {"id":8,"a":["}\"{"]} , "id" : 7 } )", 7));
    EXPECT_TRUE(is_response_to(R"([{"method":"x"},{"id":7,"error":{}}])", 7));
    EXPECT_FALSE(is_response_to(R"({"id":7,"method":"ping"})", 7));
    EXPECT_FALSE(is_response_to(R"({"id":"7","result":{}})", 7));
    EXPECT_FALSE(is_response_to(R"({"id":77,"result":{}})", 7));
    EXPECT_FALSE(is_response_to(R"({"result":{"id":7}})", 7));
    EXPECT_FALSE(is_response_to(R"([{"id":7,"method":"x"},{"id":8,"result":{}}])", 7));
}

TEST(ClientAnswer, scanning_any_bytes_is_safe) {
    rc::check([](const std::string& garbage) { is_response_to(garbage, 1); });
    const std::string whole = R"([{"a":{"b":["c\\\"",1]},"id":1,"result":null},{"id":2}])";
    for (std::size_t i = 0; i <= whole.size(); ++i) is_response_to(std::string_view(whole).substr(0, i), 1);
}

TEST(Reconnect, backs_off_up_to_a_limit_and_then_gives_up) {
    Reconnect r({1s, 5s, 4, 50ms});
    EXPECT_EQ(r.next(), 1s);
    EXPECT_EQ(r.next(), 2s);
    EXPECT_EQ(r.next(), 4s);
    EXPECT_EQ(r.next(), 5s);
    EXPECT_EQ(r.next(), std::nullopt);
}

TEST(Reconnect, an_event_resets_the_backoff) {
    Reconnect r({1s, 5s, 2, 50ms});
    r.next(), r.next();
    r.event();
    EXPECT_EQ(r.next(), 1s);
}

TEST(Reconnect, never_retries_earlier_than_the_server_asked) {
    Reconnect r({1s, 5s, 9, 50ms});
    r.retry(500ms);
    EXPECT_EQ(r.next(), 500ms);
    EXPECT_EQ(r.next(), 1s);
    r.retry(60s);
    EXPECT_EQ(r.next(), 60s);
}

TEST(Reconnect, a_retry_time_of_zero_does_not_cause_a_busy_loop) {
    Reconnect r({1s, 5s, 9, 50ms});
    r.retry(0ms);
    EXPECT_EQ(r.next(), 50ms);
}

}  // namespace
}  // namespace tenon::web
