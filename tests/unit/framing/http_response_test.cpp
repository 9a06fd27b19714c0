#include "framing/http_response.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tenon::framing {
namespace {

using Event = HttpResponseParser::Event;
using To = HttpResponseParser::To;

// Returns each response as "status(body)", with "~" when the connection cannot be reused, and an error as "!reason".
std::string read(const std::vector<std::string_view>& pieces, HttpResponseLimits limits = {}, To to = To::get_or_post,
                 bool then_closed = false) {
    HttpResponseParser parser(limits);
    parser.expect(to);
    std::string seen;
    const auto handle = [&](Event event) {
        if (event == Event::head)
            seen += std::to_string(parser.response().status) + (parser.response().keep_alive ? "(" : "~(");
        if (event == Event::piece) seen += parser.piece();
        if (event == Event::end) seen += ")", parser.expect(To::get_or_post);
        if (event == Event::error) seen += "!" + parser.why();
        return event != Event::more && event != Event::error;
    };
    for (std::string_view input : pieces)
        while (handle(parser.next(input))) {
        }
    if (then_closed) handle(parser.end_of_input());
    return seen;
}
std::string read(std::string_view all, HttpResponseLimits limits = {}, To to = To::get_or_post) {
    return read(std::vector{all}, limits, to);
}

TEST(HttpResponse, an_answer_in_tls_is_recognised_at_its_first_byte) {
    EXPECT_EQ(read(std::string_view("\x15\x03", 2)), "!the server speaks TLS; use https:// instead of http://");
}

const std::string three =
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\n"
    "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"
    "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
const std::string as_seen = "200(hello)404(abc0123456789)204~()";

TEST(HttpResponse, reads_one_response_after_another_and_skips_1xx) { EXPECT_EQ(read(three), as_seen); }

TEST(HttpResponse, every_split_point_gives_the_same_responses) {
    const std::string_view all = three;
    for (std::size_t i = 0; i <= all.size(); ++i) EXPECT_EQ(read({all.substr(0, i), all.substr(i)}), as_seen) << i;
}

TEST(HttpResponse, one_byte_at_a_time_gives_the_same_responses) {
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < three.size(); ++i) bytes.push_back(std::string_view(three).substr(i, 1));
    EXPECT_EQ(read(bytes), as_seen);
}

TEST(HttpResponse, any_bytes_can_be_parsed_safely) {
    rc::check([](const std::string& garbage) { read({three, garbage}, {}, To::get_or_post, true); });
}

TEST(HttpResponse, a_body_without_a_length_ends_with_the_connection) {
    EXPECT_EQ(read({"HTTP/1.1 200 OK\r\n\r\nab", "cd"}, {}, To::get_or_post, true), "200~(abcd)");
}

TEST(HttpResponse, a_truncated_response_is_an_error) {
    EXPECT_EQ(read({"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"}, {}, To::get_or_post, true),
              "200(ab!it ends in the middle");
    EXPECT_EQ(read({"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"}, {}, To::get_or_post, true),
              "200(ab!it ends in the middle");
    EXPECT_EQ(read({"HTTP/1.1 20"}, {}, To::get_or_post, true), "!it ends in the middle");
    EXPECT_EQ(read({""}, {}, To::get_or_post, true), "!the connection was closed");
}

TEST(HttpResponse, a_successful_connect_response_has_no_body) {
    EXPECT_EQ(read("HTTP/1.1 200 Connection established\r\n\r\n", {}, To::connect), "200()");
    EXPECT_EQ(read("HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nno", {}, To::connect), "407(no)");
}

TEST(HttpResponse, ambiguous_or_malformed_responses_are_refused) {
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    EXPECT_EQ(read(ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"),
              "!its length is given more than once");
    EXPECT_EQ(read(ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\n"), "!its length is given more than once");
    EXPECT_EQ(read(ok + "Content-Length: +1\r\n\r\n"), "!its Content-Length is not a decimal number");
    EXPECT_EQ(read(ok + "Transfer-Encoding: gzip, chunked\r\n\r\n"), "!it has a transfer coding other than chunked");
    EXPECT_EQ(read(ok + "A : 1\r\n\r\n"), "!it has a header name that is not a valid token");
    EXPECT_EQ(read(ok + "A: 1\r\n b\r\n\r\n"), "!it has a folded header line");
    EXPECT_EQ(read("HTTP/2 200\r\n\r\n"), "!it does not begin with HTTP/1.1");
    EXPECT_EQ(read("HTTP/1.1 2000\r\n\r\n"), "!its status is not a three-digit number");
    EXPECT_EQ(read("HTTP/1.1 101 x\r\n\r\n"), "!it changes to another protocol");
    EXPECT_EQ(read(ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
              "200(!its body has a chunk size that is not a hexadecimal number");
}

TEST(HttpResponse, bytes_after_the_response_are_an_error) {
    HttpResponseParser parser;
    parser.expect(To::get_or_post);
    std::string_view input = "HTTP/1.1 204 x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
    EXPECT_EQ(parser.next(input), Event::head);
    EXPECT_EQ(parser.next(input), Event::end);
    EXPECT_EQ(parser.next(input), Event::error);
    EXPECT_EQ(parser.why(), "bytes without a request");
}

TEST(HttpResponse, head_fields_and_interim_responses_are_limited) {
    EXPECT_EQ(read("HTTP/1.1 200 OK\r\nA: " + std::string(200, 'a'), {.max_head_bytes = 100}),
              "!its head is longer than 100 bytes (max_head_bytes)");
    std::string fields;
    for (int i = 0; i < 11; ++i) fields += "A: 1\r\n";
    EXPECT_EQ(read("HTTP/1.1 200 OK\r\n" + fields + "\r\n", {.max_fields = 10}), "!it has more than 10 header fields");
    std::string interim;
    for (int i = 0; i < 11; ++i) interim += "HTTP/1.1 100 x\r\n\r\n";
    EXPECT_EQ(read(interim), "!too many 1xx responses before it");
}

TEST(HttpResponse, http_1_0_connections_are_not_reused) {
    EXPECT_EQ(read("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx"), "200~(x)");
}

}  // namespace
}  // namespace tenon::framing
