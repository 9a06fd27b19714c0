// Threads that run handlers: made when one is needed, at most as many as the limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tenon::io {

/// A handler that blocks holds one thread and delays nobody until all are held; work waits in order then.
/// Thread-safe. Work must not throw.
class WorkerPool {
 public:
    explicit WorkerPool(std::size_t max_threads);
    ~WorkerPool();  ///< stop() with no time at all
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    using Work = std::function<void()>;
    /// Throws std::system_error when there is no thread and none can be made.
    void post(Work work);
    /// All of it, in order.
    void post(std::span<Work> work);
    /// From here on there is a thread, and post() does not throw.
    void start();

    /// Takes no more work, and waits for the threads to end. False when some were still busy after `time`: they go on,
    /// on their own, until their work returns. Work that had not begun by then is dropped.
    bool stop(std::chrono::steady_clock::duration time);

 private:
    struct State;
    std::shared_ptr<State> state_;
};

/// The work that one thread has for a pool, handed over when the thread is through with what it was doing: to wake
/// somebody for each piece costs more than most pieces. For one thread.
class WorkBatch {
 public:
    explicit WorkBatch(WorkerPool& pool) : pool_(pool) {}
    /// Throws as WorkerPool::post() does.
    void add(WorkerPool::Work work) {
        if (!started_) pool_.start();
        started_ = true;
        work_.push_back(std::move(work));
    }
    bool empty() const { return work_.empty(); }
    void hand_over() {
        if (empty()) return;
        handed_over_.clear();
        handed_over_.swap(work_);  // first: whatever happens, the next batch begins empty
        pool_.post(handed_over_);
    }

 private:
    WorkerPool& pool_;
    bool started_ = false;
    std::vector<WorkerPool::Work> work_, handed_over_;
};

}  // namespace tenon::io
