// rules: TOOL-12
#include "base/token_bucket.hpp"

#include <gtest/gtest.h>

namespace tenon::base {
namespace {

using namespace std::chrono_literals;

TEST(TokenBucket, allows_a_burst_and_then_the_rate) {
    TokenBucket bucket;
    const BucketSize size{.per_second = 10, .burst = 3};
    TimePoint now{};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.take(size, now), 0ms) << i;
    EXPECT_EQ(bucket.take(size, now), 100ms);
    EXPECT_EQ(bucket.take(size, now + 99ms), 1ms) << "a refused attempt costs nothing";
    EXPECT_EQ(bucket.take(size, now + 100ms), 0ms);
    EXPECT_FALSE(bucket.is_full(now + 100ms));
    EXPECT_TRUE(bucket.is_full(now + 1s));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(bucket.take(size, now + 10s), 0ms) << "never more than the burst";
    EXPECT_GT(bucket.take(size, now + 10s), 0ms);
}

TEST(TokenBucket, without_a_rate_there_is_no_limit) {
    TokenBucket bucket;
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(bucket.take({0, 0}, TimePoint{}), 0ms);
}

}  // namespace
}  // namespace tenon::base
