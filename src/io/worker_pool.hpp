// Threads that run handlers: made when one is needed, at most as many as the limit.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace tenon::io {

/// A handler that blocks holds one thread and delays nobody until all are held; work waits in order then.
/// Thread-safe. Work must not throw.
class WorkerPool {
 public:
    explicit WorkerPool(std::size_t max_threads);
    ~WorkerPool();  ///< stop() with no time at all
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /// Throws std::system_error when there is no thread and none can be made.
    void post(std::function<void()> work);

    /// Takes no more work, and waits for the threads to end. False when some were still busy after `time`: they go on,
    /// on their own, until their work returns. Work that had not begun by then is dropped.
    bool stop(std::chrono::steady_clock::duration time);

 private:
    void start_thread();  // under the lock

    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace tenon::io
