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
    using Item = base::FairQueue<Work>::ItemPtr;

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

    /// Queues work of a peer. Work without a peer belongs to one common peer. If the calling thread has a WorkBatch of
    /// this pool, the work waits there until it is handed over. Throws Exception when too much work of the peer waits,
    /// and std::system_error when there is no thread and none can be started.
    void post(Work work, const PeerPtr& peer = {});

    /// What the pool does at the moment.
    struct Usage {
        std::size_t busy = 0;     ///< threads that run work
        std::size_t waiting = 0;  ///< work items that wait for a thread
    };
    Usage usage() const;
    /// Wakes a thread if there is work for it. For work of WorkBatch::take_first() whose thread is held up.
    void wake() noexcept;

    /// Returns a function that posts work of no particular peer.
    std::function<void(Work)> poster() {
        return [this](Work work) { post(std::move(work)); };
    }

    /// Accepts no more work, and waits up to `time` for the threads to end. Work that has not started by then is
    /// dropped. Returns false when threads are still busy: they continue, detached, until their work returns.
    bool stop(std::chrono::steady_clock::duration time);

 private:
    friend class WorkBatch;
    void start();
    Item make(Work work, const PeerPtr& peer);
    void queue(std::span<Item> work) noexcept;
    Item claim(std::span<Item> work) noexcept;
    Item next(Item done, bool more) noexcept;

    struct State;
    std::shared_ptr<State> state_;
};

/// Collects the work that its thread posts to a pool, and queues it in one step. Waking a worker for each item would
/// cost more than most items. Create, use and destroy it on one thread.
class WorkBatch {
 public:
    /// `on_first` is called before the first item since the last hand_over(). It may plan the next one.
    explicit WorkBatch(WorkerPool& pool, std::function<void()> on_first = {})
        : pool_(pool), on_first_(std::move(on_first)), outer_(std::exchange(innermost_, this)) {}
    ~WorkBatch() {
        hand_over();
        innermost_ = outer_;
    }
    WorkBatch(const WorkBatch&) = delete;
    WorkBatch& operator=(const WorkBatch&) = delete;

    bool empty() const { return work_.empty(); }
    /// Queues the work that was collected.
    void hand_over() noexcept;

    std::size_t size() const { return work_.size(); }
    /// Queues the work that was collected, and takes the first item for run(): this thread then counts as a thread of
    /// the pool. No other thread is woken for the rest: next() gives it to this thread, or wakes one. Returns null when
    /// the threads of the pool hold as much work as they may.
    WorkerPool::Item take_first() noexcept;
    /// Runs an item on this thread. Work that it posts goes to the pool at once.
    void run(WorkerPool::Item& item) noexcept;
    /// Reports that an item has run. Returns the next one if `more`. Otherwise other threads run what is queued.
    WorkerPool::Item next(WorkerPool::Item done, bool more) noexcept;

 private:
    friend class WorkerPool;
    /// Returns the batch of the calling thread for this pool; null: there is none.
    static WorkBatch* of(const WorkerPool& pool) {
        WorkBatch* batch = innermost_;
        while (batch && &batch->pool_ != &pool) batch = batch->outer_;
        return batch;
    }
    void add(WorkerPool::Work work, const WorkerPool::PeerPtr& peer);

    static thread_local WorkBatch* innermost_;
    WorkerPool& pool_;
    const std::function<void()> on_first_;
    WorkBatch* const outer_;
    bool started_ = false;  // the pool has a thread
    std::vector<WorkerPool::Item> work_, handed_over_;
};

}  // namespace tenon::io

#pragma GCC visibility pop
