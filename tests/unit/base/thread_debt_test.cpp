#include "base/thread_debt.hpp"

#include <gtest/gtest.h>

namespace tenon::base {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct ThreadDebtTest : testing::Test {
    ThreadDebt debt;
    ThreadDebt::TimePoint now{seconds(1000)};

    /// Uses a thread, then leaves it alone.
    void use(milliseconds busy, milliseconds idle) {
        debt.charge(now, now + busy);
        now += busy + idle;
    }
};

TEST_F(ThreadDebtTest, a_new_peer_has_no_debt) { EXPECT_FALSE(debt.is_large(now)); }

TEST_F(ThreadDebtTest, a_peer_that_uses_less_than_four_fifths_of_a_thread_never_waits) {
    for (int i = 0; i < 1000; ++i) {
        use(milliseconds(3), milliseconds(1));
        EXPECT_FALSE(debt.is_large(now));
    }
}

TEST_F(ThreadDebtTest, a_peer_that_uses_a_whole_thread_gets_into_debt) {
    for (int i = 0; i < 10; ++i) use(milliseconds(1), milliseconds(0));
    EXPECT_TRUE(debt.is_large(now));
}

TEST_F(ThreadDebtTest, a_peer_that_uses_two_threads_gets_into_debt_sooner) {
    debt.charge(now, now + milliseconds(2));
    debt.charge(now, now + milliseconds(2));
    EXPECT_TRUE(debt.is_large(now + milliseconds(2)));
}

TEST_F(ThreadDebtTest, debt_is_paid_as_time_passes) {
    use(milliseconds(100), milliseconds(0));
    EXPECT_TRUE(debt.is_large(now));
    EXPECT_FALSE(debt.is_large(now + milliseconds(25)));
}

TEST_F(ThreadDebtTest, no_debt_is_larger_than_a_second) {
    use(milliseconds(100'000), milliseconds(0));
    EXPECT_LE(debt.paid_at(), now + seconds(1));
}

}  // namespace
}  // namespace tenon::base
