#include "load/pace.hpp"

#include <gtest/gtest.h>

#include "load/mix.hpp"

namespace tenon::load {
namespace {

using namespace std::chrono_literals;

const TimePoint start{1000s};

TEST(Pace, without_a_rate_a_request_is_due_when_it_is_taken) {
    Pace pace({.time = 10s}, start);
    EXPECT_EQ(pace.take(start + 3s), start + 3s);
    EXPECT_EQ(pace.take(start + 3s), start + 3s);
    EXPECT_EQ(pace.next(), start + 10s);
    EXPECT_FALSE(pace.over(start + 10s - 1ns));
    EXPECT_TRUE(pace.over(start + 10s));
    EXPECT_EQ(pace.take(start + 10s), std::nullopt);
    EXPECT_FALSE(pace.take_missed());
}

TEST(Pace, ends_after_the_given_number_of_requests) {
    Pace pace({.requests = 2}, start);
    EXPECT_TRUE(pace.take(start));
    EXPECT_FALSE(pace.over(start));
    EXPECT_TRUE(pace.take(start));
    EXPECT_TRUE(pace.over(start));
    EXPECT_EQ(pace.take(start), std::nullopt);
    EXPECT_EQ(pace.next(), TimePoint::max());
}

TEST(Pace, with_a_rate_requests_wait_until_they_are_due) {
    Pace pace({.time = 10s, .rate = 4}, start);
    EXPECT_EQ(pace.take(start), start);
    EXPECT_EQ(pace.take(start), std::nullopt);
    EXPECT_EQ(pace.next(), start + 250ms);
    EXPECT_EQ(pace.take(start + 249ms), std::nullopt);
    EXPECT_EQ(pace.take(start + 251ms), start + 250ms);
}

// Avoids coordinated omission: at four requests a second, a stall of one second delays four requests, not one.
TEST(Pace, requests_delayed_by_a_stall_count_from_their_due_time) {
    Pace pace({.time = 10s, .rate = 4}, start);
    pace.take(start);
    const TimePoint after_the_stall = start + 1s;
    EXPECT_EQ(pace.take(after_the_stall), start + 250ms);
    EXPECT_EQ(pace.take(after_the_stall), start + 500ms);
    EXPECT_EQ(pace.take(after_the_stall), start + 750ms);
    EXPECT_EQ(pace.take(after_the_stall), start + 1s);
    EXPECT_EQ(pace.take(after_the_stall), std::nullopt);
}

TEST(Pace, reports_how_long_unsent_requests_had_waited) {
    Pace pace({.time = 1s, .rate = 4}, start);
    pace.take(start);
    pace.take(start + 300ms);
    auto missed = pace.take_missed();
    ASSERT_TRUE(missed);
    EXPECT_EQ(missed->requests, 1u);
    EXPECT_EQ(missed->waited, 500ms);
    missed = pace.take_missed();
    ASSERT_TRUE(missed);
    EXPECT_EQ(missed->waited, 250ms);
    EXPECT_FALSE(pace.take_missed());
}

TEST(Pace, reports_very_many_missed_requests_in_groups) {
    Pace pace({.time = 100s, .rate = 1e9}, start);
    std::uint64_t requests = 0, groups = 0;
    for (; const auto missed = pace.take_missed(); ++groups) requests += missed->requests;
    EXPECT_EQ(requests, 100'000'000'000u);
    EXPECT_LE(groups, 10'000u);
    Pace few({.time = 100s, .requests = 5, .rate = 1e9}, start);
    for (requests = 0; const auto missed = few.take_missed();) requests += missed->requests;
    EXPECT_EQ(requests, 5u);
}

TEST(Pace, does_not_drift) {
    Pace pace({.rate = 3}, start);
    for (int i = 0; i < 3'000'000; ++i) pace.take(start + std::chrono::hours(1000));
    EXPECT_EQ(pace.next(), start + 1'000'000s);
}

TEST(Mix, picks_calls_by_weight_and_spreads_them) {
    Mix mix({bench::Call{.weight = 3}, bench::Call{.weight = 1}, bench::Call{.weight = 2}});
    std::string picks;
    for (int i = 0; i < 12; ++i) picks += static_cast<char>('a' + mix.next());
    EXPECT_EQ(picks.substr(0, 6), picks.substr(6));
    EXPECT_EQ(std::ranges::count(picks, 'a'), 6);
    EXPECT_EQ(std::ranges::count(picks, 'b'), 2);
    EXPECT_EQ(std::ranges::count(picks, 'c'), 4);
    EXPECT_EQ(picks.substr(0, 6).find("aa"), std::string::npos);
}

}  // namespace
}  // namespace tenon::load
