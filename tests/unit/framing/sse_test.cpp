#include "framing/sse.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
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

TEST(Sse, written_events_are_read_back) {
    std::string out;
    append_sse(out, {.data = "{}", .id = "1", .retry_ms = 500});
    append_sse_comment(out);
    append_sse(out, {.data = "x", .event = "endpoint"});
    EXPECT_EQ(out, "id: 1\nretry: 500\ndata: {}\n\n:\n\nevent: endpoint\ndata: x\n\n");
    EXPECT_EQ(read({out}), (std::vector<std::string>{"message/1/{}", "endpoint/1/x"}));
}

TEST(Sse, every_split_point_and_line_ending_gives_the_same_events) {
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

TEST(Sse, an_unfinished_event_is_not_delivered) { EXPECT_TRUE(read({"data: a\n"}).empty()); }

TEST(Sse, an_id_takes_effect_when_its_event_is_complete) {
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

TEST(Sse, invalid_retry_values_are_ignored) {
    SseReader reader(100);
    const auto ignore = [](const auto&) {};
    reader.feed("retry: -1\nretry: 5x\nretry: 99999999999999999999\n\n", ignore);
    EXPECT_FALSE(reader.retry_ms());
    reader.feed("retry: 500\n", ignore);
    EXPECT_FALSE(reader.retry_ms()) << "the event is not complete yet";
    reader.feed("\n", ignore);
    EXPECT_EQ(reader.retry_ms(), 500);
}

TEST(Sse, an_event_over_the_limit_is_reported) {
    SseReader reader(10);
    EXPECT_TRUE(reader.feed("data: 123\n\n", [](const auto&) {}));
    EXPECT_FALSE(reader.feed("data: 1234567890\n\n", [](const auto&) {}));
}

// Describes the outcome of a stream: each event, whether the reader still reads, and the id and retry time that it
// would resume with.
std::string outcome(std::string_view bytes, const std::vector<std::size_t>& cuts, SseReader::Limits limits) {
    SseReader reader(limits);
    std::string seen;
    bool fits = true;
    const auto use = [&](const SseReader::Event& e) { seen += e.type + "/" + e.last_event_id + "/" + e.data + "|"; };
    std::size_t from = 0;
    for (const std::size_t cut : cuts) {
        fits = reader.feed(bytes.substr(from, cut - from), use);
        from = cut;
    }
    fits = reader.feed(bytes.substr(from), use);
    return seen + (fits ? "reads " : "too long ") + reader.last_event_id() + " " +
           std::to_string(reader.retry_ms().value_or(-1));
}

std::vector<std::size_t> every_byte(std::string_view bytes) {
    std::vector<std::size_t> cuts;
    for (std::size_t i = 1; i < bytes.size(); ++i) cuts.push_back(i);
    return cuts;
}

void expect_whatever_the_split(const std::string& bytes, SseReader::Limits limits, const std::string& expected) {
    EXPECT_EQ(outcome(bytes, {}, limits), expected) << "in one piece";
    EXPECT_EQ(outcome(bytes, every_byte(bytes), limits), expected) << "byte by byte";
    for (std::size_t i = 1; i < bytes.size(); ++i) EXPECT_EQ(outcome(bytes, {i}, limits), expected) << "cut at " << i;
}

TEST(Sse, an_event_over_the_limit_is_never_delivered_however_it_is_split) {
    for (const std::string newline : {"\n", "\r", "\r\n"}) {
        std::string all;
        for (const char* line : {"id: 1", "data: good", "", "id: 2", "retry: 7", "data: begins", "data: 0123456789", "",
                                 "id: 3", "data: after", ""})
            all += line + newline;
        expect_whatever_the_split(all, {20}, "message/1/good|too long 1 -1");
    }
}

TEST(Sse, an_overlong_line_discards_the_event_it_belongs_to) {
    expect_whatever_the_split("data: half\n: a comment that is far too long\n\n", {16}, "too long  -1");
}

TEST(Sse, an_unfinished_event_changes_neither_id_nor_retry) {
    expect_whatever_the_split("id: 1\nretry: 5\ndata: a\n\nid: 2\nretry: 6\ndata: b\n", {100}, "message/1/a|reads 1 5");
}

TEST(Sse, an_id_over_its_limit_is_dropped) {
    expect_whatever_the_split("id: 12345\ndata: a\n\nid: 123456\ndata: b\n\n", {100, 5},
                              "message/12345/a|message//b|reads  -1");
}

TEST(Sse, any_split_of_any_stream_gives_the_same_events) {
    EXPECT_TRUE(rc::check("splits do not matter", [] {
        const auto line = rc::gen::element<std::string>("data: 0123", "data", "id: 1", "id: 123456789", "retry: 4",
                                                        "event: e", ": comment", "data: 0123456789abcdef", "", "");
        const auto lines = *rc::gen::container<std::vector<std::string>>(line);
        std::string all;
        for (const std::string& one : lines) all += one + *rc::gen::element<std::string>("\n", "\r", "\r\n");
        if (all.empty()) return;
        const SseReader::Limits limits{*rc::gen::inRange<std::size_t>(8, 40), 8};
        std::set<std::size_t> cuts;
        for (const auto at :
             *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, all.size())))
            cuts.insert(at);
        const std::string whole = outcome(all, {}, limits);
        RC_ASSERT(outcome(all, {cuts.begin(), cuts.end()}, limits) == whole);
        RC_ASSERT(outcome(all, every_byte(all), limits) == whole);
    }));
}

}  // namespace
}  // namespace tenon::framing
