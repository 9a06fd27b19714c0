// The threads that run handlers. Work waits only when all threads are busy.
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

// Each piece ends only when all have begun. With fewer threads than pieces the test would never end.
TEST(WorkerPool, blocking_work_does_not_delay_other_work) {
    WorkerPool pool(16);
    std::latch all(16);
    for (int i = 0; i < 16; ++i) pool.post([&all] { all.arrive_and_wait(); });
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, blocking_work_does_not_delay_its_batch) {
    WorkerPool pool(16);
    for (int round = 0; round < 3; ++round) {
        std::latch all(16), done(16);
        WorkBatch batch(pool);
        for (int i = 0; i < 16; ++i) pool.post([&] { all.arrive_and_wait(), done.count_down(); });
        EXPECT_FALSE(all.try_wait());
        batch.hand_over();
        EXPECT_TRUE(batch.empty());
        done.wait();
    }
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, a_batch_collects_only_the_work_of_its_thread_and_its_pool) {
    WorkerPool pool(2), other(2);
    int first = 0;
    std::latch elsewhere(2);
    std::atomic<bool> ran = false;
    {
        WorkBatch batch(pool, [&first] { ++first; });
        other.post([&] { elsewhere.count_down(); });
        std::thread([&] { pool.post([&] { elsewhere.count_down(); }); }).join();
        elsewhere.wait();
        EXPECT_TRUE(batch.empty());
        pool.post([&] { ran = true; });
        pool.post([] {});
        EXPECT_FALSE(batch.empty());
        EXPECT_EQ(first, 1) << "told of the first item only";
        batch.hand_over();
        pool.post([] {});
        EXPECT_EQ(first, 2) << "told of the first item of the next batch";
    }
    EXPECT_TRUE(pool.stop(long_enough)) << "the end of a batch hands its work over";
    EXPECT_TRUE(ran);
}

// Runs the work of a batch on this thread, like the reading thread of stdio.
void run_here(WorkBatch& batch) {
    for (WorkerPool::Item item = batch.take_first(); item;) {
        batch.run(item);
        item = batch.next(std::move(item), true);
    }
}

TEST(WorkerPool, the_posting_thread_can_run_a_batch_itself) {
    WorkerPool pool(2);
    WorkBatch batch(pool);
    std::vector<int> order;
    for (int i = 0; i < 3; ++i)
        pool.post([&, i, here = std::this_thread::get_id()] {
            EXPECT_EQ(std::this_thread::get_id(), here);
            EXPECT_EQ(pool.usage().busy, 1u);
            order.push_back(i);
        });
    EXPECT_EQ(batch.size(), 3u);
    run_here(batch);
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(order, (std::vector{0, 1, 2}));
    EXPECT_EQ(pool.usage().busy, 0u);
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, the_pool_runs_what_the_posting_thread_leaves) {
    WorkerPool pool(2);
    WorkBatch batch(pool);
    std::latch others(2);
    pool.post([] {});
    for (int i = 0; i < 2; ++i)
        pool.post([&, here = std::this_thread::get_id()] {
            EXPECT_NE(std::this_thread::get_id(), here);
            others.count_down();
        });
    WorkerPool::Item first = batch.take_first();
    ASSERT_TRUE(first);
    batch.run(first);
    EXPECT_FALSE(batch.next(std::move(first), false));
    others.wait();
}

// As when the thread that reads on finds that a call blocks.
TEST(WorkerPool, wake_lets_the_pool_run_what_waits_behind_an_item_that_blocks) {
    WorkerPool pool(2);
    WorkBatch batch(pool);
    std::latch begun(1), behind(1);
    pool.post([&] { begun.count_down(), behind.wait(); });
    pool.post([&] { behind.count_down(); });
    std::thread watcher([&] { begun.wait(), pool.wake(); });
    run_here(batch);
    watcher.join();
}

// The item waits for the work that it posts. Work that stayed in the batch would never run.
TEST(WorkerPool, work_that_an_item_posts_is_not_collected_by_the_batch) {
    WorkerPool pool(2);
    WorkBatch batch(pool);
    std::latch posted(1);
    pool.post([&] {
        pool.post([&] { posted.count_down(); });
        posted.wait();
    });
    run_here(batch);
    pool.post([] {});
    EXPECT_EQ(batch.size(), 1u) << "it collects again";
}

TEST(WorkerPool, a_batch_waits_while_all_threads_are_busy) {
    WorkerPool pool(1);
    std::latch held(1), release(1), done(1);
    pool.post([&] { held.count_down(), release.wait(); });
    held.wait();
    WorkBatch batch(pool);
    pool.post([&] { done.count_down(); });
    EXPECT_FALSE(batch.take_first());
    EXPECT_TRUE(batch.empty());
    release.count_down();
    done.wait();
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, stop_waits_for_an_item_that_another_thread_runs) {
    WorkerPool pool(2);
    std::latch begun(1), release(1);
    std::atomic<bool> ended = false;
    std::thread outside([&] {
        WorkBatch batch(pool);
        pool.post([&] { begun.count_down(), release.wait(), ended = true; });
        run_here(batch);
    });
    begun.wait();
    EXPECT_FALSE(pool.stop({}));
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_TRUE(ended);
    outside.join();
}

TEST(WorkerPool, a_busy_thread_does_not_delay_new_work) {
    WorkerPool pool(2);
    std::latch held(1), release(1), done(100);
    pool.post([&] { held.count_down(), release.wait(); });
    held.wait();
    for (int i = 0; i < 100; ++i) pool.post([&] { done.count_down(); });
    done.wait();
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, one_thread_runs_work_in_order) {
    WorkerPool pool(1);
    std::vector<int> seen;
    for (int i = 0; i < 50; ++i) pool.post([&seen, i] { seen.push_back(i); });
    WorkBatch batch(pool);
    for (int i = 50; i < 100; ++i) pool.post([&seen, i] { seen.push_back(i); });
    batch.hand_over();
    EXPECT_TRUE(pool.stop(long_enough));
    ASSERT_EQ(seen.size(), 100U);
    EXPECT_TRUE(std::ranges::is_sorted(seen));
}

TEST(WorkerPool, creates_at_most_max_threads) {
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

TEST(WorkerPool, stop_drops_waiting_work_after_its_time) {
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
    EXPECT_EQ(begun, 3) << "one peer may hold three quarters of the four threads";
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_EQ(begun, 10);
}

TEST(WorkerPool, a_batch_may_contain_work_of_several_peers) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 4});
    const auto slow = new_peer(), quick = new_peer();
    std::latch release(1), done(10);
    WorkBatch batch(pool);
    for (int i = 0; i < 10; ++i) pool.post([&] { release.wait(); }, slow);
    for (int i = 0; i < 10; ++i) pool.post([&] { done.count_down(); }, quick);
    batch.hand_over();
    done.wait();
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, max_per_peer_can_allow_one_peer_all_threads) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 4, .max_per_peer = 4});
    const auto peer = new_peer();
    std::latch all(4);
    for (int i = 0; i < 4; ++i) pool.post([&] { all.arrive_and_wait(); }, peer);
    EXPECT_TRUE(pool.stop(long_enough));
}

TEST(WorkerPool, refuses_work_over_the_limit_of_waiting_calls_per_peer) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 1, .max_waiting = 2});
    const auto greedy = new_peer(), other = new_peer();
    std::latch held(1), release(1);
    std::atomic<int> ran = 0;
    pool.post([&] { held.count_down(), release.wait(), ++ran; }, greedy);
    held.wait();
    pool.post([&] { ++ran; }, greedy);
    WorkBatch batch(pool);
    pool.post([&] { ++ran; }, greedy);
    EXPECT_FALSE(batch.empty());
    try {
        pool.post([&] { ++ran; }, greedy);
        ADD_FAILURE() << "a third waiting piece was accepted";
    } catch (const Exception& e) {
        EXPECT_EQ(e.error().code, code::server_error);
        EXPECT_NE(e.error().message.find("Limits::max_waiting_calls"), std::string::npos) << e.error().message;
    }
    EXPECT_THROW(pool.post([&] { ++ran; }, greedy), Exception);
    pool.post([&] { ++ran; }, other);
    batch.hand_over();
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_EQ(ran, 4) << "exactly the accepted work must run";
}

TEST(WorkerPool, drops_peers_without_work) {
    WorkerPool pool(WorkerPool::Options{.max_threads = 1});
    auto peer = new_peer();
    const std::weak_ptr<WorkerPool::Peer> gone = peer;
    pool.post([] {}, peer);
    peer.reset();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_TRUE(gone.expired());
}

TEST(WorkerPool, an_exception_is_reported_and_does_not_end_the_thread) {
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

TEST(WorkerPool, stop_succeeds_at_once_when_no_thread_is_busy) {
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
