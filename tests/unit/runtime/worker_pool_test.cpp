// The threads that run handlers: nobody waits behind one that blocks, until all are held.
#include "io/worker_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <thread>

#include <tenon/error.hpp>

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

// ---- peers

const auto new_peer = [] { return std::make_shared<WorkerPool::Peer>(); };

TEST(WorkerPool, slow_work_of_one_peer_leaves_a_thread_for_another) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 4});
    const auto slow = new_peer(), quick = new_peer();
    std::latch held(3), release(1), done(100);
    std::atomic<int> begun = 0;
    for (int i = 0; i < 10; ++i)
        pool.post(
            [&] {
                if (++begun <= 3) held.count_down();
                release.wait();
            },
            slow);
    held.wait();
    for (int i = 0; i < 100; ++i) pool.post([&] { done.count_down(); }, quick);
    done.wait();
    EXPECT_EQ(begun, 3) << "three quarters of four threads";
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_EQ(begun, 10);
}

TEST(WorkerPool, the_work_of_a_batch_may_be_of_several_peers) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 4});
    const auto slow = new_peer(), quick = new_peer();
    std::latch release(1), done(10);
    WorkBatch batch(pool);
    for (int i = 0; i < 10; ++i) batch.add([&] { release.wait(); }, slow);
    for (int i = 0; i < 10; ++i) batch.add([&] { done.count_down(); }, quick);
    batch.hand_over();
    done.wait();
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, one_peer_may_be_allowed_all_threads) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 4, .max_per_peer = 4});
    const auto peer = new_peer();
    std::latch all(4);
    for (int i = 0; i < 4; ++i) pool.post([&] { all.arrive_and_wait(); }, peer);
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, refuses_work_of_a_peer_that_has_too_much_waiting_and_names_the_limit) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 1, .max_waiting = 2});
    const auto greedy = new_peer(), other = new_peer();
    std::latch held(1), release(1);
    std::atomic<int> ran = 0;
    pool.post([&] { held.count_down(), release.wait(), ++ran; }, greedy);
    held.wait();
    pool.post([&] { ++ran; }, greedy);
    WorkBatch batch(pool);
    batch.add([&] { ++ran; }, greedy);
    try {
        batch.add([&] { ++ran; }, greedy);
        ADD_FAILURE() << "the third piece that waits was taken";
    } catch (const Exception& e) {
        EXPECT_EQ(e.error().code, code::server_error);
        EXPECT_NE(e.error().message.find("Limits::max_waiting_calls"), std::string::npos) << e.error().message;
    }
    EXPECT_THROW(pool.post([&] { ++ran; }, greedy), Exception);
    batch.add([&] { ++ran; }, other);
    batch.hand_over();
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_EQ(ran, 4) << "all that was taken, and nothing else";
}

TEST(WorkerPool, keeps_no_peer_that_has_no_work) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 1});
    auto peer = new_peer();
    const std::weak_ptr<WorkerPool::Peer> gone = peer;
    pool.post([] {}, peer);
    peer.reset();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_TRUE(gone.expired());
}

TEST(WorkerPool, work_that_throws_is_told_and_does_not_end_its_thread) {
    std::atomic<int> told = 0;
    WorkerPool pool(WorkerPool::Options{.max_threads = 1, .on_error = [&told] { ++told; }});
    std::latch done(1);
    pool.post([] { throw std::runtime_error("an exception that nothing caught"); });
    pool.post([] { throw 1; });
    pool.post([&] { done.count_down(); });
    done.wait();
    EXPECT_EQ(told, 2);
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, says_that_all_have_ended_without_any_time_when_none_is_busy) {
    for (int i = 0; i < 100; ++i) {
        WorkerPool pool(4);
        std::latch done(4);
        for (int k = 0; k < 4; ++k) pool.post([&] { done.arrive_and_wait(); });
        done.wait();
        while (!pool.stop(std::chrono::milliseconds(1))) {
        }
        EXPECT_TRUE(pool.stop({}));
    }
}

}  // namespace
}  // namespace tenon::io
