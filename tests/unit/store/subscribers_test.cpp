// The subscriptions of one Store object.
#include <gtest/gtest.h>

#include "store/subscribers.hpp"

namespace {

using namespace tenon;

struct Told {
    int messages = 0, gaps = 0;
    store::Listener listener() {
        return {[this](std::string_view) { ++messages; }, [this] { ++gaps; }};
    }
};

// A backend that confirms a topic twice must not report a loss that did not happen.
TEST(Subscribers, a_subscription_begins_once) {
    const auto subscribers = std::make_shared<store::Subscribers>(StoreLimits{}, nullptr);
    Told first, second;
    const auto a = subscribers->add("t", first.listener(), false);
    subscribers->begin("t");
    const auto b = subscribers->add("t", second.listener(), false);
    subscribers->begin("t");
    subscribers->begin("t");
    EXPECT_EQ(first.gaps, 1);
    EXPECT_EQ(second.gaps, 1);
    subscribers->gap("t");
    EXPECT_EQ(first.gaps, 2);
    EXPECT_EQ(second.gaps, 2);
}

}  // namespace
