#include "framing/sse.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace tenon::framing {
namespace {

std::vector<std::string> read(const std::vector<std::string_view>& pieces) {
    SseReader reader(1000);
    std::vector<std::string> seen;
    for (const auto piece : pieces)
        reader.feed(piece,
                    [&](const SseReader::Event& e) { seen.push_back(e.type + "/" + e.last_event_id + "/" + e.data); });
    return seen;
}

TEST(Sse, writes_what_it_reads) {
    std::string out;
    append_sse(out, {.data = "{}", .id = "1", .retry_ms = 500});
    append_sse_comment(out);
    append_sse(out, {.data = "x", .event = "endpoint"});
    EXPECT_EQ(out, "id: 1\nretry: 500\ndata: {}\n\n:\n\nevent: endpoint\ndata: x\n\n");
    EXPECT_EQ(read({out}), (std::vector<std::string>{"message/1/{}", "endpoint/1/x"}));
}

TEST(Sse, every_split_point_and_every_line_ending_gives_the_same) {
    for (const std::string newline : {"\n", "\r", "\r\n"}) {
        std::string all = "\xEF\xBB\xBF";
        for (const char* line : {"data: a", "data:b", ": comment", "id: 7", "unknown: x", "data", "", "event: e", "",
                                 "retry: 10", "data: c", ""})
            all += line + newline;
        const std::vector<std::string> expected{"message/7/a\nb\n", "message/7/c"};
        const std::string_view view = all;
        for (std::size_t i = 0; i <= view.size(); ++i)
            EXPECT_EQ(read({view.substr(0, i), view.substr(i)}), expected) << i;
    }
}

TEST(Sse, an_event_that_is_cut_is_not_delivered) { EXPECT_TRUE(read({"data: a\n"}).empty()); }

TEST(Sse, an_id_counts_when_its_event_is_complete) {
    SseReader reader(100);
    const auto ignore = [](const auto&) {};
    reader.feed("id: 1\ndata: a\n\nid: 2\ndata: b\n", ignore);
    EXPECT_EQ(reader.last_event_id(), "1");
    reader.feed("\nid: 3\n\n", ignore);
    EXPECT_EQ(reader.last_event_id(), "3");
    reader.feed(std::string_view("id: a\0b\ndata: c\n\n", 17), ignore);
    EXPECT_EQ(reader.last_event_id(), "3");
    reader.feed("id\n\n", ignore);
    EXPECT_EQ(reader.last_event_id(), "");
}

TEST(Sse, retry_is_a_number_of_milliseconds_and_nothing_else) {
    SseReader reader(100);
    const auto ignore = [](const auto&) {};
    reader.feed("retry: -1\nretry: 5x\nretry: 99999999999999999999\n\n", ignore);
    EXPECT_FALSE(reader.retry_ms());
    reader.feed("retry: 500\n", ignore);
    EXPECT_EQ(reader.retry_ms(), 500);
}

TEST(Sse, an_event_over_the_limit_is_reported) {
    SseReader reader(10);
    EXPECT_TRUE(reader.feed("data: 123\n\n", [](const auto&) {}));
    EXPECT_FALSE(reader.feed("data: 1234567890\n\n", [](const auto&) {}));
}

}  // namespace
}  // namespace tenon::framing
