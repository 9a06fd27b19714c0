// rules: HTTP-2, HTTP-4, HTTP-11, RPC-1, SEC-3, SEC-4
#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;

using HostileHttp = HttpIntegration;

const std::string valid_body = call_body("echo", R"({"message":"executed"})", "1", modern);
const std::string mcp_fields =
    "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: "
    "echo\r\n";
const std::string length_field = "Content-Length: " + std::to_string(valid_body.size()) + "\r\n";
const std::string host_field = "Host: localhost\r\n";
const std::string first_line = "POST /mcp HTTP/1.1\r\n";

std::string chunked(const std::string& chunks) {
    return first_line + host_field + mcp_fields + "Transfer-Encoding: chunked\r\n\r\n" + chunks;
}
std::string hex(std::size_t n) {
    std::array<char, 20> out;
    std::snprintf(out.data(), out.size(), "%zx", n);
    return out.data();
}

TEST_F(HostileHttp, the_well_formed_base_request_is_accepted) {
    const std::string good = first_line + host_field + mcp_fields + length_field + "\r\n" + valid_body;
    EXPECT_EQ(text_of(once(good)), "executed");
    EXPECT_EQ(text_of(once(chunked(hex(valid_body.size()) + "\r\n" + valid_body + "\r\n0\r\n\r\n"))), "executed");
    EXPECT_EQ(seen.of("echo"), 2);
}

TEST_F(HostileHttp, malformed_requests_are_refused_and_nothing_is_executed) {
    const std::string rest = mcp_fields + length_field + "\r\n" + valid_body;
    const std::string right_chunk = hex(valid_body.size()) + "\r\n" + valid_body + "\r\n0\r\n\r\n";
    struct Row {
        std::string what, bytes;
    };
    const Row rows[] = {
        {"no Host", first_line + rest},
        {"two Hosts", first_line + host_field + host_field + rest},
        {"two different Hosts", first_line + host_field + "Host: evil.com\r\n" + rest},
        {"a list of Hosts", first_line + "Host: localhost, evil.com\r\n" + rest},
        {"an empty Host", first_line + "Host:\r\n" + rest},
        {"a Host with a user", first_line + "Host: a@localhost\r\n" + rest},
        {"a folded field", first_line + host_field + "X: a\r\n b\r\n" + rest},
        {"a folded first field", first_line + " X: a\r\n" + host_field + rest},
        {"a space before a colon", first_line + "Host : localhost\r\n" + rest},
        {"a tab before a colon", first_line + host_field + "Content-Length\t: 5\r\n" + rest},
        {"no colon", first_line + host_field + "nothing\r\n" + rest},
        {"no name", first_line + host_field + ": value\r\n" + rest},
        {"a name that is not a token", first_line + host_field + "a(b): c\r\n" + rest},
        {"a zero byte in a value", first_line + host_field + std::string("X: a\0b\r\n", 8) + rest},
        {"a control character in a value", first_line + host_field + "X: a\x01\r\n" + rest},
        {"a bare return in a value", first_line + host_field + "X: a\rY: b\r\n" + rest},
        {"bare newlines", "POST /mcp HTTP/1.1\nHost: localhost\n" + mcp_fields + length_field + "\r\n" + valid_body},
        {"two lengths", first_line + host_field + length_field + rest},
        {"two different lengths", first_line + host_field + "Content-Length: 5\r\n" + rest},
        {"a list of lengths", first_line + host_field + mcp_fields + "Content-Length: 5, 5\r\n\r\n" + valid_body},
        {"a negative length", first_line + host_field + mcp_fields + "Content-Length: -1\r\n\r\n" + valid_body},
        {"a length with a sign", first_line + host_field + mcp_fields + "Content-Length: +5\r\n\r\n" + valid_body},
        {"a length in hexadecimal", first_line + host_field + mcp_fields + "Content-Length: 0x50\r\n\r\n" + valid_body},
        {"a length beyond numbers",
         first_line + host_field + mcp_fields + "Content-Length: 99999999999999999999999\r\n\r\n" + valid_body},
        {"an empty length", first_line + host_field + mcp_fields + "Content-Length:\r\n\r\n" + valid_body},
        {"a length and chunks",
         first_line + host_field + mcp_fields + length_field + "Transfer-Encoding: chunked\r\n\r\n" + right_chunk},
        {"chunks and a length",
         first_line + host_field + mcp_fields + "Transfer-Encoding: chunked\r\n" + length_field + "\r\n" + right_chunk},
        {"two encodings", first_line + host_field + mcp_fields +
                              "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + right_chunk},
        {"gzip before chunks",
         first_line + host_field + mcp_fields + "Transfer-Encoding: gzip, chunked\r\n\r\n" + right_chunk},
        {"chunks before gzip",
         first_line + host_field + mcp_fields + "Transfer-Encoding: chunked, gzip\r\n\r\n" + right_chunk},
        {"identity", first_line + host_field + mcp_fields + "Transfer-Encoding: identity\r\n\r\n" + right_chunk},
        {"an encoding with a tab inside", first_line + host_field + mcp_fields +
                                              "Transfer-Encoding: \x0b"
                                              "chunked\r\n\r\n" +
                                              right_chunk},
        {"chunks in HTTP/1.0",
         "POST /mcp HTTP/1.0\r\n" + host_field + mcp_fields + "Transfer-Encoding: chunked\r\n\r\n" + right_chunk},
        {"a chunk size with a sign", chunked("+" + right_chunk)},
        {"a chunk size with 0x", chunked("0x" + right_chunk)},
        {"a chunk size with a space", chunked(" " + right_chunk)},
        {"an invalid chunk size", chunked("xyz\r\n" + valid_body + "\r\n0\r\n\r\n")},
        {"a chunk size that is empty", chunked("\r\n" + valid_body + "\r\n0\r\n\r\n")},
        {"a chunk size beyond numbers", chunked("fffffffffffffffff\r\n" + valid_body + "\r\n0\r\n\r\n")},
        {"a chunk longer than it says", chunked(hex(valid_body.size() - 1) + "\r\n" + valid_body + "\r\n0\r\n\r\n")},
        {"a chunk that ends in a newline only", chunked(hex(valid_body.size()) + "\r\n" + valid_body + "\n0\r\n\r\n")},
        {"a chunk size that ends in a newline only",
         chunked(hex(valid_body.size()) + "\n" + valid_body + "\r\n0\r\n\r\n")},
        {"no version", "POST /mcp\r\n" + host_field + rest},
        {"HTTP/0.9", "POST /mcp HTTP/0.9\r\n" + host_field + rest},
        {"HTTP/2.0", "POST /mcp HTTP/2.0\r\n" + host_field + rest},
        {"http in small letters", "POST /mcp http/1.1\r\n" + host_field + rest},
        {"two spaces", "POST  /mcp HTTP/1.1\r\n" + host_field + rest},
        {"a tab", "POST\t/mcp HTTP/1.1\r\n" + host_field + rest},
        {"a space in the target", "POST /m cp HTTP/1.1\r\n" + host_field + rest},
        {"a control character in the target", "POST /mcp\x01 HTTP/1.1\r\n" + host_field + rest},
        {"a method that is not a token", "PO(ST /mcp HTTP/1.1\r\n" + host_field + rest},
        {"no method", " /mcp HTTP/1.1\r\n" + host_field + rest},
        {"an absolute target of another", "POST http://evil.com/mcp HTTP/1.1\r\n" + host_field + rest},
        {"CONNECT", "CONNECT localhost:80 HTTP/1.1\r\n" + host_field + "\r\n"},
        {"a long target", "POST /" + std::string(20'000, 'a') + " HTTP/1.1\r\n" + host_field + rest},
        {"a long field", first_line + host_field + "X: " + std::string(40'000, 'a') + "\r\n" + rest},
        {"a long name", first_line + host_field + std::string(40'000, 'a') + ": b\r\n" + rest},
        {"many fields",
         [&] {
             std::string out = first_line + host_field;
             for (int i = 0; i < 1000; ++i) out += "X: a\r\n";
             return out + rest;
         }()},
        {"an unknown expectation", first_line + host_field + "Expect: wonders\r\n" + rest},
        {"TLS on a plain port", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 15)},
        {"bytes", std::string("\x00\xff\x80\r\n\r\n", 7)},
    };
    for (const Row& row : rows) {
        HttpClient client = connect();
        client.send(row.bytes);
        const HttpReply reply = client.reply();
        EXPECT_GE(reply.status, 400) << row.what;
        EXPECT_LE(reply.status, 505) << row.what;
        EXPECT_EQ(reply.field("connection"), "close") << row.what;
        EXPECT_TRUE(json::parse(reply.body)) << row.what;
        EXPECT_EQ(client.wait_for_end(), End::orderly) << row.what;
        EXPECT_EQ(client.unread(), "") << row.what << ": more than one response";
    }
    EXPECT_EQ(seen.of("echo"), 0);
    expect_alive();
}

TEST_F(HostileHttp, a_body_that_is_too_long_is_refused_without_being_read) {
    start({.max_message_bytes = 10'000});
    HttpClient client = connect();
    client.send(first_line + host_field + mcp_fields + "Content-Length: 1000000000\r\n\r\n");
    EXPECT_EQ(client.reply().status, 413) << "the server read the body before it refused";

    HttpClient eager = connect();
    eager.send(first_line + host_field + mcp_fields + "Content-Length: 1000000\r\n\r\n");
    eager.send(std::string(1'000'000, 'x'));
    EXPECT_EQ(eager.reply().status, 413) << "a client that sends its whole body first could not read the response";
    EXPECT_EQ(eager.wait_for_end(), End::orderly);

    HttpClient in_chunks = connect();
    in_chunks.send(chunked("ffff\r\n" + std::string(0xffff, 'x') + "\r\n0\r\n\r\n"));
    EXPECT_EQ(in_chunks.reply().status, 413);
    EXPECT_EQ(in_chunks.wait_for_end(), End::orderly);
    expect_alive();
}

TEST_F(HostileHttp, refusals_can_be_read_by_a_client_that_sends_its_body_first) {
    const std::string long_body(1'000'000, 'x');
    const std::string length = "Content-Length: 1000000\r\n\r\n" + long_body;
    for (const auto& [bytes, status] :
         {std::pair("POST /nowhere HTTP/1.1\r\n" + host_field + length, 404),
          std::pair(first_line + "Host: evil.com\r\n" + length, 403),
          std::pair("PUT /mcp HTTP/1.1\r\n" + host_field + length, 405),
          std::pair(first_line + host_field + "Content-Type: text/plain\r\n" + length, 415)}) {
        HttpClient client = connect();
        client.send(bytes);
        EXPECT_EQ(client.reply().status, status);
        EXPECT_EQ(client.wait_for_end(), End::orderly);
    }
}

TEST_F(HostileHttp, bodies_that_are_not_json_rpc_are_refused) {
    HttpClient client = connect();
    const std::string session = begin(client);
    for (const std::string& bad : {std::string(200'000, '['), std::string(100'000, '[') + std::string(100'000, ']'),
                                   "{\"a\":" + std::string(200'000, '['), std::string("\xff"), std::string("{}"),
                                   std::string(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"),
                                   std::string(R"({"jsonrpc":"2.0","id":{"a":1},"method":"ping"})"),
                                   std::string(R"({"jsonrpc":"2.0","id":[1],"method":"ping"})"),
                                   std::string(R"({"jsonrpc":"2.0","id":true,"method":"ping"})"),
                                   std::string(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})")}) {
        client.send(post_bytes(bad, in_session(session)));
        const HttpReply reply = client.reply();
        EXPECT_EQ(reply.status, 400) << bad.substr(0, 60);
        EXPECT_NE(reply.body.find("\"error\""), std::string::npos);
    }
    client.send(post_bytes(R"({"jsonrpc":"2.0","id":1.50,"method":"ping"})", in_session(session)));
    const HttpReply reply = client.reply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_NE(reply.body.find("\"id\":1.50"), std::string::npos) << reply.body;
    client.send(post_bytes("", in_session(session)));
    EXPECT_EQ(client.reply().status, 400);
}

TEST_F(HostileHttp, requests_with_a_foreign_origin_or_host_are_refused) {
    const auto with_origin = [&](const std::string& origin) {
        return once(modern_bytes("echo", R"({"message":"x"})", "", "Origin: " + origin + "\r\n"));
    };
    for (const char* origin : {"http://localhost.evil.com", "http://evil.com", "https://127.0.0.1.evil.com", "null",
                               "http://localhost@evil.com", "http://localhost:80:80", "file://localhost"})
        EXPECT_EQ(with_origin(origin).status, 403) << origin;
    EXPECT_EQ(seen.of("echo"), 0);
    const HttpReply allowed = with_origin("http://localhost:3000");
    EXPECT_EQ(allowed.status, 200);
    EXPECT_EQ(allowed.field("access-control-allow-origin"), "http://localhost:3000");
    EXPECT_EQ(with_origin("http://127.0.0.1").status, 200);
    EXPECT_EQ(once(first_line + "Host: evil.com\r\n" + mcp_fields + length_field + "\r\n" + valid_body).status, 403);
}

TEST_F(HostileHttp, headers_that_contradict_the_body_are_refused) {
    const HttpReply reply = once(first_line + host_field +
                                 "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: "
                                 "tools/call\r\nMcp-Name: wait\r\n" +
                                 length_field + "\r\n" + valid_body);
    EXPECT_EQ(reply.status, 400);
    EXPECT_NE(reply.body.find("-32020"), std::string::npos);
    EXPECT_EQ(seen.of("echo"), 0);
}

// Sends more requests than the server may queue, and reads no response.
TEST_F(HostileHttp, a_connection_that_sends_requests_without_reading_is_closed) {
    start({.max_queued_output_bytes = 100'000, .write_time = std::chrono::milliseconds(50)});
    HttpClient client = connect(4096);
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
    bool taken = true;
    for (int i = 0; i < 1'000 && taken; ++i) taken = client.send(many);
    EXPECT_FALSE(taken) << "the server did not close a connection whose responses are not read";
    expect_alive();
}

}  // namespace
}  // namespace tenon::test
