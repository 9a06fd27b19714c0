// rules: HTTP-1, HTTP-4
#include "web/client_request.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "framing/http_request.hpp"
#include "web/header_value.hpp"

namespace tenon::web {
namespace {

const Url here = parse_url("http://h:81/mcp?x").value();

TEST(ClientRequest, a_message_is_a_post_that_accepts_json_and_event_streams) {
    OutgoingMessage m;
    m.body = "{}";
    m.method = "tools/call";
    m.name = "echo";
    EXPECT_EQ(write_request(post_message(here, {{{"A", "b"}}, "s1", "2025-11-25"}, m), nullptr),
              "POST /mcp?x HTTP/1.1\r\nHost: h:81\r\nAccept: application/json, text/event-stream\r\n"
              "Content-Type: application/json\r\nMcp-Session-Id: s1\r\nMCP-Protocol-Version: 2025-11-25\r\nA: b\r\n"
              "Content-Length: 2\r\n\r\n{}");
}

TEST(ClientRequest, a_stateless_request_repeats_method_name_and_parameters_in_headers) {
    OutgoingMessage m;
    m.stateless = true;
    m.method = "tools/call";
    m.name = "früh";
    m.mirrored = {{"Mcp-Param-Region", " x"}, {"Mcp-Param-N", 42}, {"Mcp-Param-B", false}, {"Mcp-Param-E", ""}};
    const auto fields = post_message(here, {{}, "", "2026-07-28"}, m).fields;
    const OwnFields expected = {{"Accept", "application/json, text/event-stream"},
                                {"Content-Type", "application/json"},
                                {"MCP-Protocol-Version", "2026-07-28"},
                                {"Mcp-Method", "tools/call"},
                                {"Mcp-Name", "=?base64?ZnLDvGg=?="},
                                {"Mcp-Param-Region", "=?base64?IHg=?="},
                                {"Mcp-Param-N", "42"},
                                {"Mcp-Param-B", "false"},
                                {"Mcp-Param-E", ""}};
    EXPECT_EQ(fields, expected);
    m.method = "completion/complete";
    m.mirrored.clear();
    EXPECT_EQ(post_message(here, {}, m).fields.back().first, "Mcp-Method");
}

TEST(ClientRequest, any_header_value_can_be_decoded_again) {
    rc::check([](const std::string& text) {
        const std::string encoded = encode_header_value(text);
        RC_ASSERT(framing::trimmed(encoded) == encoded);
        RC_ASSERT(decode_header_value(encoded) == text);
    });
    EXPECT_EQ(encode_header_value("=?base64?literal?="), "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
    EXPECT_EQ(encode_header_value("\ta"), "=?base64?CWE=?=");
    EXPECT_EQ(encode_header_value("us west"), "us west");
}

TEST(ClientRequest, written_requests_can_be_parsed) {
    rc::check([](const std::string& name, const std::string& body) {
        OutgoingMessage m;
        m.stateless = true;
        m.method = "tools/call";
        m.name = name;
        m.body = body;
        const std::string bytes = write_request(post_message(here, {{}, "", "2026-07-28"}, m), nullptr);
        framing::HttpRequestParser parser;
        std::string_view input = bytes;
        RC_ASSERT(parser.next(input) == framing::HttpRequestParser::Event::head);
        RC_ASSERT(parser.request().content_length == body.size());
        RC_ASSERT(decode_header_value(parser.request().fields.only("mcp-name").value_or("")) == name);
    });
}

TEST(ClientRequest, get_stream_and_delete_session_are_written) {
    EXPECT_EQ(write_request(get_stream(here, {{}, "s", "r"}, "e1"), nullptr),
              "GET /mcp?x HTTP/1.1\r\nHost: h:81\r\nAccept: text/event-stream\r\nMcp-Session-Id: s\r\n"
              "MCP-Protocol-Version: r\r\nLast-Event-ID: e1\r\n\r\n");
    EXPECT_EQ(get_stream(here, {}, "a\r\nb").fields.size(), 1u);
    EXPECT_EQ(write_request(delete_session(here, {{}, "s", "r"}), nullptr),
              "DELETE /mcp?x HTTP/1.1\r\nHost: h:81\r\nMcp-Session-Id: s\r\nMCP-Protocol-Version: r\r\n\r\n");
}

TEST(ClientRequest, a_proxy_gets_an_absolute_url_or_a_connect) {
    const Url proxy = parse_url("http://me:pw@p:3128").value();
    EXPECT_EQ(write_request(delete_session(here, {}), &proxy),
              "DELETE http://h:81/mcp?x HTTP/1.1\r\nHost: h:81\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n");
    EXPECT_EQ(write_connect(parse_url("https://[::1]/x").value(), proxy),
              "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\nProxy-Authorization: Basic bWU6cHc=\r\n\r\n");
}

TEST(ClientRequest, invalid_or_reserved_user_headers_are_refused) {
    EXPECT_TRUE(check_fields({{"Authorization", "Bearer x"}, {"X-A", ""}}).has_value());
    for (const auto& [name, value] : OwnFields{{"", "x"},
                                               {"A:", "x"},
                                               {"A", "x\n"},
                                               {"A", std::string("\0", 1)},
                                               {"host", "x"},
                                               {"Content-Length", "1"},
                                               {"MCP-SESSION-ID", "x"},
                                               {"mcp-param-a", "x"}})
        EXPECT_TRUE(check_fields({{name, value}}).has_error()) << name;
}

}  // namespace
}  // namespace tenon::web
