// A pool of threads that run handlers. Threads are started when needed, up to a limit, and shared fairly between peers.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/fair_queue.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// Runs work on its threads. Work that blocks holds one thread of its peer's share. A peer that holds no thread gets a
/// free thread at once. If none is free, it is served before peers that hold one: base::FairQueue has the rules.
/// Thread-safe.
class WorkerPool {
 public:
    using Work = std::function<void()>;
    using Peer = base::FairQueue<Work>::Peer;
    using PeerPtr = std::shared_ptr<Peer>;

    struct Options {
        std::size_t max_threads = 1;
        std::size_t max_per_peer = 0;  ///< the most threads that one peer may hold; 0: three quarters, at least one
        std::size_t max_waiting = 0;   ///< the most waiting work items of one peer; 0: any number
        /// Called inside the catch block when work has thrown. Must not throw.
        std::function<void()> on_error = {};
    };
    /// A pool for one peer, which may hold all threads.
    explicit WorkerPool(std::size_t max_threads);
    explicit WorkerPool(Options options);
    ~WorkerPool();  ///< calls stop(0)
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Queues work of a peer. Work without a peer belongs to one common peer. Throws Exception when too much work of
    /// the peer waits, and std::system_error when there is no thread and none can be started.
    void post(Work work, const PeerPtr& peer = {});
    /// Makes sure that there is a thread. Throws std::system_error when none can be started.
    void start();

    using Item = base::FairQueue<Work>::ItemPtr;
    /// Makes an item to post later. Throws Exception when too much work of the peer waits.
    Item make(Work work, const PeerPtr& peer = {});
    /// Queues all items in order. Call start() before. Does not throw.
    void post(std::span<Item> work) noexcept;

    /// Accepts no more work, and waits up to `time` for the threads to end. Work that has not started by then is
    /// dropped. Returns false when threads are still busy: they go on, detached, until their work returns.
    bool stop(std::chrono::steady_clock::duration time);

 private:
    struct State;
    std::shared_ptr<State> state_;
};

/// Collects work of one thread, and posts it to the pool in one step. Waking a worker for each item would cost more
/// than most items. Not thread-safe.
class WorkBatch {
 public:
    explicit WorkBatch(WorkerPool& pool) : pool_(pool) {}
    /// Adds work. Throws like WorkerPool::post(). Work that was added before is kept.
    void add(WorkerPool::Work work, const WorkerPool::PeerPtr& peer = {}) {
        if (!started_) pool_.start();
        started_ = true;
        work_.push_back(pool_.make(std::move(work), peer));
    }
    bool empty() const { return work_.empty(); }
    void hand_over() noexcept {
        if (empty()) return;
        handed_over_.swap(work_);  // before post(), so that the next batch is empty
        pool_.post(handed_over_);
        handed_over_.clear();
    }

 private:
    WorkerPool& pool_;
    bool started_ = false;
    std::vector<WorkerPool::Item> work_, handed_over_;
};

}  // namespace tenon::io

#pragma GCC visibility pop
