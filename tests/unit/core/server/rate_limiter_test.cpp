// rules: TOOL-12
#include "core/server/rate_limiter.hpp"

#include <gtest/gtest.h>

#include "support/allocated_bytes.hpp"

namespace tenon::core {
namespace {

using std::chrono::seconds;

struct RateLimiterTest : testing::Test {
    RateLimits limits{.each = {.calls = 3, .per = seconds(3)}, .tools = {{"slow", {1, seconds(10)}}, {"free", {0}}}};
    TimePoint now{seconds(1000)};
};

TEST_F(RateLimiterTest, allows_the_limit_and_returns_the_time_to_wait) {
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(limiter.refuse("a", "t", now));
    EXPECT_EQ(limiter.refuse("a", "t", now), seconds(1));
    EXPECT_FALSE(limiter.refuse("a", "t", now + seconds(1)));
    EXPECT_TRUE(limiter.refuse("a", "t", now + seconds(1)));
}

TEST_F(RateLimiterTest, counts_each_principal_and_tool_separately) {
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 3; ++i) limiter.refuse("a", "t", now);
    EXPECT_TRUE(limiter.refuse("a", "t", now));
    EXPECT_FALSE(limiter.refuse("b", "t", now));
    EXPECT_FALSE(limiter.refuse("a", "u", now));
}

TEST_F(RateLimiterTest, the_memory_budget_pays_for_the_table_and_limits_it) {
    const auto budget = std::make_shared<base::MemoryBudget>(64 * 1024, 64 * 1024);
    limits.max_counted = 1'000'000;
    {
        RateLimiter limiter(limits, {}, base::MemoryCharge(std::make_shared<base::MemoryAccount>(budget)));
        for (int i = 0; i < 10'000; ++i) {
            limiter.refuse(std::to_string(i), "slow", now);
            ASSERT_LE(limiter.counted() * RateLimiter::max_bytes_per_count, budget->used());
        }
        EXPECT_LE(budget->used(), budget->total());
        EXPECT_TRUE(limiter.refuse("9999", "slow", now));  // the newest are still counted
    }
    EXPECT_EQ(budget->used(), 0U);
}

TEST_F(RateLimiterTest, a_tool_can_have_its_own_limit_or_no_limit) {
    RateLimiter limiter(limits, {});
    EXPECT_FALSE(limiter.refuse("a", "slow", now));
    EXPECT_EQ(limiter.refuse("a", "slow", now), seconds(10));
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(limiter.refuse("a", "free", now));
}

TEST_F(RateLimiterTest, a_clock_that_goes_back_adds_no_calls) {
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 3; ++i) limiter.refuse("a", "t", now);
    EXPECT_TRUE(limiter.refuse("a", "t", now - seconds(100)));
}

TEST_F(RateLimiterTest, evicts_the_least_used_count_when_there_are_too_many) {
    limits.max_counted = 2;
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 3; ++i) limiter.refuse("busy", "t", now);
    limiter.refuse("quiet", "t", now);
    limiter.refuse("new", "t", now);
    EXPECT_EQ(limiter.counted(), 2U);
    EXPECT_TRUE(limiter.refuse("busy", "t", now));
}

// rules: SEC-7
TEST_F(RateLimiterTest, new_principals_cost_constant_work_when_the_table_is_full) {
    limits.max_counted = 1000;
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 3; ++i) limiter.refuse("busy", "t", now);
    constexpr std::uint64_t calls = 20'000;
    for (std::uint64_t i = 0; i < calls; ++i) {
        ASSERT_FALSE(limiter.refuse("p" + std::to_string(i), "t", now));
        ASSERT_LE(limiter.counted(), 1000U);
    }
    EXPECT_LE(limiter.examined(), 5 * calls);
    EXPECT_TRUE(limiter.refuse("busy", "t", now)) << "the fullest buckets are forgotten first";
}

TEST_F(RateLimiterTest, full_buckets_are_forgotten_before_others) {
    limits.max_counted = 100;
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 50; ++i) limiter.refuse("early" + std::to_string(i), "t", now);
    now += seconds(2);
    for (int i = 0; i < 50; ++i) limiter.refuse("late" + std::to_string(i), "t", now);
    limiter.refuse("new", "t", now);
    EXPECT_EQ(limiter.counted(), 51U);
}

// rules: SEC-7
TEST_F(RateLimiterTest, the_memory_of_the_table_has_a_known_bound) {
    limits.max_counted = 10'000;
    const std::string longest(10'000, 'x');
    const std::size_t before = test::allocated_bytes();
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 30'000; ++i) {
        limiter.refuse(longest + std::to_string(i), "t", now);
        ASSERT_LE(test::allocated_bytes(), before + 10'000 * RateLimiter::max_bytes_per_count + 10'000);
    }
}

TEST_F(RateLimiterTest, a_period_of_any_length_does_not_overflow) {
    limits.each = {.calls = 2, .per = std::chrono::milliseconds::max()};
    RateLimiter limiter(limits, {});
    for (int i = 0; i < 2; ++i) EXPECT_FALSE(limiter.refuse("a", "t", now));
    EXPECT_TRUE(limiter.refuse("a", "t", now));
    limits.each = {.calls = std::numeric_limits<std::uint32_t>::max(), .per = std::chrono::milliseconds(1)};
    RateLimiter fast(limits, {});
    EXPECT_FALSE(fast.refuse("a", "t", now, true));
}

}  // namespace
}  // namespace tenon::core
