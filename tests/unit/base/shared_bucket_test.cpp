// A bucket that several nodes share: how many calls all of them allow together.
#include "base/shared_bucket.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace tenon::base {
namespace {

using Time = BucketPace::Time;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Time start = std::chrono::hours(24 * 365);

/// A node, and its report that is under way.
struct Node {
    SharedBucket bucket = {};
    std::int64_t report = -1;
    std::int64_t meanwhile = 0;  // calls that were allowed since the report began
};

bool call(Node& node, const BucketPace& pace, Time now) {
    if (node.bucket.take(pace, now) > Time::zero()) return false;
    if (node.report >= 0) ++node.meanwhile;
    if (node.bucket.should_report(pace)) {
        node.report = node.bucket.begin_report(pace, now);
        node.meanwhile = 0;
    }
    return true;
}

void arrive(Node& node, Time& stored, const BucketPace& pace, Time now) {
    stored = SharedBucket::charged(stored, std::exchange(node.report, -1), pace, now);
    node.bucket.reported(pace, stored);
}

TEST(SharedBucket, a_portion_is_a_32nd_and_at_least_one_call) {
    EXPECT_EQ(BucketPace::of(10'000, seconds(10)).portion(), 312);
    EXPECT_EQ(BucketPace::of(5, minutes(1)).portion(), 1);
    EXPECT_EQ(BucketPace::of(5, minutes(1)).tokens(), 5);
    EXPECT_EQ(BucketPace::of(2'000'000'000, Time(1)).token, Time(1)) << "not zero";
}

TEST(SharedBucket, one_node_gets_the_whole_limit) {
    const auto pace = BucketPace::of(100, seconds(100));
    Node node;
    Time stored{};
    int allowed = 0;
    for (int i = 0; i < 200; ++i) {
        allowed += call(node, pace, start) ? 1 : 0;
        if (node.report >= 0) arrive(node, stored, pace, start);
    }
    EXPECT_EQ(allowed, 100);
    EXPECT_EQ(node.bucket.take(pace, start), seconds(1));
    EXPECT_TRUE(call(node, pace, start + seconds(1)));
    EXPECT_FALSE(call(node, pace, start + seconds(1)));
}

TEST(SharedBucket, another_node_learns_after_one_portion_that_the_limit_is_used_up) {
    const auto pace = BucketPace::of(100, seconds(100));
    Node a, b;
    Time stored{};
    int of_b = 0;
    for (Node* node : {&a, &b})
        for (int i = 0; i < 200; ++i) {
            const bool allowed = call(*node, pace, start);
            if (node == &b && allowed) ++of_b;
            if (node->report >= 0) arrive(*node, stored, pace, start);
        }
    EXPECT_EQ(of_b, pace.portion());
}

TEST(SharedBucket, calls_of_a_failed_report_are_reported_again) {
    const auto pace = BucketPace::of(64, seconds(64));
    SharedBucket bucket;
    bucket.take(pace, start), bucket.take(pace, start);
    ASSERT_TRUE(bucket.should_report(pace));
    EXPECT_EQ(bucket.begin_report(pace, start), 2);
    EXPECT_FALSE(bucket.should_report(pace)) << "one report at a time";
    bucket.report_failed();
    bucket.take(pace, start);
    EXPECT_EQ(bucket.begin_report(pace, start), 3);
}

TEST(SharedBucket, calls_whose_tokens_have_come_back_are_not_reported) {
    const auto pace = BucketPace::of(64, seconds(64));
    SharedBucket bucket;
    for (int i = 0; i < 10; ++i) bucket.take(pace, start);
    EXPECT_EQ(bucket.begin_report(pace, start + seconds(4)), 6);
    bucket.report_failed();
    bucket.take(pace, start + seconds(60));
    EXPECT_EQ(bucket.begin_report(pace, start + seconds(60)), 1);
}

TEST(SharedBucket, a_time_in_the_far_future_does_not_block) {
    const auto pace = BucketPace::of(64, seconds(64));
    EXPECT_EQ(SharedBucket::charged(start + std::chrono::hours(24 * 365 * 200), 2, pace, start), start + seconds(2));
    EXPECT_EQ(SharedBucket::charged({}, 2, pace, start), start + seconds(2));
    EXPECT_EQ(SharedBucket::charged(start + seconds(100), 2, pace, start), start + seconds(102));
}

// The guarantee: in any time, all nodes together allow at most the bucket, what comes back in that time, and for each
// node a portion and what it allowed while its reports were under way.
RC_GTEST_PROP(SharedBucket, all_nodes_together_keep_the_limit, ()) {
    const std::int64_t limit = *rc::gen::inRange<std::int64_t>(1, 300);
    const auto pace = BucketPace::of(limit, milliseconds(*rc::gen::inRange(1, 100'000)));
    const auto count = *rc::gen::inRange<std::size_t>(1, 6);
    std::vector<Node> nodes(count);
    std::vector<std::int64_t> most_meanwhile(count, 0);
    Time stored{}, now = start;
    std::int64_t allowed = 0;
    const int steps = *rc::gen::inRange(1, 3000);
    for (int i = 0; i < steps; ++i) {
        const auto which = *rc::gen::inRange<std::size_t>(0, count);
        Node& node = nodes[which];
        switch (*rc::gen::inRange(0, 20)) {
            case 0: now += pace.token * *rc::gen::inRange(0, 20); break;
            case 1:
            case 2:
            case 3:
                if (node.report < 0) break;
                most_meanwhile[which] = std::max(most_meanwhile[which], node.meanwhile);
                arrive(node, stored, pace, now);
                break;
            default: allowed += call(node, pace, now) ? 1 : 0;
        }
    }
    std::int64_t extra = 0;
    for (std::size_t i = 0; i < count; ++i)
        extra += pace.portion() + std::max(most_meanwhile[i], nodes[i].report >= 0 ? nodes[i].meanwhile : 0);
    RC_ASSERT(allowed <= limit + (now - start) / pace.token + 1 + extra);
}

}  // namespace
}  // namespace tenon::base
