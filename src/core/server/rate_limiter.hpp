// Rate limits by token buckets: a bucket for each principal and tool holds `calls` tokens and refills over `per`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tenon/limits.hpp>
#include <tenon/rate_limits.hpp>

namespace tenon::core {

/// The rounds of input (2026-07-28) that a rate limit allows for each call.
constexpr std::uint32_t max_rounds_per_call = 32;

/// Counts calls against the rate limits. Not thread-safe.
class RateLimiter {
 public:
    explicit RateLimiter(RateLimits limits) : limits_(std::move(limits)) {}

    /// Counts a call. Returns nullopt when the call is allowed, otherwise the time until the next one is. `continued`:
    /// another round of a call that was counted already. Such rounds are counted separately, with a limit of
    /// max_rounds_per_call for each call, because a client can send the same round several times.
    std::optional<Duration> refuse(std::string_view principal, std::string_view tool, TimePoint now,
                                   bool continued = false);
    const RateLimit& limit_of(std::string_view tool) const;
    std::size_t counted() const { return buckets_.size(); }

 private:
    struct Bucket {
        double calls_left;
        TimePoint at;
        RateLimit limit;
    };
    static double refilled(const Bucket& bucket, TimePoint now);
    void make_room(TimePoint now);

    RateLimits limits_;
    std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace tenon::core
