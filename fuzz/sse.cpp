// Invariant: however a stream is cut, it has the same events, each within the limit; a written event reads the same.
// Input: two bytes that choose the pieces, then the stream.
#include "framing/sse.hpp"

#include "support.hpp"

namespace tenon::fuzz::sse_target {
namespace {

using framing::SseReader;

constexpr std::size_t limit = 64;

std::string read(const Pieces& pieces) {
    SseReader reader(limit);
    std::string out;
    const auto use = [&](const SseReader::Event& event) {
        must(event.data.size() <= limit, "an event is within the limit");
        must(!event.type.empty(), "an event has a type");
        out += "[" + event.type + "|" + event.last_event_id + "|" + event.data + "]";
    };
    for (const auto piece : pieces)
        if (!reader.feed(piece, use)) return out + " too long";
    return out + std::to_string(reader.retry_ms().value_or(-1)) + reader.last_event_id();
}

void check_writing(std::string_view text) {
    const std::string data(text.substr(0, text.find_first_of("\r\n")).substr(0, limit / 2));
    std::string stream;
    framing::append_sse(stream, {.data = data, .id = "7"});
    SseReader reader(limit);
    std::size_t events = 0;
    reader.feed(stream, [&](const SseReader::Event& event) {
        must(event.data == data && event.last_event_id == "7", "a written event reads the same");
        ++events;
    });
    must(events == 1, "one event is written");
}

void run(std::string_view input) {
    Feed feed(input);
    const auto pattern = feed.take(2);
    same_however_cut(feed.rest(), pattern, read);
    check_writing(feed.rest());
}

const Target target{"sse", run};

}  // namespace
}  // namespace tenon::fuzz::sse_target
