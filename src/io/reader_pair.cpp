#include "io/reader_pair.hpp"

namespace tenon::io {

// begin() writes period_ and then reads watching_. stand_by() writes watching_ and then reads period_. Both use the
// strongest memory order, so at least one of them sees what the other wrote, and no work goes unwatched.

std::uint64_t ReaderPair::begin() noexcept {
    const std::uint64_t mine = period_.load(std::memory_order_relaxed) + 1;
    period_.store(mine);
    if (!watching_.load()) {
        const std::lock_guard lock(mutex_);
        watching_.store(true);
        changed_.notify_one();
    }
    return mine;
}

bool ReaderPair::end(std::uint64_t mine) noexcept { return period_.compare_exchange_strong(mine, mine + 1); }

bool ReaderPair::stand_by() {
    std::unique_lock lock(mutex_);
    watching_.store(false);
    standby_.store(true);  // last: from here on the leader may call begin()
    while (!finished_) {
        if (!watching_.load()) {
            changed_.wait(lock, [this] { return watching_.load() || finished_; });
            continue;
        }
        std::uint64_t seen = period_.load();
        changed_.wait_for(lock, patience_, [this] { return finished_; });
        if (finished_ || period_.load() != seen) continue;
        const bool leader_works = seen % 2 == 1;
        if (leader_works && period_.compare_exchange_strong(seen, seen + 1)) {
            standby_.store(false);
            return true;
        }
        watching_.store(false);
        if (period_.load() != seen) watching_.store(true);
    }
    standby_.store(false);
    return false;
}

void ReaderPair::finish() noexcept {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    changed_.notify_all();
}

}  // namespace tenon::io
