#include "schema/numbers.hpp"

#include <rapidcheck.h>

#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

TEST(Numbers, compare_without_rounding) {
    const auto order = [](const char* a, const char* b) {
        return compare_numbers(testing::parsed(a), testing::parsed(b));
    };
    EXPECT_TRUE(order("9007199254740993", "9007199254740992.0") > 0);
    EXPECT_TRUE(order("9223372036854775807", "9223372036854775808.0") < 0);
    EXPECT_TRUE(order("18446744073709551615", "18446744073709551616.0") < 0);
    EXPECT_TRUE(order("-9223372036854775808", "-9223372036854775808.0") == 0);
    EXPECT_TRUE(order("-1", "18446744073709551615") < 0);
    EXPECT_TRUE(order("-1", "-1.5") > 0);
    EXPECT_TRUE(order("1", "1.5") < 0);
    EXPECT_TRUE(order("0", "-0.0") == 0);
}

TEST(Numbers, order_of_integers_and_doubles_is_consistent) {
    EXPECT_TRUE(rc::check("order", [](std::int32_t a, std::int32_t b) {
        const json::value as_int(a), as_double(static_cast<double>(b) / 2);
        const auto expected = 2 * std::int64_t{a} <=> std::int64_t{b};
        RC_ASSERT((compare_numbers(as_int, as_double) < 0) == (expected < 0));
        RC_ASSERT((compare_numbers(as_double, as_int) < 0) == (expected > 0));
    }));
}

TEST(Numbers, multiple_of_is_exact_for_decimals) {
    EXPECT_TRUE(rc::check("multiples", [](std::int32_t n) {
        RC_ASSERT(is_multiple_of(json::value(static_cast<double>(n) / 100), json::value(0.01)));
        RC_ASSERT(is_multiple_of(json::value(static_cast<double>(n) / 1000), json::value(0.01)) == (n % 10 == 0));
    }));
}

TEST(Numbers, only_non_negative_integers_are_counts) {
    EXPECT_EQ(as_count(json::value(3.0)), 3u);
    EXPECT_EQ(as_count(json::value(1e300)), UINT64_MAX);
    EXPECT_FALSE(as_count(json::value(-1)));
    EXPECT_FALSE(as_count(json::value(0.5)));
    EXPECT_FALSE(as_count(json::value("3")));
}

}  // namespace
}  // namespace tenon::schema
