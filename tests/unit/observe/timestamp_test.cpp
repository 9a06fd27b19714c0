#include "observe/timestamp.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tenon::observe {
namespace {

using namespace std::chrono;

system_clock::time_point at(std::int64_t micros) { return system_clock::time_point(microseconds(micros)); }

TEST(Timestamp, is_utc_with_microseconds) {
    EXPECT_EQ(timestamp(at(0)), "1970-01-01T00:00:00.000000Z");
    EXPECT_EQ(timestamp(sys_days(2024y / 2 / 29) + 23h + 59min + 58s + 7us), "2024-02-29T23:59:58.000007Z");
    EXPECT_EQ(timestamp(at(-1)), "1969-12-31T23:59:59.999999Z");
}

// The writer keeps the text of a second, so the times are close to each other, in any order.
RC_GTEST_PROP(Timestamp, a_writer_says_the_same_for_each_of_many_times, ()) {
    const auto start = *rc::gen::inRange<std::int64_t>(-4'000'000'000, 4'000'000'000);
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1'500'000, 1'500'000));
    TimestampWriter writer;
    std::int64_t micros = start * 1'000'000;
    for (const int step : steps) {
        micros += step;
        RC_ASSERT(writer.write(at(micros)) == timestamp(at(micros)));
    }
}

}  // namespace
}  // namespace tenon::observe
