// A stop_source that costs nothing until somebody listens: most work is never told to stop, and never asks.
#pragma once

#include <atomic>
#include <mutex>
#include <stop_token>

namespace tenon::base {

/// Thread-safe. Callbacks run on the thread of request_stop(), without a lock held.
class LateStop {
 public:
    bool stop_requested() const {
        return requested_.load(std::memory_order_acquire) ||
               (listened_to_.load(std::memory_order_acquire) && source_.stop_requested());
    }

    void request_stop() {
        {
            const std::lock_guard lock(mutex_);
            requested_.store(true, std::memory_order_release);
            if (!listened_to_.load()) return;
        }
        source_.request_stop();
    }

    std::stop_source source() {
        const std::lock_guard lock(mutex_);
        if (!listened_to_.load()) {
            source_ = std::stop_source();
            if (stop_requested()) source_.request_stop();  // nobody can have registered yet
            listened_to_.store(true, std::memory_order_release);
        }
        return source_;
    }
    std::stop_token get_token() { return source().get_token(); }

 private:
    std::mutex mutex_;  // between making the source and asking it to stop
    std::atomic<bool> requested_{false}, listened_to_{false};
    std::stop_source source_{std::nostopstate};  // does not change once it is listened to
};

}  // namespace tenon::base
