// rules: TOOL-12
#include "core/server/rate_limiter.hpp"

#include <gtest/gtest.h>

namespace tenon::core {
namespace {

using std::chrono::seconds;

struct RateLimiterTest : testing::Test {
    RateLimits limits{.each = {.calls = 3, .per = seconds(3)}, .tools = {{"slow", {1, seconds(10)}}, {"free", {0}}}};
    TimePoint now{seconds(1000)};
};

TEST_F(RateLimiterTest, allows_the_limit_and_returns_the_time_to_wait) {
    RateLimiter limiter(limits);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(limiter.refuse("a", "t", now));
    EXPECT_EQ(limiter.refuse("a", "t", now), seconds(1));
    EXPECT_FALSE(limiter.refuse("a", "t", now + seconds(1)));
    EXPECT_TRUE(limiter.refuse("a", "t", now + seconds(1)));
}

TEST_F(RateLimiterTest, counts_each_principal_and_tool_separately) {
    RateLimiter limiter(limits);
    for (int i = 0; i < 3; ++i) limiter.refuse("a", "t", now);
    EXPECT_TRUE(limiter.refuse("a", "t", now));
    EXPECT_FALSE(limiter.refuse("b", "t", now));
    EXPECT_FALSE(limiter.refuse("a", "u", now));
}

TEST_F(RateLimiterTest, a_tool_can_have_its_own_limit_or_no_limit) {
    RateLimiter limiter(limits);
    EXPECT_FALSE(limiter.refuse("a", "slow", now));
    EXPECT_EQ(limiter.refuse("a", "slow", now), seconds(10));
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(limiter.refuse("a", "free", now));
}

TEST_F(RateLimiterTest, a_clock_that_goes_back_adds_no_calls) {
    RateLimiter limiter(limits);
    for (int i = 0; i < 3; ++i) limiter.refuse("a", "t", now);
    EXPECT_TRUE(limiter.refuse("a", "t", now - seconds(100)));
}

TEST_F(RateLimiterTest, evicts_the_least_used_count_when_there_are_too_many) {
    limits.max_counted = 2;
    RateLimiter limiter(limits);
    for (int i = 0; i < 3; ++i) limiter.refuse("busy", "t", now);
    limiter.refuse("quiet", "t", now);
    limiter.refuse("new", "t", now);
    EXPECT_EQ(limiter.counted(), 2U);
    EXPECT_TRUE(limiter.refuse("busy", "t", now));
}

}  // namespace
}  // namespace tenon::core
