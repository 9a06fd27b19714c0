#include "load/histogram.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

#include "property/check.hpp"

namespace tenon::load {
namespace {

// The reference: the percentile computed from the values themselves.
std::uint64_t exact_percentile(std::vector<std::uint64_t> values, double p) {
    std::ranges::sort(values);
    const auto rank = static_cast<std::size_t>(std::ceil(p / 100 * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
}

rc::Gen<std::uint64_t> any_value() {
    return rc::gen::mapcat(rc::gen::inRange(0, 42),
                           [](int bits) { return rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << bits); });
}

TEST(Histogram, is_empty_at_first) {
    const Histogram h;
    EXPECT_EQ(h.count(), 0u);
    EXPECT_EQ(h.percentile(50), 0u);
    EXPECT_EQ(h.min(), 0u);
    EXPECT_EQ(h.max(), 0u);
    EXPECT_EQ(h.mean(), 0);
}

TEST(Histogram, percentiles_are_right_within_its_error) {
    EXPECT_TRUE(rc::check([] {
        const double error = *rc::gen::element(0.1, 0.01, 0.001, 0.0001);
        const auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(any_value()));
        Histogram h(error);
        for (const auto v : values) h.record(v);
        for (const double p : {0.0, 1.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
            const auto exact = static_cast<double>(exact_percentile(values, p));
            RC_ASSERT(std::abs(static_cast<double>(h.percentile(p)) - exact) <= error * exact);
        }
        RC_ASSERT(h.max() == std::ranges::max(values));
        RC_ASSERT(h.min() == std::ranges::min(values));
        RC_ASSERT(h.count() == values.size());
    }));
}

TEST(Histogram, adding_a_histogram_equals_recording_all_its_values) {
    EXPECT_TRUE(rc::check([] {
        const auto some = *rc::gen::container<std::vector<std::uint64_t>>(any_value());
        const auto more = *rc::gen::container<std::vector<std::uint64_t>>(any_value());
        Histogram a, b, all;
        for (const auto v : some) a.record(v), all.record(v);
        for (const auto v : more) b.record(v), all.record(v);
        a.add(b);
        RC_ASSERT(a.count() == all.count() && a.min() == all.min() && a.max() == all.max());
        for (const double p : {0.0, 25.0, 50.0, 99.0, 100.0}) RC_ASSERT(a.percentile(p) == all.percentile(p));
    }));
}

TEST(Histogram, recording_a_count_equals_recording_each_value) {
    Histogram h;
    h.record(10, 99);
    h.record(1000);
    EXPECT_EQ(h.count(), 100u);
    EXPECT_EQ(h.percentile(99), 10u);
    EXPECT_EQ(h.max(), 1000u);
    EXPECT_DOUBLE_EQ(h.mean(), 19.9);
}

TEST(Histogram, values_beyond_the_range_are_counted_and_kept_as_the_maximum) {
    Histogram h;
    h.record(UINT64_MAX);
    h.record(1);
    EXPECT_EQ(h.count(), 2u);
    EXPECT_EQ(h.max(), UINT64_MAX);
    EXPECT_EQ(h.percentile(50), 1u);
}

TEST(Histogram, memory_depends_only_on_the_error) {
    EXPECT_LE(Histogram(0.001).memory(), 160u * 1024);
    EXPECT_LE(Histogram(0).memory(), 16u * 1024 * 1024);
    EXPECT_GE(Histogram(1).memory(), 1u);
}

}  // namespace
}  // namespace tenon::load
