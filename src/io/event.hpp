// An event that one thread waits for and other threads set.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tenon::io {

/// Thread-safe. Only one thread may wait.
class Event {
 public:
    void set() {
        const std::lock_guard lock(mutex_);
        set_ = true;
        changed_.notify_one();
    }
    /// Returns true when set() was called since the last wait, and false when it was not called before `when`.
    bool wait_until(std::chrono::steady_clock::time_point when) {
        std::unique_lock lock(mutex_);
        const bool was_set = changed_.wait_until(lock, when, [this] { return set_; });
        set_ = false;
        return was_set;
    }
    /// Waits until `done()` returns true or the time is `when`. Calls `done` again after each set().
    template <class Done>
    void wait_until(std::chrono::steady_clock::time_point when, Done done) {
        while (!done() && wait_until(when)) {
        }
    }

 private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool set_ = false;
};

}  // namespace tenon::io
