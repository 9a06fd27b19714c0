// Events for streams that may fall behind.
#include "inspect/event_ring.hpp"

#include <gtest/gtest.h>

namespace tenon::inspect {
namespace {

constexpr std::size_t any = 1 << 20;

TEST(EventRing, sends_events_in_order_with_their_numbers) {
    EventRing ring;
    EXPECT_EQ(ring.add("state", "{}"), 1u);
    EXPECT_EQ(ring.add("log", "[1]"), 2u);
    std::uint64_t cursor = 0;
    EXPECT_EQ(ring.after(cursor, any), "id: 1\nevent: state\ndata: {}\n\nid: 2\nevent: log\ndata: [1]\n\n");
    EXPECT_EQ(cursor, 2u);
    EXPECT_EQ(ring.after(cursor, any), "");
}

TEST(EventRing, says_which_events_are_lost) {
    EventRing ring({.max_events = 2});
    for (int i = 0; i < 5; ++i) ring.add("log", "{}");
    std::uint64_t cursor = 1;
    const std::string text = ring.after(cursor, any);
    EXPECT_TRUE(text.starts_with("event: lost\ndata: {\"from\":2,\"to\":3}\n\nid: 4\n")) << text;
    EXPECT_EQ(cursor, 5u);
}

TEST(EventRing, forgets_by_size_and_keeps_the_newest) {
    EventRing ring({.max_events = 100, .max_bytes = 100});
    ring.add("log", std::string(60, 'a'));
    ring.add("log", std::string(60, 'b'));
    std::uint64_t cursor = 0;
    EXPECT_TRUE(ring.after(cursor, any).starts_with("event: lost\ndata: {\"from\":1,\"to\":1}"));
    ring.add("log", std::string(1000, 'c'));
    cursor = 2;
    EXPECT_NE(ring.after(cursor, any).find("ccc"), std::string::npos);
}

TEST(EventRing, sends_at_least_one_event_and_not_many_more_bytes_than_wanted) {
    EventRing ring;
    for (int i = 0; i < 3; ++i) ring.add("log", std::string(100, 'x'));
    std::uint64_t cursor = 0;
    ring.after(cursor, 10);
    EXPECT_EQ(cursor, 1u);
    ring.after(cursor, 300);
    EXPECT_EQ(cursor, 3u);
}

TEST(EventRing, a_number_of_an_earlier_run_starts_at_the_end) {
    EventRing ring;
    ring.add("log", "{}");
    std::uint64_t cursor = 99;
    EXPECT_EQ(ring.after(cursor, any), "");
    EXPECT_EQ(cursor, 1u);
}

}  // namespace
}  // namespace tenon::inspect
