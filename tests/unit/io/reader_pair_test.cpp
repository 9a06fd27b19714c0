// Two threads that take turns at reading: one leads, and the other takes over when the leader's work blocks.
#include "io/reader_pair.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

namespace tenon::io {
namespace {

// Waits for a condition that another thread will make true. The time limit of the test ends it otherwise.
template <class Condition>
void wait_until(Condition condition) {
    while (!condition()) std::this_thread::yield();
}

TEST(ReaderPair, has_no_standby_before_a_thread_stands_by) {
    ReaderPair pair;
    EXPECT_FALSE(pair.has_standby());
}

TEST(ReaderPair, finish_before_stand_by_ends_it_at_once) {
    ReaderPair pair;
    pair.finish();
    EXPECT_FALSE(pair.stand_by());
    EXPECT_FALSE(pair.has_standby());
}

TEST(ReaderPair, quick_work_keeps_the_lead) {
    ReaderPair pair(std::chrono::hours(1));
    bool took_over = true;
    std::thread second([&] { took_over = pair.stand_by(); });
    wait_until([&] { return pair.has_standby(); });
    int done = 0;
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(pair.run([&] { ++done; }));
    EXPECT_EQ(done, 1000);
    pair.finish();
    second.join();
    EXPECT_FALSE(took_over);
}

// The work ends only after the other thread has taken over. Without a change of the lead, the test would never end.
TEST(ReaderPair, the_lead_goes_back_and_forth_when_work_blocks) {
    ReaderPair pair;
    for (int round = 0; round < 20; ++round) {
        std::latch taken(1);
        bool led = false;
        std::thread second([&] {
            led = pair.stand_by();
            taken.count_down();
        });
        wait_until([&] { return pair.has_standby(); });
        EXPECT_FALSE(pair.run([&] { taken.wait(); })) << "it lost the lead";
        second.join();
        EXPECT_TRUE(led);
        EXPECT_FALSE(pair.has_standby());
    }
}

// Both threads lead in turn, with a patience so short that the lead changes all the time.
TEST(ReaderPair, exactly_one_thread_leads_at_any_time) {
    for (const int patience : {0, 1, 50}) {
        ReaderPair pair{std::chrono::microseconds(patience)};
        std::atomic<int> leaders{0}, changes{0};
        int left = 4000;         // belongs to the leader: the thread sanitizer finds a second one
        const auto lead = [&] {  // returns false when the lead was lost
            EXPECT_EQ(leaders.fetch_add(1), 0);
            while (left > 0) {
                --left;
                if (!pair.has_standby()) {
                    std::this_thread::yield();
                    continue;
                }
                const int spins = left % 7 * 300;
                leaders.fetch_sub(1);  // during the work, the other thread may become the leader
                if (!pair.run([&] {
                        for (volatile int i = 0; i < spins;) i = i + 1;
                    }))
                    return ++changes, false;
                EXPECT_EQ(leaders.fetch_add(1), 0);
            }
            leaders.fetch_sub(1);
            pair.finish();
            return true;
        };
        const auto serve = [&] {
            while (!lead() && pair.stand_by()) {
            }
        };
        std::thread second([&] {
            if (pair.stand_by()) serve();
        });
        serve();
        second.join();
        EXPECT_EQ(left, 0);
    }
}

}  // namespace
}  // namespace tenon::io
