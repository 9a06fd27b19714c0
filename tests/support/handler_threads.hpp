// Runs the handlers of a session on threads.
#pragma once

#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon::test {

/// Runs each handler on its own thread, and joins the threads at the end.
class HandlerThreads {
 public:
    std::function<void(std::function<void()>)> post() {
        return [this](std::function<void()> job) {
            const std::lock_guard lock(mutex_);
            threads_.emplace_back(std::move(job));
        };
    }
    void join() {
        std::vector<std::jthread> threads;
        const std::lock_guard lock(mutex_);
        threads.swap(threads_);
    }

 private:
    std::mutex mutex_;
    std::vector<std::jthread> threads_;
};

}  // namespace tenon::test
