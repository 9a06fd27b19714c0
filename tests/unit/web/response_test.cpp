// rules: HTTP-2, HTTP-3
#include "web/response.hpp"

#include <gtest/gtest.h>

#include <tenon/json.hpp>

namespace tenon::web {
namespace {

std::string head_of(const Response& response, Framing framing) {
    std::string out;
    append_head(out, response, framing);
    return out;
}

TEST(HttpResponse, response_heads_have_the_right_framing) {
    EXPECT_EQ(head_of(json_response(200, "{}"), {}),
              "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(head_of({202}, {}), "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(head_of({204}, {}), "HTTP/1.1 204 No Content\r\n\r\n") << "a response without a body has no length";
    EXPECT_EQ(head_of({404, {{"Allow", "GET"}}}, {.keep_alive = false}),
              "HTTP/1.1 404 Not Found\r\nAllow: GET\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    const std::string stream = head_of({200, {{"Mcp-Session-Id", "s"}}, "text/event-stream", {}}, {.stream = true});
    EXPECT_NE(stream.find("Content-Type: text/event-stream\r\n"), stream.npos);
    EXPECT_NE(stream.find("Mcp-Session-Id: s\r\n"), stream.npos);
    EXPECT_NE(stream.find("Transfer-Encoding: chunked\r\n"), stream.npos);
    EXPECT_NE(stream.find("Cache-Control: no-cache, no-transform\r\n"), stream.npos);
    EXPECT_EQ(stream.find("Content-Length"), stream.npos) << "two lengths would allow request smuggling";
}

TEST(HttpResponse, the_date_is_written_when_given) {
    EXPECT_EQ(head_of({202}, {.date = "Sun, 06 Nov 1994 08:49:37 GMT"}),
              "HTTP/1.1 202 Accepted\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n");
}

TEST(HttpResponse, every_used_status_has_a_reason_phrase) {
    for (const int status :
         {200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 413, 414, 415, 417, 429, 431, 500, 501, 503, 505})
        EXPECT_NE(reason_of(status), "Error") << status;
}

TEST(HttpResponse, chunks_are_framed_and_empty_ones_skipped) {
    std::string out;
    append_chunk(out, "0123456789abcdef");
    append_chunk(out, "");  // an empty chunk would end the body
    append_chunk(out, "x");
    append_last_chunk(out);
    EXPECT_EQ(out, "10\r\n0123456789abcdef\r\n1\r\nx\r\n0\r\n\r\n");
}

TEST(HttpResponse, a_refusal_is_a_json_rpc_error_without_an_id) {
    const Response response = refusal(403, "no \"entry\"", {{"Allow", "POST"}});
    EXPECT_EQ(response.status, 403);
    EXPECT_EQ(response.content_type, "application/json");
    EXPECT_EQ(response.fields.size(), 1U);
    const json::value body = json::parse(response.body).value();
    EXPECT_FALSE(body.as_object().contains("id"));
    EXPECT_EQ(body.at("jsonrpc").as_string(), "2.0");
    EXPECT_EQ(body.at("error").at("message").as_string(), "no \"entry\"");
    EXPECT_EQ(body.at("error").at("code").as_int64(), code::invalid_request);
}

// rules: RPC-14
TEST(HttpResponse, a_refusal_has_a_code_of_every_revision) {
    for (const int status : {400, 401, 403, 404, 429, 500, 503}) {
        const json::value body = json::parse(refusal(status, Error{code::server_error, "no"}).body).value();
        EXPECT_EQ(body.at("error").at("code"), status < 500 && status != 429 ? -32600 : -32603) << status;
    }
}

TEST(HttpResponse, the_http_status_depends_on_the_error_and_the_era) {
    struct Row {
        int error;
        bool refused;
        int in_session, alone;
    };
    const Row rows[] = {{0, false, 200, 200},
                        {code::internal_error, false, 200, 200},
                        {code::invalid_params, false, 200, 200},
                        {code::method_not_found, false, 200, 404},
                        {code::header_mismatch, false, 200, 400},
                        {code::missing_capability, false, 200, 400},
                        {code::unsupported_version, false, 200, 400},
                        {code::invalid_request, true, 400, 400},
                        {code::parse_error, true, 400, 400},
                        {code::server_error, true, 503, 503}};
    for (const Row& row : rows) {
        const core::Send answer{{}, 0, true, row.refused, row.error};
        EXPECT_EQ(status_of(answer, false), row.in_session) << row.error;
        EXPECT_EQ(status_of(answer, true), row.alone) << row.error;
    }
}

}  // namespace
}  // namespace tenon::web
