// Two threads that take turns at reading, so that the reading thread may run a handler itself.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tenon::io {

/// One thread leads: it reads, and runs quick work itself, which saves waking another thread. The second thread stands
/// by. When work takes longer than about `patience`, the second thread becomes the leader and reads on. The first
/// thread finishes its work, and then stands by in turn. So work that blocks delays reading by at most twice
/// `patience`.
///
/// While work keeps coming, the second thread wakes up once per `patience` to look. While no work comes, it sleeps.
class ReaderPair {
 public:
    explicit ReaderPair(std::chrono::microseconds patience = std::chrono::milliseconds(1)) : patience_(patience) {}
    ReaderPair(const ReaderPair&) = delete;
    ReaderPair& operator=(const ReaderPair&) = delete;

    /// Returns whether a thread stands by. For the leader.
    bool has_standby() const noexcept { return standby_.load(); }
    /// Runs work on the thread of the leader. Call it only when has_standby(). Returns whether this thread still leads.
    /// If not, it must leave everything that belongs to the leader alone. `work` must not throw.
    template <class Work>
    bool run(Work&& work) noexcept {
        const std::uint64_t mine = begin();
        work();
        return end(mine);
    }
    /// Stands by. Returns true when this thread has become the leader, and false after finish().
    bool stand_by();
    /// Ends stand_by() for the other thread, now or later.
    void finish() noexcept;

 private:
    std::uint64_t begin() noexcept;
    bool end(std::uint64_t mine) noexcept;

    const std::chrono::microseconds patience_;
    // Grows by one when the leader begins work, when it ends it, and when the lead changes. Odd: the leader works. So
    // each number names one period, and only one thread can end it.
    std::atomic<std::uint64_t> period_{0};
    std::atomic<bool> standby_{false};
    std::atomic<bool> watching_{false};  // the standby looks at period_ regularly; otherwise it must be woken
    std::mutex mutex_;
    std::condition_variable changed_;  // of watching_ and finished_
    bool finished_ = false;            // guarded by mutex_
};

}  // namespace tenon::io
