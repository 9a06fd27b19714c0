#include "framing/http_request.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tenon::framing {
namespace {

struct Seen {
    std::string text;  // each request as "METHOD path host body|", a refusal as "!status"
    std::string why;
};

// Feeds the pieces one after the other, as a connection does.
Seen read(const std::vector<std::string_view>& pieces, HttpLimits limits = {}) {
    HttpRequestParser parser(limits);
    Seen seen;
    std::string body;
    for (std::string_view input : pieces) {
        for (bool more = false; !more;) {
            switch (parser.next(input)) {
                case HttpRequestParser::Event::more: more = true; break;
                case HttpRequestParser::Event::head: body.clear(); break;
                case HttpRequestParser::Event::piece: body += parser.piece(); break;
                case HttpRequestParser::Event::end:
                    seen.text += std::string(parser.request().method) + " " + std::string(parser.request().path) + " " +
                                 std::string(parser.request().host) + " " + body + "|";
                    break;
                case HttpRequestParser::Event::refused:
                    seen.text += "!" + std::to_string(parser.refusal().status);
                    seen.why = parser.refusal().why;
                    return seen;
            }
        }
    }
    return seen;
}

Seen read(std::string_view all, HttpLimits limits = {}) { return read(std::vector{all}, limits); }

const std::string pipelined =
    "\r\nPOST /mcp?x=1 HTTP/1.1\r\nHost: localhost:8808\r\nContent-Length: 5\r\n\r\nhello"
    "POST /mcp HTTP/1.1\r\nhost:\t[::1]\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const std::string as_seen = "POST /mcp localhost:8808 hello|POST /mcp [::1] abc0123456789|GET / a |";

TEST(HttpRequest, reads_one_request_after_another) { EXPECT_EQ(read(pipelined).text, as_seen); }

TEST(HttpRequest, a_tls_handshake_is_refused_at_its_first_byte) {
    const Seen seen = read(std::string_view("\x16", 1));
    EXPECT_EQ(seen.text, "!400");
    EXPECT_NE(seen.why.find("http://"), std::string::npos) << seen.why;
}

TEST(HttpRequest, every_split_point_gives_the_same_requests) {
    const std::string_view all = pipelined;
    for (std::size_t i = 0; i <= all.size(); ++i) EXPECT_EQ(read({all.substr(0, i), all.substr(i)}).text, as_seen) << i;
}

const std::string with_extensions =
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;name\r\nabc\r\n2 \t; a = \"q;uo\\\"ted\" ;b=c\r\nde\r\n1; \tc\t;d\r\nf\r\n0;last=\"\xff\t\"\r\n\r\n"
    "GET /b HTTP/1.1\r\nHost: a\r\n\r\n";

// RFC 9112, section 7.1.1
TEST(HttpRequest, chunk_extensions_are_ignored_wherever_the_input_is_cut) {
    const std::string_view all = with_extensions;
    for (std::size_t i = 0; i <= all.size(); ++i)
        EXPECT_EQ(read({all.substr(0, i), all.substr(i)}).text, "POST / a abcdef|GET /b a |") << i;
}

TEST(HttpRequest, a_chunk_over_the_limit_is_refused_at_its_size_wherever_the_input_is_cut) {
    HttpLimits limits;
    limits.max_body_bytes = 4;
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    EXPECT_EQ(read(head + "4\r\nabcd\r\n0\r\n\r\n", limits).text, "POST / a abcd|");
    for (const std::string body : {"5\r\n", "5\r\nabcde", "3\r\nabc\r\n2\r\n", "3\r\nabc\r\n2\r\nde"}) {
        const std::string all = head + body;
        for (std::size_t i = head.size(); i < all.size(); ++i)
            EXPECT_EQ(read({std::string_view(all).substr(0, i), std::string_view(all).substr(i)}, limits).text, "!413")
                << body << " cut at " << i;
    }
}

// Each of these lines has a chunk of one byte, and then a malformed extension.
TEST(HttpRequest, malformed_chunk_extensions_are_refused) {
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const std::string extension :
         {";",         "; ",         ";;x",         ";=y",           ";x=",         ";x =",
          ";x= ",      ";x ",        ";x y",        ";x=y ",         ";x=y z",      ";x=y=z",
          ";x=\xff",   ";\xff",      ";x=\"",       ";x=\"y",        ";x=\"y\\\"",  ";x=\"y\"z",
          ";x=\"y\" ", ";x=\"y\" z", ";x=\"\x01\"", ";x=\"\\\x01\"", ";x=\"\x7f\"", ";x=y\"z\"",
          ";(x)",      ";x=y;",      " x"}) {
        const Seen seen = read(head + "1" + extension + "\r\na\r\n0\r\n\r\n");
        EXPECT_EQ(seen.text, "!400") << extension;
    }
}

TEST(HttpRequest, the_error_for_a_malformed_chunk_extension_says_what_to_do) {
    const Seen seen = read("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;x=\"y\"ody\r\nbody\r\n");
    EXPECT_EQ(seen.text, "!400");
    EXPECT_NE(seen.why.find("a malformed chunk extension; send the body without it"), std::string::npos) << seen.why;
}

TEST(HttpRequest, the_total_length_of_chunk_extensions_is_limited) {
    const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    const auto body_with = [](std::size_t bytes) {
        std::string out;
        for (; bytes > 0; bytes -= 64) out += "1;" + std::string(63, 'x') + "\r\na\r\n";  // 63 bytes and the CR
        return out + "0\r\n\r\n";
    };
    EXPECT_EQ(read(head + body_with(16 * 1024)).text, "POST / a " + std::string(256, 'a') + "|");
    const Seen refused = read(head + body_with(16 * 1024 + 64));
    EXPECT_EQ(refused.text, "!400");
    EXPECT_NE(refused.why.find("chunk extensions"), std::string::npos) << refused.why;
}

// RFC 9112, section 3.2.2
TEST(HttpRequest, the_host_of_an_absolute_target_is_used_wherever_the_input_is_cut) {
    const std::string requests =
        "GET http://b.example:8080/mcp?x=1 HTTP/1.1\r\nHost: a\r\n\r\nGET HTTPS://[::1]:1/ HTTP/1.1\r\nHost: a\r\n\r\n"
        "GET http://b HTTP/1.1\r\nHost: b\r\n\r\nGET http://b?q HTTP/1.1\r\nHost: b\r\n\r\nGET /c HTTP/1.1\r\nHost: "
        "a\r\n\r\n";
    const std::string_view all = requests;
    for (std::size_t i = 0; i <= all.size(); ++i)
        EXPECT_EQ(read({all.substr(0, i), all.substr(i)}).text,
                  "GET /mcp b.example:8080 |GET / [::1]:1 |GET / b |GET / b |GET /c a |")
            << i;
}

TEST(HttpRequest, options_with_an_asterisk_target_is_accepted) {
    EXPECT_EQ(read("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n").text, "OPTIONS * a |");
}

TEST(HttpRequest, one_byte_at_a_time_gives_the_same_requests) {
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < pipelined.size(); ++i) bytes.push_back(std::string_view(pipelined).substr(i, 1));
    EXPECT_EQ(read(bytes).text, as_seen);
}

TEST(HttpRequest, any_bytes_split_anywhere_give_the_same_result) {
    EXPECT_TRUE(rc::check("mutated requests", [] {
        std::string all = pipelined;
        const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, char>>>(
            rc::gen::pair(rc::gen::inRange<std::size_t>(0, all.size()), rc::gen::arbitrary<char>()));
        for (const auto& [at, c] : changes) all[at] = c;
        const std::size_t cut = *rc::gen::inRange<std::size_t>(0, all.size() + 1);
        const std::string_view view = all;
        RC_ASSERT(read(view).text == read({view.substr(0, cut), view.substr(cut)}).text);
    }));
}

TEST(HttpRequest, ambiguous_or_malformed_requests_are_refused) {
    const struct {
        const char* what;
        std::string_view request;
        int status;
    } cases[] = {
        {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", 400},
        {"a list of hosts", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400},
        {"a user in the host", "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400},
        {"a folded line", "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400},
        {"a space before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
        {"no colon", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400},
        {"no name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400},
        {"a bare LF", "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400},
        {"a bare CR", "GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400},
        {"a control character", "GET / HTTP/1.1\r\nHost: a\r\nX: \x01\r\n\r\n", 400},
        {"a length that is not a number", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5x\r\n\r\n", 400},
        {"a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\n\r\n", 400},
        {"a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n", 400},
        {"an empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400},
        {"a length beyond 64 bits", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
        {"two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", 400},
        {"a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5, 5\r\n\r\n", 400},
        {"length and coding", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
         400},
        {"an unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
        {"codings before chunked", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
        {"chunked, not final", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 501},
        {"two codings",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"chunked in HTTP/1.0", "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"an invalid chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400},
        {"an empty chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\r\n", 400},
        {"a huge chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffff\r\n", 400},
        {"a chunk extension before the size",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n;x=y\r\na\r\n", 400},
        {"a chunk extension with a bare LF",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x\ny\r\na\r\n", 400},
        {"a chunk extension with a bare CR",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x\ry\r\na\r\n", 400},
        {"a chunk extension with a control character",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1;x=\x01\r\na\r\n", 400},
        {"a space after a chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 \r\na\r\n",
         400},
        {"a second chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1 1;x\r\na\r\n", 400},
        {"a chunk that is too long", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
         400},
        {"a trailer", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n", 400},
        {"no version", "GET /\r\nHost: a\r\n\r\n", 400},
        {"another version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
        {"a lower-case version", "GET / http/1.1\r\nHost: a\r\n\r\n", 505},
        {"two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"an absolute target without a host", "GET http:/// HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"an absolute target with a user", "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"an absolute target of another scheme", "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"an absolute target without a Host field", "GET http://a/ HTTP/1.1\r\n\r\n", 400},
        {"an authority as a target", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"an asterisk for a method other than OPTIONS", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"a method that is not a token", "G\"T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
        {"an unknown expectation", "POST / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417},
        {"a TLS hello", "\x16\x03\x01\x02\x01\r\n\r\n", 400},
    };
    for (const auto& c : cases) {
        const Seen seen = read(c.request);
        EXPECT_EQ(seen.text, "!" + std::to_string(c.status)) << c.what;
        EXPECT_FALSE(seen.why.empty()) << c.what;
    }
}

TEST(HttpRequest, control_characters_in_a_header_value_are_refused_at_every_position) {
    for (int byte = 0; byte < 256; ++byte) {
        const bool allowed = byte == '\t' || (byte >= 0x20 && byte != 0x7f);
        for (std::size_t at = 0; at < 20; ++at) {
            std::string value(20, 'v');
            value[at] = static_cast<char>(byte);
            const Seen seen = read("GET / HTTP/1.1\r\nHost: a\r\nX:" + value + "\r\n\r\n");
            EXPECT_EQ(seen.why, allowed ? "" : "the request has a control character in a header") << byte << " " << at;
        }
    }
}

TEST(HttpRequest, limits_are_exact) {
    HttpLimits limits;
    limits.max_body_bytes = 4;
    EXPECT_EQ(read("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd", limits).text, "POST / a abcd|");
    EXPECT_EQ(read("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", limits).text, "!413");
    EXPECT_EQ(
        read("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n", limits).text,
        "!413");

    const std::string head = "GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(100, 'x');
    limits.max_head_bytes = head.size();
    EXPECT_EQ(read(head + "\r\n\r\n", limits).text, "GET / a |");
    limits.max_head_bytes = head.size() - 1;
    EXPECT_EQ(read(head + "\r\n\r\n", limits).text, "!431");
    EXPECT_EQ(read(std::string(10'000'000, 'x')).text, "!431");

    limits = {};
    limits.max_fields = 1;
    EXPECT_EQ(read("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n\r\n", limits).text, "!400");
    limits.max_target_bytes = 3;
    EXPECT_EQ(read("GET /abc HTTP/1.1\r\nHost: a\r\n\r\n", limits).text, "!414");
}

TEST(HttpRequest, detects_keep_alive) {
    const auto keeps = [](std::string_view request) {
        HttpRequestParser parser;
        EXPECT_EQ(parser.next(request), HttpRequestParser::Event::head);
        return parser.request().keep_alive;
    };
    EXPECT_TRUE(keeps("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\n"));
    EXPECT_FALSE(keeps("GET / HTTP/1.0\r\nHost: a\r\n\r\n"));
    EXPECT_TRUE(keeps("GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"));
}

}  // namespace
}  // namespace tenon::framing
