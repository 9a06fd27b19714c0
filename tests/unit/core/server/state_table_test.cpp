// The table of request states: what it returns, what it drops, and which account it charges.
#include "core/server/state_table.hpp"

#include <gtest/gtest.h>

namespace tenon::core {
namespace {

using std::chrono::seconds;

struct StateTableTest : testing::Test {
    static constexpr std::size_t budget_bytes = 100'000;

    MemoryAccountPtr new_peer(base::MemoryAccount::Kind kind = base::MemoryAccount::Kind::one_of_many) {
        return std::make_shared<base::MemoryAccount>(budget, kind);
    }
    Result<void> add(std::string handle, std::string state = "state") {
        return table.add(std::move(handle), {std::move(state), "binding", peer, now + seconds(60)}, now);
    }
    bool has(std::string_view handle) const { return table.find(handle, "binding", now).has_value(); }

    std::shared_ptr<base::MemoryBudget> budget = std::make_shared<base::MemoryBudget>(budget_bytes, budget_bytes / 4);
    MemoryAccountPtr peer = new_peer();
    WallTime now{std::chrono::hours(24)};
    const Limits limits{.max_message_bytes = 20'000, .max_request_states = 8};
    StateTable table{limits, base::SipKey{1}};
};

TEST_F(StateTableTest, a_state_can_be_read_several_times_until_it_expires) {
    ASSERT_TRUE(add("a"));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(table.find("a", "binding", now).value(), "state");
    now += seconds(60);
    EXPECT_TRUE(has("a"));
    now += seconds(1);
    EXPECT_FALSE(has("a"));
}

TEST_F(StateTableTest, an_unknown_handle_and_another_binding_are_refused) {
    ASSERT_TRUE(add("a"));
    EXPECT_FALSE(table.find("b", "binding", now));
    EXPECT_FALSE(table.find("", "binding", now));
    EXPECT_FALSE(table.find("a", "another binding", now));
    EXPECT_FALSE(table.find("a", "", now));
}

TEST_F(StateTableTest, expired_states_are_dropped) {
    ASSERT_TRUE(add("a"));
    now += seconds(61);
    ASSERT_TRUE(add("b"));
    EXPECT_EQ(table.size(), 1U);
    EXPECT_TRUE(has("b"));
}

TEST_F(StateTableTest, one_of_several_peers_drops_its_own_oldest_state_above_a_quarter) {
    ASSERT_TRUE(add("other"));
    peer = new_peer();
    for (const char* handle : {"a", "b", "c"}) ASSERT_TRUE(add(handle));
    EXPECT_TRUE(has("other")) << "the state of another peer stays";
    EXPECT_FALSE(has("a"));
    EXPECT_TRUE(has("b") && has("c"));
}

TEST_F(StateTableTest, the_oldest_state_of_all_peers_is_dropped_when_the_table_is_full) {
    for (char handle = 'a'; handle <= 'i'; ++handle) {
        peer = new_peer();
        ASSERT_TRUE(add(std::string(1, handle)));
    }
    EXPECT_EQ(table.size(), 8U);
    EXPECT_FALSE(has("a"));
    EXPECT_TRUE(has("b") && has("i"));
}

TEST_F(StateTableTest, the_only_peer_may_use_the_whole_table) {
    peer = new_peer(base::MemoryAccount::Kind::the_only_one);
    for (char handle = 'a'; handle <= 'i'; ++handle) ASSERT_TRUE(add(std::string(1, handle)));
    EXPECT_EQ(table.size(), 8U);
    EXPECT_FALSE(has("a"));
}

TEST_F(StateTableTest, a_peer_is_charged_while_its_states_are_kept) {
    ASSERT_TRUE(add("a", std::string(1000, 'x')));
    EXPECT_GT(peer->used(), 1000U);
    EXPECT_LT(peer->used(), 2000U);
    now += seconds(61);
    const MemoryAccountPtr before = std::exchange(peer, new_peer());
    ASSERT_TRUE(add("b"));
    EXPECT_EQ(before->used(), 0U);
}

TEST_F(StateTableTest, a_peer_without_memory_drops_its_own_states_and_then_gets_an_error) {
    ASSERT_TRUE(add("a", std::string(15'000, 'x')));
    ASSERT_TRUE(add("b", std::string(15'000, 'x')));
    EXPECT_FALSE(has("a"));
    EXPECT_TRUE(has("b"));
    MemoryCharge others(new_peer(base::MemoryAccount::Kind::the_only_one));
    ASSERT_EQ(others.resize(budget_bytes - budget->used()), MemoryDecision::granted);
    EXPECT_FALSE(add("c", std::string(18'000, 'x')));
    EXPECT_EQ(table.size(), 0U);
    EXPECT_EQ(peer->used(), 0U);
}

TEST_F(StateTableTest, a_state_that_is_larger_than_a_message_is_refused) {
    EXPECT_TRUE(add("a", std::string(20'000, 'x')));
    const auto refused = add("b", std::string(20'001, 'x'));
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("Limits::max_message_bytes"), std::string::npos);
    EXPECT_TRUE(has("a"));
}

}  // namespace
}  // namespace tenon::core
