// Invariant: however the input is cut, the framer reports the same lines, and keeps no more than its limit.
// Input: two bytes that choose the pieces, then the lines.
#include "framing/line_framer.hpp"

#include "support.hpp"

namespace tenon::fuzz::line_framer_target {
namespace {

using framing::LineFramer;

constexpr std::size_t limit = 16;

struct Recorder {
    std::string events = {};
    void line(std::string_view text) { events.append(text).append("\n"); }
    void too_long(std::size_t) { events += "\n\n"; }  // not a possible line
};

void pull(LineFramer& framer, std::string_view piece, Recorder& recorder) {
    while (const auto line = framer.next(piece)) line->too_long ? recorder.too_long(limit) : recorder.line(line->text);
}

std::string finished(LineFramer& framer, const Recorder& recorder) {
    return recorder.events + (framer.end() == LineFramer::End::cut ? "cut" : "clean");
}

// Feeds and pulls in one pass: a piece cannot be read again after the next one.
std::string read(const Pieces& pieces) {
    LineFramer fed(limit), pulled(limit);
    Recorder of_feed, of_next;
    for (const auto piece : pieces) {
        fed.feed(piece, of_feed);
        must(fed.buffered() <= limit + 1, "the framer keeps no more than its limit");
        pull(pulled, piece, of_next);
    }
    const std::string lines = finished(fed, of_feed);
    must(finished(pulled, of_next) == lines, "next() returns the lines that feed() passes on");
    return lines;
}

void run(std::string_view input) {
    Feed feed(input);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, read);
}

const Target target{"line_framer", run};

}  // namespace
}  // namespace tenon::fuzz::line_framer_target
