// What happens to work when no thread can be created. The test replaces pthread_create, so it cannot run under a
// sanitizer, which replaces it too.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <latch>
#include <system_error>

#include "io/worker_pool.hpp"

namespace {

std::atomic<bool> fail = false;

struct NoThreads {
    NoThreads() { fail = true; }
    ~NoThreads() { fail = false; }
};

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) {
    if (fail) return EAGAIN;
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    return create(thread, attributes, run, argument);
}

namespace tenon::io {
namespace {

constexpr auto long_enough = std::chrono::minutes(1);

TEST(WorkerPoolWithoutThreads, refuses_work_without_any_thread_and_accepts_it_later) {
    WorkerPool pool(2);
    std::atomic<int> ran = 0;
    {
        const NoThreads none;
        EXPECT_THROW(pool.post([&] { ++ran; }), std::system_error);
        WorkBatch batch(pool);
        EXPECT_THROW(pool.post([&] { ++ran; }), std::system_error);
        EXPECT_TRUE(batch.empty());
    }
    pool.post([&] { ++ran; });
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_EQ(ran, 1) << "refused work must not run";
}

TEST(WorkerPoolWithoutThreads, loses_no_work_when_a_second_thread_cannot_be_created) {
    WorkerPool pool(2);
    std::latch held(1), release(1);
    std::atomic<int> ran = 0;
    pool.post([&] { held.count_down(), release.wait(), ++ran; });
    held.wait();
    {
        const NoThreads none;
        pool.post([&] { ++ran; });
        WorkBatch batch(pool);
        for (int i = 0; i < 10; ++i) pool.post([&] { ++ran; });
        batch.hand_over();
    }
    EXPECT_EQ(ran, 0);
    release.count_down();
    EXPECT_TRUE(pool.stop(long_enough));
    EXPECT_EQ(ran, 12);
}

}  // namespace
}  // namespace tenon::io

#endif
