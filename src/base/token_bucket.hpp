// Token buckets: limit an average rate, and allow bursts.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

#include <tenon/limits.hpp>

namespace tenon::base {

/// The size of a bucket: `per_second` tokens come back each second, up to `burst` tokens.
struct BucketSize {
    std::uint64_t per_second;
    std::uint64_t burst;
};

/// A bucket that is full at first. It stores one number: the time when it will be full again. Thread-safe, without
/// locks.
class TokenBucket {
 public:
    /// Takes one token. Returns zero, or the time until there is one. Without a rate there is always one.
    Duration take(BucketSize size, TimePoint now) {
        if (size.per_second == 0) return Duration::zero();
        const std::int64_t token = second / static_cast<std::int64_t>(std::min<std::uint64_t>(size.per_second, second));
        const std::int64_t room = token * static_cast<std::int64_t>(std::max<std::uint64_t>(size.burst, 1));
        const std::int64_t at = nanoseconds(now);
        std::int64_t full = full_at_.load(std::memory_order_relaxed);
        for (;;) {
            const std::int64_t next = std::max(full, at) + token;
            if (next - at > room) return std::chrono::nanoseconds(next - at - room);
            if (full_at_.compare_exchange_weak(full, next, std::memory_order_relaxed)) return Duration::zero();
        }
    }
    bool is_full(TimePoint now) const { return full_at_.load(std::memory_order_relaxed) <= nanoseconds(now); }

 private:
    static constexpr std::int64_t second = 1'000'000'000;
    static std::int64_t nanoseconds(TimePoint t) {
        return std::chrono::duration_cast<std::chrono::nanoseconds>(t.time_since_epoch()).count();
    }
    std::atomic<std::int64_t> full_at_{std::numeric_limits<std::int64_t>::min() / 2};
};

}  // namespace tenon::base
