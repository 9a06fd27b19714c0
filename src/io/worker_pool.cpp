#include "io/worker_pool.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tenon::io {

// Shared with the threads, which may outlive the pool when their work does not return.
struct WorkerPool::State {
    explicit State(std::size_t max) : max_threads(max == 0 ? 1 : max) {}

    const std::size_t max_threads;
    std::mutex mutex;
    std::condition_variable work_or_stop;
    std::condition_variable ended;
    std::deque<std::function<void()>> queue;
    std::vector<std::thread> handles;
    std::size_t threads = 0;  // that have not ended
    std::size_t idle = 0;
    bool stopping = false;

    void run() {
        std::unique_lock lock(mutex);
        for (;;) {
            ++idle;
            work_or_stop.wait(lock, [this] { return stopping || !queue.empty(); });
            --idle;
            if (queue.empty()) break;
            auto work = std::move(queue.front());
            queue.pop_front();
            lock.unlock();
            work();
            work = nullptr;  // what it held is freed outside the lock
            lock.lock();
        }
        --threads;
        ended.notify_all();
    }
};

WorkerPool::WorkerPool(std::size_t max_threads) : state_(std::make_shared<State>(max_threads)) {}

WorkerPool::~WorkerPool() { stop({}); }

void WorkerPool::post(std::function<void()> work) {
    const std::lock_guard lock(state_->mutex);
    if (state_->stopping) return;
    state_->queue.push_back(std::move(work));
    if (state_->queue.size() > state_->idle && state_->threads < state_->max_threads) {
        start_thread();
    } else {
        state_->work_or_stop.notify_one();
    }
}

// Without a new thread the work waits for one that is there; when there is none, nobody would ever do it.
void WorkerPool::start_thread() {
    try {
        state_->handles.emplace_back([state = state_] { state->run(); });
        ++state_->threads;
    } catch (const std::system_error&) {
        if (state_->threads > 0) return;
        state_->queue.pop_back();
        throw;
    }
}

bool WorkerPool::stop(std::chrono::steady_clock::duration time) {
    std::unique_lock lock(state_->mutex);
    state_->stopping = true;
    state_->work_or_stop.notify_all();
    const bool all_ended = state_->ended.wait_for(lock, time, [this] { return state_->threads == 0; });
    std::deque<std::function<void()>> dropped;
    dropped.swap(state_->queue);
    std::vector<std::thread> handles;
    handles.swap(state_->handles);
    lock.unlock();
    // A thread that has said its last word may still be freeing what other libraries keep for it.
    for (std::thread& thread : handles) all_ended ? thread.join() : thread.detach();
    return all_ended;
}

}  // namespace tenon::io
