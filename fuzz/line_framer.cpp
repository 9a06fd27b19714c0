// However the input is cut into chunks, the framer reports the same lines, and keeps no more than its limit.
#include "framing/line_framer.hpp"

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

using tenon::framing::LineFramer;

constexpr std::size_t limit = 16;

struct Recorder {
    std::vector<std::string> events;
    void line(std::string_view text) { events.emplace_back(text); }
    void too_long(std::size_t) { events.emplace_back("\n"); }  // no line can be this
};

Recorder frame(std::string_view input, std::size_t chunk) {
    LineFramer framer(limit);
    Recorder recorder;
    for (std::size_t i = 0; i < input.size(); i += chunk) {
        framer.feed(input.substr(i, chunk), recorder);
        if (framer.buffered() > limit + 1) std::abort();
    }
    recorder.events.emplace_back(framer.end() == LineFramer::End::cut ? "cut" : "clean");
    return recorder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string input(data, data + size);
    const auto expected = frame(input, size + 1).events;
    for (const std::size_t chunk : {1U, 2U, 3U, 7U})
        if (frame(input, chunk).events != expected) std::abort();
    return 0;
}
