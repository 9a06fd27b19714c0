// The memory budget: the total is never exceeded, large accounts are refused before small ones, and every byte is
// returned.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <numeric>
#include <thread>
#include <vector>

#include "base/memory_budget.hpp"

namespace tenon::base {
namespace {

using Kind = MemoryAccount::Kind;
constexpr auto granted = MemoryDecision::granted;

struct Budget : testing::Test {
    static std::shared_ptr<MemoryBudget> make(std::size_t total, std::size_t share) {
        return std::make_shared<MemoryBudget>(total, share);
    }
    static MemoryAccountPtr account(const std::shared_ptr<MemoryBudget>& budget, Kind kind = Kind::one_of_many) {
        return std::make_shared<MemoryAccount>(budget, kind);
    }
};

TEST_F(Budget, a_charge_counts_for_its_account_and_the_budget_until_it_is_destroyed) {
    const auto budget = make(1000, 500);
    const auto one = account(budget), other = account(budget);
    {
        MemoryCharge charge(one);
        EXPECT_EQ(charge.resize(100), granted);
        EXPECT_EQ(one->used(), 100U);
        EXPECT_EQ(other->used(), 0U);
        EXPECT_EQ(budget->used(), 100U);
        EXPECT_EQ(charge.resize(40), granted);
        EXPECT_EQ(budget->used(), 40U);
    }
    EXPECT_EQ(one->used(), 0U);
    EXPECT_EQ(budget->used(), 0U);
}

TEST_F(Budget, an_account_cannot_exceed_its_share) {
    const auto budget = make(1000, 250);
    MemoryCharge charge(account(budget));
    EXPECT_EQ(charge.resize(250), granted);
    EXPECT_EQ(charge.resize(251), MemoryDecision::over_share);
    EXPECT_EQ(charge.bytes(), 250U);
    EXPECT_EQ(budget->used(), 250U);
}

TEST_F(Budget, an_account_must_leave_as_much_free_as_it_holds) {
    const auto budget = make(1000, 400);
    MemoryCharge first(account(budget)), second(account(budget));
    ASSERT_EQ(first.resize(400), granted);
    EXPECT_EQ(second.resize(301), MemoryDecision::over_budget);
    EXPECT_EQ(second.resize(300), granted);  // 300 bytes stay free, as many as it holds
}

TEST_F(Budget, the_only_peer_may_use_the_whole_budget) {
    const auto budget = make(1000, 250);
    MemoryCharge charge(account(budget, Kind::the_only_one));
    EXPECT_EQ(charge.resize(1000), granted);
    EXPECT_NE(charge.resize(1001), granted);
}

TEST_F(Budget, huge_charges_do_not_overflow) {
    const auto budget = make(1000, 1000);
    MemoryCharge charge(account(budget));
    ASSERT_EQ(charge.resize(1), granted);
    EXPECT_EQ(charge.resize(SIZE_MAX), MemoryDecision::over_share);
    EXPECT_EQ(budget->used(), 1U);
}

TEST_F(Budget, moving_a_charge_does_not_count_it_twice) {
    const auto budget = make(1000, 500);
    const auto one = account(budget);
    MemoryCharge a(one);
    ASSERT_EQ(a.resize(100), granted);
    MemoryCharge b = std::move(a);
    EXPECT_EQ(budget->used(), 100U);
    MemoryCharge c(one);
    ASSERT_EQ(c.resize(50), granted);
    c = std::move(b);
    EXPECT_EQ(c.bytes(), 100U);
    EXPECT_EQ(budget->used(), 100U);
    c = MemoryCharge();
    EXPECT_EQ(budget->used(), 0U);
}

TEST_F(Budget, cover_grows_in_steps_and_never_shrinks) {
    const auto budget = make(1 << 20, 1 << 19);
    MemoryCharge charge(account(budget));
    EXPECT_EQ(charge.cover(1), granted);
    const std::size_t step = charge.bytes();
    EXPECT_EQ(charge.cover(step), granted);
    EXPECT_EQ(charge.bytes(), step);
    EXPECT_EQ(charge.cover(step + 1), granted);
    EXPECT_EQ(charge.bytes(), 2 * step);
    EXPECT_EQ(charge.cover(5), granted);
    EXPECT_EQ(charge.bytes(), 2 * step);
}

TEST_F(Budget, a_charge_without_an_account_is_always_granted) {
    MemoryCharge charge;
    EXPECT_EQ(charge.resize(SIZE_MAX), granted);
}

// Tries any sequence of charges and releases by several accounts.
TEST_F(Budget, invariants_hold_for_every_sequence_of_charges) {
    EXPECT_TRUE(rc::check([] {
        const auto total = *rc::gen::inRange<std::size_t>(1, 2000);
        const auto share = *rc::gen::inRange<std::size_t>(1, 2000);
        const auto budget = make(total, share);
        std::vector<MemoryCharge> charges;
        for (int i = 0; i < 5; ++i) charges.emplace_back(account(budget));
        const auto steps = *rc::gen::container<std::vector<std::pair<int, std::size_t>>>(
            rc::gen::pair(rc::gen::inRange(0, 5), rc::gen::inRange<std::size_t>(0, 1200)));
        for (const auto& [which, bytes] : steps) {
            MemoryCharge& charge = charges[static_cast<std::size_t>(which)];
            const std::size_t held = charge.bytes(), free = total - budget->used();
            const MemoryDecision verdict = charge.resize(bytes);
            const bool grows = bytes > held;
            const bool fits = bytes <= budget->share() && bytes - held <= free && bytes <= free - (bytes - held);
            RC_ASSERT((verdict == granted) == (!grows || fits));

            std::size_t sum = 0;
            for (const MemoryCharge& each : charges) {
                sum += each.bytes();
                RC_ASSERT(each.bytes() == each.account()->used());
                RC_ASSERT(each.bytes() <= budget->share());
            }
            RC_ASSERT(budget->used() == sum);
            RC_ASSERT(sum <= total);
            if (verdict != MemoryDecision::over_budget) continue;
            // An account that holds more must be refused the same growth.
            for (MemoryCharge& larger : charges)
                if (&larger != &charge && larger.bytes() >= held)
                    RC_ASSERT(larger.resize(larger.bytes() + (bytes - held)) != granted);
        }
        charges.clear();
        RC_ASSERT(budget->used() == 0U);
    }));
}

TEST_F(Budget, concurrent_charges_are_all_returned) {
    const auto budget = make(10'000, 4'000);
    const auto work = [&](const MemoryAccountPtr& one) {
        for (std::size_t i = 0; i < 20'000; ++i) {
            MemoryCharge charge(one);
            static_cast<void>(charge.resize(i % 5000));
            static_cast<void>(charge.resize(i % 3000));
            if (budget->used() > budget->total()) std::abort();
        }
    };
    const auto shared = account(budget);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back(work, shared);
    for (int i = 0; i < 2; ++i) threads.emplace_back(work, account(budget));
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(shared->used(), 0U);
    EXPECT_EQ(budget->used(), 0U);
}

}  // namespace
}  // namespace tenon::base
