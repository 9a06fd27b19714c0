// A stop_source that is allocated only when it is needed. Most calls are never stopped and never ask.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>

namespace tenon::base {

/// Thread-safe. Stop callbacks run on the thread of request_stop(), or on that of source() when both run at once.
class LateStop {
 public:
    LateStop() = default;
    LateStop(const LateStop&) = delete;
    LateStop& operator=(const LateStop&) = delete;
    ~LateStop() { delete source_.load(); }

    bool stop_requested() const {
        const std::stop_source* listened = source_.load();
        return requested_.load() || (listened && listened->stop_requested());
    }

    // When this and source() run at once, at least one sees the value that the other stored: this function sees the
    // source, or source() sees the request.
    void request_stop() {
        requested_.store(true);
        if (std::stop_source* listened = source_.load()) listened->request_stop();
    }

    const std::stop_source& source() {
        if (const std::stop_source* made = source_.load()) return *made;
        auto own = std::make_unique<std::stop_source>();
        std::stop_source* made = nullptr;
        if (source_.compare_exchange_strong(made, own.get())) made = own.release();
        if (requested_.load()) made->request_stop();
        return *made;
    }
    std::stop_token get_token() { return source().get_token(); }

 private:
    std::atomic<bool> requested_{false};
    std::atomic<std::stop_source*> source_{nullptr};  // owned; does not change once it is set
};

}  // namespace tenon::base
