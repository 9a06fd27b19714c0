// The threads that run handlers: nobody waits behind one that blocks, until all are held.
#include "io/worker_pool.hpp"

#include <gtest/gtest.h>

#include <latch>
#include <mutex>
#include <set>
#include <thread>

namespace tenon::io {
namespace {

constexpr auto long_enough = std::chrono::minutes(1);

// Each piece ends only when all of them have begun: with fewer threads than pieces this would never return.
TEST(WorkerPool, work_that_blocks_delays_nobody) {
    WorkerPool pool(16);
    std::latch all(16);
    for (int i = 0; i < 16; ++i) pool.post([&all] { all.arrive_and_wait(); });
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, work_that_blocks_delays_nobody_in_its_batch) {
    WorkerPool pool(16);
    for (int round = 0; round < 3; ++round) {
        std::latch all(16), done(16);
        WorkBatch batch(pool);
        for (int i = 0; i < 16; ++i) batch.add([&] { all.arrive_and_wait(), done.count_down(); });
        EXPECT_FALSE(all.try_wait());
        batch.hand_over();
        EXPECT_TRUE(batch.empty());
        done.wait();
    }
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, a_thread_that_is_held_is_not_waited_for) {
    WorkerPool pool(2);
    std::latch held(1), release(1), done(100);
    pool.post([&] { held.count_down(), release.wait(); });
    held.wait();
    for (int i = 0; i < 100; ++i) pool.post([&] { done.count_down(); });
    done.wait();
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, one_thread_works_in_order) {
    WorkerPool pool(1);
    std::vector<int> seen;
    WorkBatch batch(pool);
    for (int i = 0; i < 50; ++i) pool.post([&seen, i] { seen.push_back(i); });
    for (int i = 50; i < 100; ++i) batch.add([&seen, i] { seen.push_back(i); });
    batch.hand_over();
    EXPECT_TRUE(pool.stop(long_enough));
    ASSERT_EQ(seen.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST(WorkerPool, makes_no_more_threads_than_it_may) {
    WorkerPool pool(3);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    std::vector<std::thread> posters;
    for (int p = 0; p < 4; ++p)
        posters.emplace_back([&] {
            for (int i = 0; i < 500; ++i)
                pool.post([&] {
                    const std::lock_guard lock(mutex);
                    threads.insert(std::this_thread::get_id());
                });
        });
    for (std::thread& poster : posters) poster.join();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_LE(threads.size(), 3U);
}

TEST(WorkerPool, drops_what_has_not_begun_when_time_is_over) {
    const auto release = std::make_shared<std::latch>(1);
    const auto held = std::make_shared<std::latch>(1);
    std::atomic<bool> ran = false;
    {
        WorkerPool pool(1);
        pool.post([release, held] { held->count_down(), release->wait(); });
        held->wait();
        pool.post([&ran] { ran = true; });
        EXPECT_FALSE(pool.stop({}));
    }
    release->count_down();
    EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace tenon::io
