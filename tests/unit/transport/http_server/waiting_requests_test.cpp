#include "transport/http_server/waiting_requests.hpp"

#include <gtest/gtest.h>

namespace tenon::test {
namespace {

struct Waiting : testing::Test {
    WaitingRequests waiting{4};
    WaitingRequests::Retry displaced;
    std::string retried;

    bool add(const std::string& network, const std::string& what = "keys") {
        displaced = nullptr;
        return waiting.add(
            what, network, [this, network] { retried += network; }, displaced);
    }
    void fill(const std::string& network) {
        for (int i = 0; i < 4; ++i) EXPECT_TRUE(add(network));
    }
};

TEST_F(Waiting, requests_are_returned_by_the_name_of_their_document) {
    EXPECT_TRUE(add("a", "first"));
    EXPECT_TRUE(add("b", "second"));
    EXPECT_TRUE(add("c", "first"));
    for (const auto& retry : waiting.take("first")) retry();
    EXPECT_EQ(retried, "ac");
    EXPECT_TRUE(waiting.take("first").empty());
    EXPECT_EQ(waiting.size(), 1U);
}

TEST_F(Waiting, a_network_that_fills_the_queue_gets_no_further_place) {
    fill("a");
    EXPECT_FALSE(waiting.has_room_for("a"));
    EXPECT_FALSE(add("a"));
    EXPECT_FALSE(displaced);
    EXPECT_EQ(waiting.size(), 4U);
}

TEST_F(Waiting, another_network_takes_the_place_of_the_network_with_the_most) {
    fill("a");
    EXPECT_TRUE(waiting.has_room_for("b"));
    EXPECT_TRUE(add("b"));
    ASSERT_TRUE(displaced);
    displaced();
    EXPECT_EQ(retried, "a");
    EXPECT_EQ(waiting.size(), 4U);
}

TEST_F(Waiting, a_displaced_request_displaces_no_other) {
    fill("a");
    EXPECT_TRUE(add("b"));
    EXPECT_FALSE(add("a"));
    EXPECT_TRUE(add("b"));
    EXPECT_FALSE(add("a")) << "both have two places now";
    EXPECT_FALSE(add("b"));
}

TEST_F(Waiting, places_of_finished_requests_are_free_again) {
    fill("a");
    EXPECT_EQ(waiting.take("keys").size(), 4U);
    fill("a");
    EXPECT_TRUE(add("b"));
    EXPECT_EQ(waiting.take("keys").size(), 4U);
    EXPECT_EQ(waiting.size(), 0U);
}

}  // namespace
}  // namespace tenon::test
