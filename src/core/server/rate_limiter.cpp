#include "core/server/rate_limiter.hpp"

#include <algorithm>
#include <limits>

namespace tenon::core {
namespace {

using Seconds = std::chrono::duration<double>;

}  // namespace

const RateLimit& RateLimiter::limit_of(std::string_view tool) const {
    const auto own = limits_.tools.find(tool);
    return own == limits_.tools.end() ? limits_.each : own->second;
}

double RateLimiter::refilled(const Bucket& bucket, TimePoint now) {
    const double passed = std::max(0.0, Seconds(now - bucket.at).count());
    const double full = bucket.limit.calls;
    return std::min(full, bucket.calls_left + passed * full / Seconds(bucket.limit.per).count());
}

std::optional<Duration> RateLimiter::refuse(std::string_view principal, std::string_view tool, TimePoint now,
                                            bool continued) {
    RateLimit limit = limit_of(tool);
    if (limit.calls == 0 || limit.per.count() <= 0) return std::nullopt;
    if (continued)
        limit.calls = static_cast<std::uint32_t>(std::min<std::uint64_t>(
            std::uint64_t{limit.calls} * max_rounds_per_call, std::numeric_limits<std::uint32_t>::max()));
    std::string key(tool);  // a tool's name has no newline
    key += continued ? "\n+" : "\n";
    key += principal;
    auto found = buckets_.find(key);
    if (found == buckets_.end()) {
        if (buckets_.size() >= limits_.max_counted) make_room(now);
        found = buckets_.emplace(std::move(key), Bucket{static_cast<double>(limit.calls), now, limit}).first;
    }
    Bucket& bucket = found->second;
    bucket.calls_left = refilled(bucket, now);
    bucket.at = now;
    if (bucket.calls_left >= 1) {
        bucket.calls_left -= 1;
        return std::nullopt;
    }
    const Seconds missing((1 - bucket.calls_left) * Seconds(limit.per).count() / limit.calls);
    return std::chrono::ceil<std::chrono::milliseconds>(missing);
}

// Erases all full buckets, which changes nothing: a new bucket is full, too. When there are none, erases the bucket
// that is nearest to full.
void RateLimiter::make_room(TimePoint now) {
    std::erase_if(buckets_, [now](const auto& b) { return refilled(b.second, now) >= b.second.limit.calls; });
    if (buckets_.size() < limits_.max_counted || buckets_.empty()) return;
    buckets_.erase(std::ranges::max_element(buckets_, {}, [now](const auto& b) {
        return refilled(b.second, now) / static_cast<double>(b.second.limit.calls);
    }));
}

}  // namespace tenon::core
