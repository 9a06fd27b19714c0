// Threads that run handlers: made when one is needed, at most as many as the limit, and shared fairly between peers.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/fair_queue.hpp"

namespace tenon::io {

/// A handler that blocks holds one thread of its peer's share. A peer that holds no thread gets one at once while one
/// is free, and otherwise is served before peers that hold one: see base::FairQueue for the rule. Thread-safe.
class WorkerPool {
 public:
    using Work = std::function<void()>;
    using Peer = base::FairQueue<Work>::Peer;
    using PeerPtr = std::shared_ptr<Peer>;

    struct Options {
        std::size_t max_threads = 1;
        std::size_t max_per_peer = 0;  ///< threads that one peer may hold; 0: three quarters, at least one
        std::size_t max_waiting = 0;   ///< pieces of work of one peer that wait for a thread; 0: any number
        /// Called while the exception of work that threw is being handled. Must not throw.
        std::function<void()> on_error = {};
    };
    /// A pool for one peer, which may hold all threads.
    explicit WorkerPool(std::size_t max_threads);
    explicit WorkerPool(Options options);
    ~WorkerPool();  ///< stop() with no time at all
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Takes work of a peer; of a peer that all callers share when it is empty. Throws Exception when too much of that
    /// peer's work waits, and std::system_error when there is no thread and none can be made.
    void post(Work work, const PeerPtr& peer = {});
    /// From here on there is a thread. Throws std::system_error when none can be made.
    void start();

    using Item = base::FairQueue<Work>::ItemPtr;
    /// Makes work ready to be posted. Throws Exception when too much of that peer's work waits.
    Item make(Work work, const PeerPtr& peer = {});
    /// Takes all of it, in order, after start(). Does not throw.
    void post(std::span<Item> work) noexcept;

    /// Takes no more work, and waits for the threads to end. False when some were still busy after `time`: they go on,
    /// on their own, until their work returns. Work that had not begun by then is dropped.
    bool stop(std::chrono::steady_clock::duration time);

 private:
    struct State;
    std::shared_ptr<State> state_;
};

/// The work that one thread has for a pool, handed over when the thread is through with what it was doing: to wake
/// a worker for each piece costs more than most pieces. For one thread.
class WorkBatch {
 public:
    explicit WorkBatch(WorkerPool& pool) : pool_(pool) {}
    /// Throws as WorkerPool::post() does. Work that was added is not lost.
    void add(WorkerPool::Work work, const WorkerPool::PeerPtr& peer = {}) {
        if (!started_) pool_.start();
        started_ = true;
        work_.push_back(pool_.make(std::move(work), peer));
    }
    bool empty() const { return work_.empty(); }
    void hand_over() noexcept {
        if (empty()) return;
        handed_over_.swap(work_);  // first: the next batch begins empty
        pool_.post(handed_over_);
        handed_over_.clear();
    }

 private:
    WorkerPool& pool_;
    bool started_ = false;
    std::vector<WorkerPool::Item> work_, handed_over_;
};

}  // namespace tenon::io
