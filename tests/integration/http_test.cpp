// Requests and responses of a real server over real sockets.
// rules: HTTP-2, HTTP-3, HTTP-5, RPC-4, SEC-4
#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;
using Http = HttpIntegration;

TEST_F(Http, a_connection_serves_many_requests) {
    HttpClient client = connect();
    const std::string session = begin(client);
    for (int i = 0; i < 20; ++i) {
        const std::string text = "text " + std::to_string(i);
        client.send(post_bytes(echo_body(text), in_session(session)));
        EXPECT_EQ(text_of(client.reply()), text);
        client.send(modern_bytes("echo_inline", R"({"message":")" + text + "\"}"));
        EXPECT_EQ(text_of(client.reply()), text);
    }
}

TEST_F(Http, requests_in_one_write_are_answered_in_order) {
    HttpClient client = connect();
    std::string all;
    for (int i = 0; i < 200; ++i) {
        all += modern_bytes(i % 3 == 0 ? "echo" : "echo_inline", R"({"message":")" + std::to_string(i) + "\"}");
        if (i % 7 == 0) all += "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
    client.send(all);
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(text_of(client.reply()), std::to_string(i));
        if (i % 7 == 0) {
            EXPECT_EQ(client.reply().status, 404);
        }
    }
}

TEST_F(Http, large_requests_in_one_write_with_others_are_answered_in_order) {
    HttpClient client = connect();
    std::vector<std::string> texts;
    std::string all;
    for (std::size_t size = 1; size < 3'000'000; size = size * 5 + 1) {
        texts.emplace_back(size, static_cast<char>('a' + texts.size()));
        texts.push_back("small " + std::to_string(size));
    }
    for (const std::string& text : texts) all += modern_bytes("echo_inline", R"({"message":")" + text + "\"}");
    std::thread sender([&] { client.send(all); });  // blocks until the responses are read
    for (const std::string& text : texts) EXPECT_TRUE(text_of(client.reply()) == text) << text.size();
    sender.join();
}

TEST_F(Http, a_request_may_be_split_anywhere) {
    HttpClient client = connect();
    const std::string bytes = modern_bytes("echo", R"({"message":"whole"})");
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        client.send(bytes.substr(0, cut));
        client.send(bytes.substr(cut));
        ASSERT_EQ(text_of(client.reply()), "whole") << cut;
    }
    for (const char c : bytes) client.send(std::string(1, c));
    EXPECT_EQ(text_of(client.reply()), "whole");
}

TEST_F(Http, a_chunked_body_may_be_split_anywhere) {
    HttpClient client = connect();
    const std::string body = call_body("echo", R"({"message":"whole"})", "1", modern);
    const std::string head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n\r\n";
    for (std::size_t cut = 1; cut < body.size(); cut += 7) {
        std::array<char, 16> size;
        std::string bytes = head;
        for (const std::string& part : {body.substr(0, cut), body.substr(cut)}) {
            std::snprintf(size.data(), size.size(), "%zx\r\n", part.size());
            bytes += size.data() + part + "\r\n";
        }
        client.send(bytes + "0\r\n\r\n");
        ASSERT_EQ(text_of(client.reply()), "whole") << cut;
    }
}

TEST_F(Http, expect_100_continue_is_answered_before_the_body) {
    HttpClient client = connect();
    expect_continue(client);
    client.send("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.reply().status, 404) << "a refused client need not send its body";
}

TEST_F(Http, requests_after_connection_close_are_ignored) {
    HttpClient client = connect();
    client.send(modern_bytes("echo", R"({"message":"last"})", "", "Connection: close\r\n") +
                modern_bytes("echo", R"({"message":"more"})"));
    const HttpReply reply = client.reply();
    EXPECT_EQ(text_of(reply), "last");
    EXPECT_EQ(reply.field("connection"), "close");
    EXPECT_EQ(client.reply().status, 0);
    EXPECT_EQ(seen.of("echo"), 1);

    HttpClient again = connect();
    again.send(modern_bytes("echo_inline", R"({"message":"last"})", "", "Connection: close\r\n") +
               modern_bytes("echo", R"({"message":"more"})"));
    EXPECT_EQ(text_of(again.reply()), "last");
    EXPECT_EQ(again.reply().status, 0);
    expect_alive();
    EXPECT_EQ(seen.of("echo"), 2) << "a request after `Connection: close` was executed";
}

TEST_F(Http, bytes_after_a_refused_request_are_not_executed) {
    HttpClient client = connect();
    client.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc" +
                modern_bytes("echo", R"({"message":"smuggled"})"));
    EXPECT_EQ(client.reply().status, 415);
    EXPECT_EQ(client.wait_for_end(), End::orderly);
    EXPECT_EQ(client.unread(), "");
    EXPECT_EQ(seen.of("echo"), 0);
}

TEST_F(Http, every_response_has_a_date_header) {
    for (const std::string& request :
         {modern_bytes("echo", R"({"message":"x"})"), post_bytes("{}", "Content-Encoding: gzip\r\n"),
          std::string("GET /mcp HTTP/1.1\r\n\r\n"), std::string("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")}) {
        const std::string date = once(request).field("date");
        EXPECT_EQ(date.size(), 29U) << request << date;
        EXPECT_TRUE(date.ends_with(" GMT")) << date;
    }
}

TEST_F(Http, a_response_to_head_has_a_content_length_and_no_body) {
    HttpClient client = connect();
    client.send("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const HttpReply head = client.head();
    EXPECT_EQ(head.status, 405);
    EXPECT_GT(std::stoi(head.field("content-length")), 0);
    client.send(modern_bytes("echo", R"({"message":"next"})"));
    EXPECT_EQ(text_of(client.reply()), "next");
}

TEST_F(Http, the_request_target_may_be_an_absolute_url) {
    std::string request = modern_bytes("echo", R"({"message":"x"})");
    request.replace(0, 9, "POST http://localhost:1/mcp");
    EXPECT_EQ(text_of(once(request)), "x");
}

// ---- authentication

TEST_F(Http, a_public_address_without_authentication_is_refused) {
    Server open{"test", "1"};
    EXPECT_THROW(HttpServer(open, {.address = "0.0.0.0", .port = 0}), Exception);
    EXPECT_THROW(HttpServer(open, {.address = "::", .port = 0}), Exception);
    EXPECT_THROW(HttpServer(open, {.address = "localhost", .port = 0}), Exception)
        << "localhost is a name and not an address";
    EXPECT_THROW(HttpServer(open, {.port = 0, .path = "mcp"}), Exception);
    EXPECT_NO_THROW(HttpServer(open, {.address = "0.0.0.0", .port = 0, .public_without_authentication = true}));
    EXPECT_NO_THROW(
        HttpServer(open, {.address = "0.0.0.0", .port = 0, .authenticate = [](std::string_view) { return "x"; }}));
    HttpServer first(open, {.port = 0});
    EXPECT_THROW(HttpServer(open, {.port = first.port()}), Exception) << "the port is in use";
    EXPECT_EQ(first.url(), "http://127.0.0.1:" + std::to_string(first.port()) + "/mcp");
}

TEST_F(Http, an_unauthenticated_request_is_refused_before_its_body_is_read) {
    HttpOptions options;
    options.authenticate = [](std::string_view who) -> std::optional<std::string> {
        if (who != "Bearer good") return std::nullopt;
        return "somebody";
    };
    start({}, std::move(options));
    HttpClient client = connect();
    const std::string bytes = modern_bytes("echo", R"({"message":"x"})", "", "Authorization: Bearer bad\r\n");
    client.send(bytes.substr(0, bytes.find("\r\n\r\n") + 4));
    const HttpReply refused = client.reply();
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.field("www-authenticate"), "Bearer");
    EXPECT_EQ(text_of(once(modern_bytes("echo", R"({"message":"x"})", "", "Authorization: Bearer good\r\n"))), "x");
    EXPECT_EQ(once(modern_bytes("echo", R"({"message":"x"})")).status, 401);
    EXPECT_EQ(seen.of("echo"), 1);
}

}  // namespace
}  // namespace tenon::test
