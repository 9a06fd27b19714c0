// Counts the calls of each principal, over all its sessions: Limits::max_calls_per_second.
#pragma once

#include <mutex>
#include <string>

#include "base/string_map.hpp"
#include "base/token_bucket.hpp"

namespace tenon {

/// The token buckets of principals. Thread-safe.
class CallRates {
 public:
    /// Counts a call. Returns zero, or the time until a call is allowed. `continued`: another round of a call that was
    /// counted already.
    Duration count(const std::string& principal, bool continued, base::BucketSize size, TimePoint now) {
        const std::lock_guard lock(mutex_);
        auto found = buckets_.find(principal);
        if (found == buckets_.end()) {
            if (buckets_.size() >= most_) make_room(now);
            found = buckets_.try_emplace(principal).first;
        }
        return (continued ? found->second.more_rounds : found->second.calls).take(size, now);
    }

 private:
    struct Buckets {
        base::TokenBucket calls, more_rounds;
    };
    // Forgets the principals whose buckets are full, which changes nothing. When all are busy, allows more principals:
    // each of them has authenticated itself.
    void make_room(TimePoint now) {
        std::erase_if(buckets_, [now](const auto& b) {
            return b.second.calls.is_full(now) && b.second.more_rounds.is_full(now);
        });
        most_ = std::max(least, 2 * buckets_.size());
    }

    static constexpr std::size_t least = 1024;
    std::mutex mutex_;  // guards the members below
    base::StringMap<Buckets> buckets_;
    std::size_t most_ = least;
};

}  // namespace tenon
