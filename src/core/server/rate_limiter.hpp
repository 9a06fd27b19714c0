// Rate limits by token buckets: a bucket for each principal and tool holds `calls` tokens and refills over `per`.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/limits.hpp>
#include <tenon/rate_limits.hpp>

#include "base/memory_budget.hpp"
#include "base/siphash.hpp"

namespace tenon::core {

/// The rounds of input (2026-07-28) that a rate limit allows for each call.
constexpr std::uint32_t max_rounds_per_call = 32;

/// Counts calls against the rate limits. Not thread-safe.
///
/// A count has a fixed size, because it stores a keyed hash of the names, and the table has at most
/// RateLimits::max_counted of them. A call takes constant time on average, also while new principals keep coming.
class RateLimiter {
 public:
    /// Bytes that the table needs for each count, at most. It needs most of them for a moment, while it grows.
    static constexpr std::size_t max_bytes_per_count = 64;

    /// `key` must be secret and random: otherwise a client could choose names with equal hashes. `charge` pays for the
    /// table. When the memory budget refuses more, the table does not grow.
    RateLimiter(RateLimits limits, const base::SipKey& key, base::MemoryCharge charge = {})
        : limits_(std::move(limits)), key_(key), charge_(std::move(charge)) {}

    /// Counts a call. Returns nullopt when the call is allowed, otherwise the time until the next one is. `continued`:
    /// another round of a call that was counted already. Such rounds are counted separately, with a limit of
    /// max_rounds_per_call for each call, because a client can send the same round several times.
    std::optional<Duration> refuse(std::string_view principal, std::string_view tool, TimePoint now,
                                   bool continued = false);
    const RateLimit& limit_of(std::string_view tool) const;
    std::size_t counted() const { return full_at_.size(); }
    /// Returns how many counts were looked at so far to make room for new ones. For tests.
    std::uint64_t examined() const { return examined_; }

 private:
    // From the hash of a bucket to the time when it will be full again.
    using Table = boost::unordered_flat_map<std::uint64_t, TimePoint>;
    // The table has at most 16/7 slots for each entry (its load is between 7/16 and 7/8), 16/15 bytes of metadata for
    // each slot, and while it grows also the old slots, which are half as many.
    static_assert((sizeof(Table::value_type) * 15 + 16) / 15 * 16 / 7 * 3 / 2 <= max_bytes_per_count);

    bool has_room();
    void make_room(TimePoint now);

    RateLimits limits_;
    base::SipKey key_;
    base::MemoryCharge charge_;
    Table full_at_;
    std::uint64_t examined_ = 0;
};

}  // namespace tenon::core
