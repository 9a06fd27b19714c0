#include "io/event.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "io/descriptors.hpp"

namespace tenon::io {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

TEST(Event, remembers_that_it_was_set_until_it_is_waited_for) {
    Event event;
    event.set();
    event.set();
    EXPECT_TRUE(event.wait_until(Clock::now()));
    EXPECT_FALSE(event.wait_until(Clock::now()));
}

TEST(Event, looks_again_after_each_change) {
    Event event;
    std::atomic<int> count = 0;
    std::thread other([&] {
        for (int i = 0; i < 1000; ++i) ++count, event.set();
    });
    event.wait_until(Clock::now() + std::chrono::minutes(1), [&] { return count == 1000; });
    EXPECT_EQ(count, 1000);
    other.join();
}

TEST(Episode, begins_with_the_first_failure_and_ends_with_quiet) {
    Episode episode(seconds(60));
    const Clock::time_point start{};
    EXPECT_TRUE(episode.begins(start));
    EXPECT_FALSE(episode.begins(start + seconds(59)));
    EXPECT_FALSE(episode.begins(start + seconds(100))) << "it has not been quiet for a minute";
    EXPECT_TRUE(episode.begins(start + seconds(160)));
}

TEST(SpareDescriptor, is_lent_and_taken_again) {
    SpareDescriptor spare;
    EXPECT_TRUE(spare.there());
    bool there = true;
    spare.lend([&] { there = spare.there(); });
    EXPECT_FALSE(there);
    EXPECT_TRUE(spare.there());
}

}  // namespace
}  // namespace tenon::io
