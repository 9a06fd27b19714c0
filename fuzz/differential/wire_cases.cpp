// Requests of HTTP, and signed texts.
#include "base/base64.hpp"
#include "differential/subjects.hpp"
#include "framing/http_request.hpp"
#include "harness/cases.hpp"
#include "jose/jws.hpp"

namespace tenon::differential {
namespace {

using fuzz::Cases;

using framing::HttpRequestParser;
using Event = HttpRequestParser::Event;

// Writes one line for each request: "+" (complete) or "~", method, target, number of fields, and the body in base64. If
// the rest is refused, the last line is "-" and the reason.
class Summary {
 public:
    void head(const framing::HttpRequest& request) {
        head_ = std::string(request.method) + " " + std::string(request.target) + " " +
                std::to_string(request.fields.all().size()) + " ";
    }
    void piece(std::string_view bytes) { body_ += bytes; }
    void end(char how) {
        if (!head_.empty()) text_ += how + head_ + base::base64_encode(body_) + "\n";
        head_.clear(), body_.clear();
    }
    std::string take() { return end('~'), text_; }

 private:
    std::string text_, head_, body_;
};

std::string requests_in(std::string_view input) {
    HttpRequestParser parser;
    Summary summary;
    for (Event event; (event = parser.next(input)) != Event::more;) {
        if (event == Event::refused) return summary.take() + "-" + parser.refusal().why;
        if (event == Event::head) summary.head(parser.request());
        if (event == Event::piece) summary.piece(parser.piece());
        if (event == Event::end) summary.end('+');
    }
    return summary.take();
}

}  // namespace

void http_cases(std::uint64_t seed, std::size_t count) {
    Cases cases(
        seed,
        {"GET /mcp?a=b HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\n\r\n",
         "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
         "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;x=\"y\"\r\nbody\r\n0\r\nT: v\r\n\r\n",
         "GET / HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"\r\n",
         "\n",
         "\r",
         " ",
         "\t",
         ":",
         "0",
         "4",
         "a",
         "GET ",
         "POST ",
         "/",
         " HTTP/1.1\r\n",
         " HTTP/1.0\r\n",
         "Host: b\r\n",
         "Content-Length: 4\r\n",
         "Content-Length: +4\r\n",
         "Content-Length: 4, 4\r\n",
         "Transfer-Encoding: chunked\r\n",
         "Transfer-Encoding: gzip, chunked\r\n",
         "Transfer-Encoding:\tchunked\r\n",
         "Connection: close\r\n",
         "X: y\r\n z\r\n",
         "X : y\r\n",
         "0\r\n\r\n",
         ";",
         "\x0b",
         "4\r\nbody\r\n"});
    for (; count > 0; --count) {
        const std::string request = cases.next();
        write_case({request, requests_in(request)});
    }
}

// The first case is the public key. The key is new each time; the changes depend on the seed only.
void jws_cases(std::uint64_t seed, std::size_t count) {
    const auto key = jose::PrivateKey::generate(jose::Algorithm::es256);
    write_case({json::write(key.public_key().jwk()), ""});
    std::vector<std::string> good;
    for (const auto* payload : {"{}", R"({"sub":"ada","aud":["a"]})", "text", ""})
        for (const auto& header : {json::object{}, json::object{{"typ", "JWT"}, {"kid", "k"}},
                                   json::object{{"crit", json::array{"x"}}, {"x", 1}}, json::object{{"b64", true}}})
            good.push_back(jose::sign(key, header, payload));
    Cases cases(seed, good,
                {".", "=", "A", "e30", "eyJhbGciOiJub25lIn0", "eyJhbGciOiJFUzI1NiJ9", "-", "_", "+", "/", " "});
    for (; count > 1; --count) {
        const std::string token = cases.next();
        const auto parsed = jose::UnverifiedJws::parse(token);
        const auto payload = parsed ? jose::verify(key.public_key(), *parsed) : Result<std::string>(parsed.error());
        write_case({token, payload ? "+" + *payload : "-" + payload.error().message});
    }
}

}  // namespace tenon::differential
