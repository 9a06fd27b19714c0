#include "io/worker_pool.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace tenon::io {

// Shared with the threads, which may outlive the pool when their work does not return.
//
// Threads are called one at a time: whoever takes work while more is queued calls the next before it begins, since it
// may be long. So nobody waits behind a handler that blocks, and quick work is done by few. Whoever brings much work
// calls one and lets it run first: on a processor of its own it runs already, and on the same one it may be through
// with all of it, or blocks, before the others are called.
struct WorkerPool::State : std::enable_shared_from_this<State> {
    explicit State(std::size_t max) : max_threads(max == 0 ? 1 : max) {}

    const std::size_t max_threads;
    std::mutex mutex;
    std::condition_variable work_or_stop;
    std::condition_variable ended;
    std::deque<Work> queue;
    std::vector<std::thread> handles;
    std::size_t threads = 0;  // that have not ended
    std::size_t idle = 0;
    bool called = false;      // a thread is on its way to the queue
    std::size_t patient = 0;  // who brought work, and will look whether more threads are needed
    bool stopping = false;

    void run() {
        std::unique_lock lock(mutex);
        called = false;
        while (wait(lock)) {
            Work work = std::move(queue.front());
            queue.pop_front();
            patient > 0 ? lock.unlock() : call_another(lock);
            work();
            work = nullptr;  // what it held is freed outside the lock
            lock.lock();
        }
        --threads;
        ended.notify_all();
    }

    // False: it is the end.
    bool wait(std::unique_lock<std::mutex>& lock) {
        while (queue.empty() && !stopping) {
            ++idle;
            work_or_stop.wait(lock);
            --idle;
            called = false;
        }
        return !queue.empty();
    }

    // Gives up the lock, so that whoever is called does not run into it.
    void call_another(std::unique_lock<std::mutex>& lock) {
        bool wake = false;
        if (!queue.empty() && !called) {
            wake = idle > 0;
            called = wake || (threads < max_threads && start_thread());
        }
        lock.unlock();
        if (wake) work_or_stop.notify_one();
    }

    // Without a new thread the work waits for one that is there.
    bool start_thread() {
        try {
            handles.emplace_back([state = shared_from_this()] { state->run(); });
        } catch (const std::exception&) {
            if (threads == 0) throw;
            return false;
        }
        ++threads;
        return true;
    }
};

WorkerPool::WorkerPool(std::size_t max_threads) : state_(std::make_shared<State>(max_threads)) {}

WorkerPool::~WorkerPool() { stop({}); }

void WorkerPool::post(Work work) {
    start();
    std::unique_lock lock(state_->mutex);
    if (!state_->stopping) state_->queue.push_back(std::move(work));
    state_->call_another(lock);
}

void WorkerPool::start() {
    const std::lock_guard lock(state_->mutex);
    if (state_->threads == 0 && !state_->stopping) state_->called = state_->start_thread();
}

void WorkerPool::post(std::span<Work> work) {
    start();
    std::unique_lock lock(state_->mutex);
    if (!state_->stopping)
        for (Work& one : work) state_->queue.push_back(std::move(one));
    ++state_->patient;
    state_->call_another(lock);
    std::this_thread::yield();
    lock.lock();
    --state_->patient;
    state_->call_another(lock);
}

bool WorkerPool::stop(std::chrono::steady_clock::duration time) {
    std::unique_lock lock(state_->mutex);
    state_->stopping = true;
    state_->work_or_stop.notify_all();
    const bool all_ended = state_->ended.wait_for(lock, time, [this] { return state_->threads == 0; });
    std::deque<Work> dropped;
    dropped.swap(state_->queue);
    std::vector<std::thread> handles;
    handles.swap(state_->handles);
    lock.unlock();
    // A thread that has said its last word may still be freeing what other libraries keep for it.
    for (std::thread& thread : handles) all_ended ? thread.join() : thread.detach();
    return all_ended;
}

}  // namespace tenon::io
