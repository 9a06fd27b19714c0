// rules: INT-5, INT-6
#include "framing/line_framer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace tenon::framing {
namespace {

using Events = std::vector<std::string>;

struct Recorder {
    Events events;
    void line(std::string_view text) { events.push_back("line:" + std::string(text)); }
    void too_long(std::size_t limit) { events.push_back("too long:" + std::to_string(limit)); }
};

std::string ending(LineFramer::End end) { return end == LineFramer::End::cut ? "cut" : "clean"; }

// Reads the chunks with next().
Events frame_by_pulling(const std::vector<std::string>& chunks, std::size_t max_line) {
    LineFramer framer(max_line);
    Events events;
    for (const auto& chunk : chunks) {
        std::string_view rest = chunk;
        while (const auto line = framer.next(rest))
            events.push_back(line->too_long ? "too long:" + std::to_string(max_line)
                                            : "line:" + std::string(line->text));
        EXPECT_TRUE(rest.empty());
        EXPECT_LE(framer.buffered(), max_line + 1);
    }
    events.push_back(ending(framer.end()));
    return events;
}

// Reads the chunks with feed().
Events frame(const std::vector<std::string>& chunks, std::size_t max_line) {
    LineFramer framer(max_line);
    Recorder recorder;
    for (const auto& chunk : chunks) {
        framer.feed(chunk, recorder);
        EXPECT_LE(framer.buffered(), max_line + 1);  // one more byte for the "\r" of the line end
    }
    recorder.events.push_back(ending(framer.end()));
    EXPECT_EQ(frame_by_pulling(chunks, max_line), recorder.events);
    return recorder.events;
}

bool only_blanks(const std::string& s) { return s.find_first_not_of(" \t\r") == std::string::npos; }

// A simple reference implementation that reads all of the input at once.
Events reference(std::string input, std::size_t max_line) {
    Events events;
    for (std::size_t newline; (newline = input.find('\n')) != std::string::npos; input.erase(0, newline + 1)) {
        std::string line = input.substr(0, newline);
        if (line.ends_with('\r')) line.pop_back();
        if (line.size() > max_line) {
            events.push_back("too long:" + std::to_string(max_line));
        } else if (!only_blanks(line)) {
            events.push_back("line:" + line);
        }
    }
    const std::size_t rest = input.size() - (input.ends_with('\r') ? 1 : 0);
    if (rest > max_line) events.push_back("too long:" + std::to_string(max_line));
    events.push_back(rest > max_line || !only_blanks(input) ? "cut" : "clean");
    return events;
}

const std::string sample =
    "{\"a\":1}\n\r\n \t\r\n12345678\r\n123456789\n\n1234567890123456789\r\nx\ry\n12345678\n{\"cut";
constexpr std::size_t sample_limit = 8;

TEST(LineFramer, reads_lines) {
    EXPECT_EQ(frame({sample}, sample_limit), (Events{"line:{\"a\":1}", "line:12345678", "too long:8", "too long:8",
                                                     "line:x\ry", "line:12345678", "cut"}));
}

TEST(LineFramer, every_split_point_gives_the_same_lines) {
    const Events expected = reference(sample, sample_limit);
    for (std::size_t i = 0; i <= sample.size(); ++i)
        for (std::size_t k = i; k <= sample.size(); ++k)
            ASSERT_EQ(frame({sample.substr(0, i), sample.substr(i, k - i), sample.substr(k)}, sample_limit), expected)
                << i << ' ' << k;
}

TEST(LineFramer, one_byte_at_a_time_gives_the_same_lines) {
    std::vector<std::string> bytes;
    for (const char c : sample) bytes.emplace_back(1, c);
    EXPECT_EQ(frame(bytes, sample_limit), reference(sample, sample_limit));
}

TEST(LineFramer, any_chunking_of_any_input_gives_the_same_lines) {
    EXPECT_TRUE(rc::check("chunking", [] {
        const auto chunks = *rc::gen::container<std::vector<std::string>>(
            rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab\n\n\r \t"))));
        const auto limit = *rc::gen::inRange<std::size_t>(0, 12);
        std::string input;
        for (const auto& chunk : chunks) input += chunk;
        RC_ASSERT(frame(chunks, limit) == reference(input, limit));
    }));
}

TEST(LineFramer, the_limit_is_exact) {
    for (const std::string line_end : {"\n", "\r\n"}) {
        for (const bool split : {false, true}) {
            const std::string most(100, 'x');
            const auto chunks = [&](const std::string& line) {
                return split ? std::vector<std::string>{line, line_end} : std::vector<std::string>{line + line_end};
            };
            EXPECT_EQ(frame(chunks(most), 100), (Events{"line:" + most, "clean"}));
            EXPECT_EQ(frame(chunks(most + "x"), 100), (Events{"too long:100", "clean"}));
        }
    }
}

TEST(LineFramer, a_line_over_the_limit_is_reported_once_and_the_next_line_is_read) {
    LineFramer framer(1000);
    Recorder recorder;
    framer.feed(std::string(1001, 'x'), recorder);
    EXPECT_EQ(recorder.events, (Events{"too long:1000"}));
    for (int i = 0; i < 1000; ++i) {
        framer.feed(std::string(10'000, 'x'), recorder);
        ASSERT_EQ(framer.buffered(), 0U);
    }
    framer.feed("\n{}\n", recorder);
    EXPECT_EQ(recorder.events, (Events{"too long:1000", "line:{}"}));
    EXPECT_EQ(framer.end(), LineFramer::End::clean);
}

TEST(LineFramer, an_unfinished_last_line_is_reported_and_not_delivered) {
    EXPECT_EQ(frame({"{}\n{\"a\":1}"}, 100), (Events{"line:{}", "cut"}));
    EXPECT_EQ(frame({"{}\n \r"}, 100), (Events{"line:{}", "clean"}));
    EXPECT_EQ(frame({std::string(101, 'x')}, 100), (Events{"too long:100", "cut"}));
    EXPECT_EQ(frame({}, 100), (Events{"clean"}));
}

TEST(LineFramer, a_line_within_one_chunk_is_not_copied) {
    struct {
        const char* seen = nullptr;
        void line(std::string_view text) { seen = text.data(); }
        void too_long(std::size_t) {}
    } sink;
    const std::string chunk = "first\nsecond\n";
    LineFramer framer(100);
    framer.feed(chunk, sink);
    EXPECT_EQ(sink.seen, chunk.data() + 6);
    EXPECT_EQ(framer.buffered(), 0U);
}

void read_in_pieces(const std::string& message, std::size_t piece) {
    LineFramer framer(message.size());
    Recorder recorder;
    for (std::size_t i = 0; i < message.size(); i += piece)
        framer.feed(std::string_view(message).substr(i, piece), recorder);
    framer.feed("\n", recorder);
    EXPECT_EQ(recorder.events, (Events{"line:" + message}));
}

// Quadratic time would take hours, and the time limit of ctest would end the test.
TEST(LineFramer, ten_megabytes_in_small_pieces_take_linear_time) {
    const std::string message(10'000'000, 'x');
    read_in_pieces(message, 1);
    read_in_pieces(message, 4096);
}

}  // namespace
}  // namespace tenon::framing
