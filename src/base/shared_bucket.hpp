// A token bucket that several nodes share. Each node decides at once, by what it knows, and reports its calls later.
//
// The bucket in the store is one number: the time when it will be full again. A report adds the calls of one node to
// it, and tells that node about the calls of the others. Every call is reported, also if there were too many: then all
// nodes wait until that is made up for. So the average is exact. For a moment, each node may allow up to one portion
// too many, and what it allows while its report is under way.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace tenon::base {

/// The size of a bucket, in time.
struct BucketPace {
    using Time = std::chrono::nanoseconds;
    Time token;  ///< in which one token comes back
    Time room;   ///< in which an empty bucket becomes full

    /// A bucket of `calls` tokens that fills in `per`. Both must be positive.
    static BucketPace of(std::int64_t calls, Time per) {
        const Time token = std::max(per / calls, Time(1));
        return {token, token * calls};
    }
    std::int64_t tokens() const { return room / token; }
    /// Returns the calls after which a node reports: a 32nd of the bucket, at least one.
    std::int64_t portion() const { return std::max<std::int64_t>(tokens() / 32, 1); }
};

/// What one node knows of a bucket. Times are those of the store, since 1970. Not thread-safe.
class SharedBucket {
 public:
    using Time = BucketPace::Time;

    /// Counts a call. Returns zero, or the time until a call is allowed.
    Time take(const BucketPace& pace, Time now) {
        const Time next = std::max(full_at_, now) + pace.token;
        if (next - now > pace.room) return next - now - pace.room;
        full_at_ = next;
        ++unreported_;
        return Time::zero();
    }
    bool should_report(const BucketPace& pace) const { return !reporting_ && unreported_ >= pace.portion(); }
    /// Returns the number of calls to report. Calls whose tokens have come back are left out.
    std::int64_t begin_report(const BucketPace& pace, Time now) {
        const std::int64_t missing = (std::max(full_at_ - now, Time::zero()) + pace.token - Time(1)) / pace.token;
        reporting_ = true;
        reported_ = std::min(unreported_, missing);
        unreported_ = 0;
        return reported_;
    }
    /// Ends a report. `stored`: the bucket in the store after it.
    void reported(const BucketPace& pace, Time stored) {
        full_at_ = stored + pace.token * unreported_;
        reporting_ = false;
    }
    /// Ends a report that failed. Its calls are reported again.
    void report_failed() {
        unreported_ += reported_;
        reporting_ = false;
    }
    /// Returns the stored bucket after `calls` more. A time in the far future is not one that nodes have made.
    static Time charged(Time stored, std::int64_t calls, const BucketPace& pace, Time now) {
        if (stored - now > pace.room * 16) stored = now;
        return std::max(stored, now) + pace.token * calls;
    }

 private:
    Time full_at_{};
    std::int64_t unreported_ = 0, reported_ = 0;
    bool reporting_ = false;
};

}  // namespace tenon::base
