// Lookout: reports progress and checks the stop token at regular intervals.
#pragma once

#include <time.h>

#include <algorithm>

#include "load/tally.hpp"

namespace tenon::load {

class Lookout {
 public:
    static constexpr Duration interval = std::chrono::milliseconds(100);

    Lookout(const bench::Options& options, bool warming_up) : options_(options), warming_up_(warming_up) {}

    bool due(TimePoint now) const { return now >= next_; }
    TimePoint next() const { return next_; }
    /// Returns false when the run should stop.
    bool go_on(TimePoint now, const Pace& pace, const Tally& tally) {
        next_ = now + interval;
        if (options_.progress) options_.progress({warming_up_, now - pace.start(), tally.answers(), tally.all_wrong()});
        return !options_.stop.stop_requested() && !tally.hopeless();
    }

 private:
    const bench::Options& options_;
    const bool warming_up_;
    TimePoint next_ = TimePoint::min();
};

/// Returns the remaining time as a kernel timeout, at most Lookout::interval. Returns zero when the time has passed.
inline timespec time_until(TimePoint then) {
    const auto left = std::clamp<Duration>(then - Clock::now(), Duration::zero(), Lookout::interval);
    return {0, std::chrono::nanoseconds(left).count()};
}

/// Sends requests and takes responses, on one thread.
class Load {
 public:
    virtual ~Load() = default;
    /// Runs one phase. At its end every request has its response or has failed. May be called again.
    virtual Result<void> run(const Phase& phase, Tally& tally, Lookout& lookout) = 0;
    /// Returns the server's process id, or 0 when it was not started here.
    virtual int pid() const { return 0; }
};

}  // namespace tenon::load
