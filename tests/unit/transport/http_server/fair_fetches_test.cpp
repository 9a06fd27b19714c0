#include "transport/http_server/fair_fetches.hpp"

#include <gtest/gtest.h>

namespace tenon::test {
namespace {

struct Fetches : testing::Test {
    FairFetches fetches{16};
    int made = 0;

    void add(const std::string& network, int count = 1) {
        for (int i = 0; i < count; ++i) {
            std::vector<auth::FetchOrder> orders;
            orders.push_back({.what = network + std::to_string(++made)});
            fetches.add(std::move(orders), network);
        }
    }
    std::vector<std::string> take() {
        std::vector<std::string> out;
        for (const auth::FetchOrder& order : fetches.take_ready()) out.push_back(order.what);
        return out;
    }
};

TEST_F(Fetches, one_network_leaves_a_quarter_of_the_fetches_for_others) {
    add("a", 100);
    EXPECT_EQ(take().size(), 12U);
    EXPECT_TRUE(take().empty());
    add("b");
    EXPECT_EQ(take(), std::vector<std::string>{"b101"});
}

TEST_F(Fetches, the_next_fetch_starts_when_one_has_ended) {
    add("a", 13);
    const auto first = take();
    ASSERT_EQ(first.size(), 12U);
    fetches.done(first[0]);
    EXPECT_EQ(take(), std::vector<std::string>{"a13"});
    fetches.done("unknown");
    EXPECT_TRUE(take().empty());
}

TEST_F(Fetches, several_networks_take_turns) {
    add("a", 100);
    std::vector<std::string> running = take();
    for (const char* network : {"b", "c", "d", "e", "f"}) add(network);
    EXPECT_EQ(take().size(), 4U) << "all sixteen fetches run";
    fetches.done(running[0]);
    EXPECT_EQ(take().at(0).substr(0, 1), "f") << "a network without a fetch comes first";
}

}  // namespace
}  // namespace tenon::test
