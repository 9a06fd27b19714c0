// Invariant: however the bytes are cut, the same requests and the same refusal come out; nothing comes after a refusal.
// Input: two bytes that choose the pieces, then the bytes of the client.
#include "framing/http_request.hpp"

#include "support.hpp"

namespace tenon::fuzz::http_request_target {
namespace {

using framing::HttpRequest;
using framing::HttpRequestParser;
using Event = HttpRequestParser::Event;

constexpr framing::HttpLimits tight{
    .max_head_bytes = 400, .max_fields = 8, .max_target_bytes = 60, .max_body_bytes = 200};

void check_head(const HttpRequest& request) {
    must(!request.method.empty() && framing::is_token(request.method), "a method is a token");
    must(!request.host.empty(), "a request has a host");
    must(!(request.chunked && request.content_length), "a body has one length");
    must(request.target.size() <= tight.max_target_bytes, "a target is within its limit");
    must(request.fields.all().size() <= tight.max_fields, "fields are within their limit");
    must(request.content_length.value_or(0) <= tight.max_body_bytes, "a body is within its limit");
    for (const auto& [name, value] : request.fields.all()) {
        must(framing::is_token(name), "a name is a token");
        must(value.find_first_of(std::string_view("\r\n\0", 3)) == value.npos, "a value is on one line");
    }
}

std::string written(const HttpRequest& r) {
    std::string out = "HEAD ";
    for (const auto part : {r.method, r.target, r.path, r.query, r.host}) out.append(part).append("|");
    for (const auto& [name, value] : r.fields.all()) out.append(name).append(":").append(value).append("|");
    for (const bool flag : {r.http_1_0, r.keep_alive, r.expects_continue, r.chunked}) out += flag ? '1' : '0';
    return out + std::to_string(r.content_length.value_or(7777)) + "\n";
}

std::string read(const Pieces& pieces) {
    HttpRequestParser parser(tight);
    std::string out;
    std::size_t body = 0;
    for (const auto piece : pieces) {
        std::string_view input = piece;
        for (Event event; (event = parser.next(input)) != Event::more;) {
            if (event == Event::head) check_head(parser.request()), out += written(parser.request()), body = 0;
            if (event == Event::piece) out += parser.piece(), body += parser.piece().size();
            if (event == Event::end) out += "\nEND\n";
            must(body <= tight.max_body_bytes, "a body is within its limit");
            if (event != Event::refused) continue;
            must(parser.refusal().status >= 400 && !parser.refusal().why.empty(),
                 "a refusal has a status and a reason");
            must(parser.next(input) == Event::refused, "nothing comes after a refusal");
            return out + "\nREFUSED " + std::to_string(parser.refusal().status) + parser.refusal().why;
        }
        must(input.empty(), "all input was taken");
    }
    return out + (parser.busy() ? "busy" : "idle");
}

void run(std::string_view input) {
    Feed feed(input);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, read);
}

const Target target{"http_request", run};

}  // namespace
}  // namespace tenon::fuzz::http_request_target
