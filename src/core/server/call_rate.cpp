// The rate limits of a peer: Limits::max_calls_per_second, and max_notifications_per_second for each of its calls.
#include "core/server/engine.hpp"
#include "core/server/rate_limiter.hpp"

namespace tenon::core {

using protocol::RateClass;

namespace {

constexpr std::uint64_t burst_seconds = 10;

Error too_many_calls(std::size_t limit, Duration wait) {
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(wait).count();
    Error out(code::too_many_calls,
              "Too many calls: the limit is " + std::to_string(limit) +
                  " per second (Limits::max_calls_per_second); try again in " + std::to_string(ms) + " ms",
              json::object{{"retryAfterMs", ms}});
    out.limit = LimitName::max_calls_per_second;
    return out;
}

}  // namespace

base::BucketSize call_bucket(const Limits& limits, bool continued) {
    const std::uint64_t rate = limits.max_calls_per_second * std::uint64_t{continued ? max_rounds_per_call : 1};
    return {rate, burst_seconds * rate};
}

// A call that the client continues with its answers was counted already. Its rounds are counted separately: see
// RateLimiter::refuse().
Result<void> ServerEngine::count(const Call& call) {
    if (limits_.max_calls_per_second == 0 || (call.row && call.row->rate == RateClass::other)) return {};
    Duration wait = Duration::zero();
    if (!call.principal().empty() && settings_->count_call) {
        wait = settings_->count_call(call.principal(), call.continued, now_);
    } else if (identity_.account) {
        base::TokenBucket& bucket = call.continued ? identity_.account->more_rounds : identity_.account->calls;
        wait = bucket.take(call_bucket(limits_, call.continued), now_);
    }
    if (wait == Duration::zero()) return {};
    return too_many_calls(limits_.max_calls_per_second, wait);
}

bool ServerEngine::may_notify(const Call& call, TimePoint now) const {
    const std::size_t most = limits_.max_notifications_per_second;
    return call.state_.rare().notifications.take({most, most}, now) == Duration::zero();
}

}  // namespace tenon::core
