#include "core/server/rate_limiter.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace tenon::core {
namespace {

// Longer periods are cut to this one, so that a time point plus a period never overflows.
constexpr std::chrono::milliseconds longest_period = std::chrono::hours(24 * 365 * 10);

// The time in which a bucket gets one token, and the time in which an empty bucket becomes full.
struct Pace {
    Duration token, room;
};

Pace pace_of(const RateLimit& limit, bool continued) {
    const std::int64_t calls = std::int64_t{limit.calls} * (continued ? max_rounds_per_call : 1);
    const Duration token = std::max(Duration(std::min(limit.per, longest_period)) / calls, Duration(1));
    return {token, token * calls};
}

}  // namespace

const RateLimit& RateLimiter::limit_of(std::string_view tool) const {
    const auto own = limits_.tools.find(tool);
    return own == limits_.tools.end() ? limits_.each : own->second;
}

std::optional<Duration> RateLimiter::refuse(std::string_view principal, std::string_view tool, TimePoint now,
                                            bool continued) {
    const RateLimit& limit = limit_of(tool);
    if (limit.calls == 0 || limit.per.count() <= 0) return std::nullopt;
    std::string name(tool);  // has no newline
    name += continued ? "\n+" : "\n";
    name += principal;
    const std::uint64_t hash = base::siphash(key_, name);
    auto found = full_at_.find(hash);
    if (found == full_at_.end()) {
        if (!has_room()) make_room(now);
        found = full_at_.emplace(hash, now).first;
    }
    const Pace pace = pace_of(limit, continued);
    const TimePoint next = std::max(found->second, now) + pace.token;
    if (next - now > pace.room) return std::chrono::ceil<std::chrono::milliseconds>(next - now - pace.room);
    found->second = next;
    return std::nullopt;
}

bool RateLimiter::has_room() {
    const std::size_t next = full_at_.size() + 1;
    return next <= limits_.max_counted && charge_.cover(next * max_bytes_per_count) == base::MemoryDecision::granted;
}

// Erases all full buckets, which changes nothing: a new bucket is full, too. If that is not enough, erases the buckets
// that are full next. Erases at least a quarter of the table, so the cost for each new bucket is constant.
void RateLimiter::make_room(TimePoint now) {
    if (full_at_.empty()) return;
    examined_ += full_at_.size();
    std::vector<TimePoint> times;
    times.reserve(full_at_.size());
    for (const auto& [hash, full_at] : full_at_) times.push_back(full_at);
    const auto last = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 4);
    std::ranges::nth_element(times, last);
    // Of the buckets that are full at this time exactly, only as many are erased as needed.
    std::size_t equal = static_cast<std::size_t>(1 + std::count(times.begin(), last, *last));
    erase_if(full_at_, [&](const auto& entry) {
        if (entry.second <= now || entry.second < *last) return true;
        return entry.second == *last && equal > 0 && equal-- > 0;
    });
}

}  // namespace tenon::core
