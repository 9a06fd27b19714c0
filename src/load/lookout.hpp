// Looks up from the work now and then: tells how far it is, and sees whether to go on.
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
    /// False: stop.
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

/// For the waits of the kernel: nothing when that moment is over.
inline timespec time_until(TimePoint then) {
    const auto left = std::clamp<Duration>(then - Clock::now(), Duration::zero(), Lookout::interval);
    return {0, std::chrono::nanoseconds(left).count()};
}

/// Something that sends requests and takes answers, for one thread.
class Load {
 public:
    virtual ~Load() = default;
    /// Runs a phase to its end: what was sent is answered then, or has failed. Can be done again.
    virtual Result<void> run(const Phase& phase, Tally& tally, Lookout& lookout) = 0;
    /// The server's process; 0 when it was not started here.
    virtual int pid() const { return 0; }
};

}  // namespace tenon::load
