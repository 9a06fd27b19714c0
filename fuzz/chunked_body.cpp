// Invariant: however a body is cut, it has the same bytes and ends at the same place; a body of known length is exact.
// Input: one byte for the length (255: chunked), two that choose the pieces, then the body and further bytes.
#include "framing/http_body.hpp"
#include "support.hpp"

namespace tenon::fuzz::chunked_body_target {
namespace {

using framing::HttpBody;
using Event = HttpBody::Event;

constexpr std::uint8_t in_chunks = 255;

struct Outcome {
    std::string body;
    std::string end = "more";
    std::size_t taken = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome read(std::uint8_t length, const Pieces& pieces) {
    HttpBody body = length == in_chunks ? HttpBody::chunked() : HttpBody::of_length(length);
    Outcome out;
    for (const auto piece : pieces) {
        std::string_view input = piece;
        for (Event event; (event = body.next(input)) != Event::more;) {
            if (event == Event::piece) {
                must(!body.piece().empty(), "a piece has bytes");
                out.body += body.piece();
                continue;
            }
            out.end = event == Event::end ? "end" : "error: " + body.why();
            out.taken += event == Event::end ? piece.size() - input.size() : 0;
            return out;
        }
        must(input.empty(), "all input was taken");
        out.taken += piece.size();
    }
    return out;
}

void run(std::string_view input) {
    Feed feed(input);
    const std::uint8_t length = feed.byte();
    const auto pattern = feed.take(2), text = feed.rest();
    if (length != in_chunks) {
        const Outcome out = read(length, whole(text));
        must(out.body == text.substr(0, length), "a body of known length has the bytes of the input");
        must((out.end == "end") == (text.size() >= length), "it ends when it is complete");
    }
    same_however_cut(text, pattern, [&](const Pieces& pieces) {
        Outcome out = read(length, pieces);
        if (out.end != "end") out.taken = 0;
        return out;
    });
}

const Target target{"chunked_body", run};

}  // namespace
}  // namespace tenon::fuzz::chunked_body_target
