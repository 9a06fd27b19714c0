// Invariant: however the bytes are cut, the same response or the same error comes out; nothing comes after an error.
// Input: one byte that chooses the kind of request, two that choose the pieces, then the bytes of the server.
#include "framing/http_response.hpp"

#include "support.hpp"

namespace tenon::fuzz::http_response_target {
namespace {

using framing::HttpResponseParser;
using Event = HttpResponseParser::Event;
using To = HttpResponseParser::To;

constexpr framing::HttpResponseLimits tight{.max_head_bytes = 400, .max_fields = 8, .max_interim = 2};

std::string written(const framing::HttpResponse& r) {
    must(r.status >= 200 && r.status <= 999, "a status is final and has three digits");
    must(!(r.chunked && r.content_length), "a body has one length");
    must(r.fields.all().size() <= tight.max_fields, "fields are within their limit");
    std::string out = "HEAD " + std::to_string(r.status);
    for (const auto& [name, value] : r.fields.all()) {
        must(framing::is_token(name), "a name is a token");
        out.append(name).append(":").append(value).append("|");
    }
    for (const bool flag : {r.keep_alive, r.chunked, r.until_close}) out += flag ? '1' : '0';
    return out + std::to_string(r.content_length.value_or(7777)) + "\n";
}

// Returns false when the response is complete or malformed.
bool take(HttpResponseParser& parser, Event event, std::string& out) {
    if (event == Event::head) out += written(parser.response());
    if (event == Event::piece) out += parser.piece();
    if (event == Event::end) out += "\nEND";
    if (event == Event::error) out += "\nERROR " + parser.why();
    return event != Event::end && event != Event::error;
}

std::string read(To to, const Pieces& pieces) {
    HttpResponseParser parser(tight);
    parser.expect(to);
    std::string out;
    for (const auto piece : pieces) {
        std::string_view input = piece;
        for (Event event; (event = parser.next(input)) != Event::more;)
            if (!take(parser, event, out)) {
                must(event == Event::end || parser.next(input) == Event::error, "nothing comes after an error");
                return out;
            }
        must(input.empty(), "all input was taken");
    }
    must(!take(parser, parser.end_of_input(), out), "the end of input ends the response");
    return out;
}

void run(std::string_view input) {
    Feed feed(input);
    const auto to = static_cast<To>(feed.byte() % 3);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, [&](const Pieces& pieces) { return read(to, pieces); });
}

const Target target{"http_response", run};

}  // namespace
}  // namespace tenon::fuzz::http_response_target
