#include "base/late_stop.hpp"

#include <gtest/gtest.h>

namespace tenon::base {
namespace {

TEST(LateStop, calls_callbacks_registered_before_the_stop) {
    LateStop stop;
    int heard = 0;
    const std::stop_callback listener(stop.get_token(), [&] { ++heard; });
    const std::stop_callback another(stop.get_token(), [&] { ++heard; });
    EXPECT_FALSE(stop.stop_requested());
    stop.request_stop();
    stop.request_stop();
    EXPECT_TRUE(stop.stop_requested());
    EXPECT_EQ(heard, 2);
}

TEST(LateStop, calls_callbacks_registered_after_the_stop) {
    LateStop stop;
    stop.request_stop();
    EXPECT_TRUE(stop.get_token().stop_requested());
    bool heard = false;
    const std::stop_callback listener(stop.get_token(), [&] { heard = true; });
    EXPECT_TRUE(heard);
}

TEST(LateStop, a_callback_can_query_the_stop_state) {
    LateStop stop;
    bool seen = false;
    const std::stop_callback listener(stop.get_token(), [&] { seen = stop.get_token().stop_requested(); });
    stop.request_stop();
    EXPECT_TRUE(seen);
}

TEST(LateStop, can_be_stopped_through_its_source) {
    LateStop stop;
    std::stop_source(stop.source()).request_stop();
    EXPECT_TRUE(stop.get_token().stop_requested());
    EXPECT_TRUE(stop.stop_requested());
}

}  // namespace
}  // namespace tenon::base
