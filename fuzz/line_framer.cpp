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

std::string pull(const Pieces& pieces) {
    LineFramer framer(limit);
    Recorder recorder;
    for (std::string_view piece : pieces)
        while (const auto line = framer.next(piece))
            line->too_long ? recorder.too_long(limit) : recorder.line(line->text);
    return recorder.events + (framer.end() == LineFramer::End::cut ? "cut" : "clean");
}

std::string read(const Pieces& pieces) {
    LineFramer framer(limit);
    Recorder recorder;
    for (const auto piece : pieces) {
        framer.feed(piece, recorder);
        must(framer.buffered() <= limit + 1, "the framer keeps no more than its limit");
    }
    recorder.events += framer.end() == LineFramer::End::cut ? "cut" : "clean";
    must(pull(pieces) == recorder.events, "next() returns the lines that feed() passes on");
    return recorder.events;
}

void run(std::string_view input) {
    Feed feed(input);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, read);
}

const Target target{"line_framer", run};

}  // namespace
}  // namespace tenon::fuzz::line_framer_target
