#include "io/worker_pool.hpp"

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <string>
#include <thread>

#include <tenon/error.hpp>

namespace tenon::io {
namespace {

// Reserves the last quarter of the threads for peers that hold none, unless max_per_peer is larger than the rest.
base::FairShares shares_of(const WorkerPool::Options& options) {
    const std::size_t threads = std::max<std::size_t>(options.max_threads, 1);
    const std::size_t quarter = threads == 1 ? 0 : std::max<std::size_t>(threads / 4, 1);
    const std::size_t most = options.max_per_peer == 0 ? threads - quarter : std::min(options.max_per_peer, threads);
    return {threads, most, std::min(quarter, threads - most)};
}

WorkerPool::Options for_one_peer(std::size_t max_threads) {
    return {.max_threads = max_threads, .max_per_peer = std::max<std::size_t>(max_threads, 1)};
}

}  // namespace

// Shared with the threads, which may outlive the pool when their work does not return.
//
// Threads are woken one at a time. A thread that takes work while more is queued wakes the next thread before it
// starts, since its work may be long. So no work waits behind a handler that blocks, and few threads do quick work.
//
// A thread that posts many items wakes one worker and yields to it (`patient`). On another processor that worker runs
// at once. On the same processor it may finish all items, or block, before more workers are woken.
struct WorkerPool::State : std::enable_shared_from_this<State> {
    explicit State(Options given)
        : options(std::move(given)), max_threads(shares_of(options).threads), queue(shares_of(options)) {}

    const Options options;
    const std::size_t max_threads;
    const PeerPtr common_peer = std::make_shared<Peer>();  // the peer of work without a peer
    std::mutex mutex;
    std::condition_variable work_or_stop;
    std::condition_variable ended;
    base::FairQueue<Work> queue;
    std::vector<std::thread> handles;
    std::size_t threads = 0;  // threads that have not ended
    std::size_t idle = 0;
    bool called = false;      // a thread was woken or started, and has not reached the queue yet
    std::size_t patient = 0;  // threads in queue() that will check whether more workers are needed
    bool stopping = false;

    void run() {
        std::unique_lock lock(mutex);
        called = false;
        Item item;
        while (wait(lock, item)) {
            Item last = std::exchange(item, queue.take());
            patient > 0 ? lock.unlock() : call_another(lock);
            last.reset();  // outside the lock
            execute(*item);
            lock.lock();
            queue.done(*item->peer);
        }
        --threads;
        ended.notify_all();
        lock.unlock();
    }

    // Frees the work before its thread counts as free.
    void execute(base::FairQueue<Work>::Item& item) const noexcept {
        try {
            item.value();
            item.value = nullptr;
        } catch (...) {
            if (options.on_error) options.on_error();
        }
    }

    // Waits for work. Returns false at the end. A waiting thread must not keep a peer alive, so `last` is freed first,
    // outside the lock.
    bool wait(std::unique_lock<std::mutex>& lock, Item& last) {
        while (!queue.ready() && !stopping) {
            if (last) {
                lock.unlock();
                last.reset();
                lock.lock();
                continue;
            }
            ++idle;
            work_or_stop.wait(lock);
            --idle;
            called = false;
        }
        return queue.ready();
    }

    // Wakes or starts a thread if there is work for it. Releases the lock before it wakes the thread, so that the
    // thread does not block on it.
    void call_another(std::unique_lock<std::mutex>& lock) noexcept {
        bool wake = false;
        if (queue.ready() && !called) {
            wake = idle > 0;
            called = wake || (threads < max_threads && start_thread());
        }
        lock.unlock();
        if (wake) work_or_stop.notify_one();
    }

    // Returns false when no thread can be started. The work then waits for an existing thread.
    bool start_thread() noexcept {
        try {
            handles.emplace_back([state = shared_from_this()] { state->run(); });
        } catch (const std::exception&) {
            return false;
        }
        ++threads;
        return true;
    }
};

WorkerPool::WorkerPool(std::size_t max_threads) : WorkerPool(for_one_peer(max_threads)) {}
WorkerPool::WorkerPool(Options options) : state_(std::make_shared<State>(std::move(options))) {}

WorkerPool::~WorkerPool() { stop({}); }

WorkerPool::Item WorkerPool::make(Work work, const PeerPtr& peer) {
    const PeerPtr& whose = peer ? peer : state_->common_peer;
    auto item = std::make_unique<base::FairQueue<Work>::Item>(whose, std::move(work));
    const std::size_t max = state_->options.max_waiting;
    if (whose->claim(max == 0 ? std::numeric_limits<std::size_t>::max() : max)) return item;
    throw Exception({code::server_error,
                     "Too many calls of this client wait for a worker: the limit "
                     "(Limits::max_waiting_calls) is " +
                         std::to_string(max) + "; wait for answers before you send more",
                     LimitName::max_waiting_calls});
}

void WorkerPool::post(Work work, const PeerPtr& peer) {
    if (WorkBatch* const batch = WorkBatch::of(*this)) return batch->add(std::move(work), peer);
    start();
    Item item = make(std::move(work), peer);
    std::unique_lock lock(state_->mutex);
    if (state_->stopping) return;
    state_->queue.push(std::move(item));
    state_->call_another(lock);
}

WorkerPool::Usage WorkerPool::usage() const {
    const std::lock_guard lock(state_->mutex);
    return {state_->queue.running(), state_->queue.waiting()};
}

// Makes sure that there is a thread.
void WorkerPool::start() {
    const std::lock_guard lock(state_->mutex);
    if (state_->threads > 0 || state_->stopping) return;
    state_->called = state_->start_thread();
    if (!state_->called)
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again),
                                "no thread can be started");
}

// Queues all items in order. Call start() before.
void WorkerPool::queue(std::span<Item> work) noexcept {
    std::unique_lock lock(state_->mutex);
    if (state_->stopping) return;
    for (Item& one : work) state_->queue.push(std::move(one));
    ++state_->patient;
    state_->call_another(lock);
    std::this_thread::yield();
    lock.lock();
    --state_->patient;
    state_->call_another(lock);
}

// Queues all items in order, and takes the next one for a thread that is not one of the pool.
WorkerPool::Item WorkerPool::claim(std::span<Item> work) noexcept {
    std::unique_lock lock(state_->mutex);
    if (state_->stopping) return nullptr;
    for (Item& one : work) state_->queue.push(std::move(one));
    if (state_->queue.ready()) return state_->queue.take();
    state_->call_another(lock);
    return nullptr;
}

WorkerPool::Item WorkerPool::next(Item done, bool more) noexcept {
    std::unique_lock lock(state_->mutex);
    state_->queue.done(*done->peer);
    if (state_->stopping) state_->ended.notify_all();
    if (more && !state_->stopping && state_->queue.ready()) return state_->queue.take();
    state_->call_another(lock);
    return nullptr;
}

void WorkerPool::wake() noexcept {
    std::unique_lock lock(state_->mutex);
    state_->call_another(lock);
}

thread_local WorkBatch* WorkBatch::innermost_ = nullptr;

// When it throws, the items that were added before are kept.
void WorkBatch::add(WorkerPool::Work work, const WorkerPool::PeerPtr& peer) {
    if (!started_) pool_.start();
    started_ = true;
    WorkerPool::Item item = pool_.make(std::move(work), peer);
    if (empty() && on_first_) on_first_();
    work_.push_back(std::move(item));
}

void WorkBatch::hand_over() noexcept {
    if (empty()) return;
    handed_over_.swap(work_);  // first, so that the next batch is empty
    pool_.queue(handed_over_);
    handed_over_.clear();
}

WorkerPool::Item WorkBatch::take_first() noexcept {
    handed_over_.swap(work_);
    WorkerPool::Item item = pool_.claim(handed_over_);
    handed_over_.clear();
    return item;
}

void WorkBatch::run(WorkerPool::Item& item) noexcept {
    WorkBatch* const hidden = std::exchange(innermost_, outer_);
    pool_.state_->execute(*item);
    innermost_ = hidden;
}

WorkerPool::Item WorkBatch::next(WorkerPool::Item done, bool more) noexcept {
    return pool_.next(std::move(done), more);
}

bool WorkerPool::stop(std::chrono::steady_clock::duration time) {
    std::unique_lock lock(state_->mutex);
    state_->stopping = true;
    state_->work_or_stop.notify_all();
    const auto none_left = [this] { return state_->threads == 0 && state_->queue.running() == 0; };
    state_->ended.wait_for(lock, time, none_left);
    while (Item dropped = state_->queue.drop_one()) {  // freed outside the lock, and without a need for memory
        lock.unlock();
        dropped.reset();
        lock.lock();
    }
    const bool all_ended = state_->queue.running() == 0;
    if (all_ended) state_->ended.wait(lock, none_left);  // they hold no work and are about to end
    std::vector<std::thread> handles;
    handles.swap(state_->handles);
    lock.unlock();
    // join(), because a thread that has left run() may still be freeing thread-local data of other libraries.
    for (std::thread& thread : handles) all_ended ? thread.join() : thread.detach();
    return all_ended;
}

}  // namespace tenon::io
