// Counts how much of the time of shared threads a peer has used, to decide whose work comes first.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace tenon::base {

/// The debt of one peer. Using a thread for some time costs a quarter more than that time, and debt is paid as time
/// passes. So a peer that uses more than four fifths of one thread, on one or several threads, gets ever deeper into
/// debt. Thread-safe, without locks.
class ThreadDebt {
 public:
    using TimePoint = std::chrono::steady_clock::time_point;
    using Duration = std::chrono::steady_clock::duration;

    /// Returns when the debt will be paid.
    TimePoint paid_at() const { return paid_at_.load(std::memory_order_relaxed); }
    /// Returns whether the work of other peers should come first.
    bool is_large(TimePoint now) const { return paid_at() > now + tolerated; }
    /// Charges for the use of a thread.
    void charge(TimePoint begin, TimePoint end) {
        TimePoint before = paid_at_.load(std::memory_order_relaxed), after;
        do {
            after = std::min(std::max(before, begin) + (end - begin) * 5 / 4, end + most);
        } while (!paid_at_.compare_exchange_weak(before, after, std::memory_order_relaxed));
    }

 private:
    static constexpr Duration tolerated = std::chrono::milliseconds(1);
    static constexpr Duration most = std::chrono::seconds(1);  // so that a peer recovers soon

    std::atomic<TimePoint> paid_at_{TimePoint::min()};
};

}  // namespace tenon::base
