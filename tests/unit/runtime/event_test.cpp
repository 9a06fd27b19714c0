#include "io/event.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "io/descriptors.hpp"

namespace tenon::io {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

TEST(Event, stays_set_until_a_wait_consumes_it) {
    Event event;
    event.set();
    event.set();
    EXPECT_TRUE(event.wait_until(Clock::now()));
    EXPECT_FALSE(event.wait_until(Clock::now()));
}

TEST(Event, checks_the_condition_again_after_each_set) {
    Event event;
    std::atomic<int> count = 0;
    std::thread other([&] {
        for (int i = 0; i < 1000; ++i) ++count, event.set();
    });
    event.wait_until(Clock::now() + std::chrono::minutes(1), [&] { return count == 1000; });
    EXPECT_EQ(count, 1000);
    other.join();
}

TEST(Episode, begins_with_the_first_failure_and_ends_after_a_quiet_time) {
    Episode episode(seconds(60));
    const Clock::time_point start{};
    EXPECT_TRUE(episode.begins(start));
    EXPECT_FALSE(episode.begins(start + seconds(59)));
    EXPECT_FALSE(episode.begins(start + seconds(100))) << "the minute without failures has not passed";
    EXPECT_TRUE(episode.begins(start + seconds(160)));
}

TEST(SpareDescriptor, is_released_during_lend_and_reopened_after) {
    SpareDescriptor spare;
    EXPECT_TRUE(spare.there());
    bool there = true;
    spare.lend([&] { there = spare.there(); });
    EXPECT_FALSE(there);
    EXPECT_TRUE(spare.there());
}

}  // namespace
}  // namespace tenon::io
