// When requests leave. Pure: the clock is an argument.
#pragma once

#include <cstdint>
#include <optional>

#include <tenon/limits.hpp>

namespace tenon::load {

/// How long to go on, and how fast. Ends with the first of the two that is reached.
struct Phase {
    Duration time = Duration::max();
    std::uint64_t requests = UINT64_MAX;
    double rate = 0;  ///< requests a second whatever the server does; 0: each as soon as there is room
};

/// One phase. With a rate each request has its moment, and its latency counts from there even when it left later: a
/// server that stalls delays all who would have come meanwhile, not only the one that it had.
class Pace {
 public:
    Pace(const Phase& phase, TimePoint start) : phase_(phase), start_(start), end_(later(start, phase.time)) {}

    /// Where there is room for a request: from when it counts, or nothing when none may leave now.
    std::optional<TimePoint> take(TimePoint now);
    /// No request will leave any more.
    bool over(TimePoint now) const { return now >= end_ || taken_ >= phase_.requests; }
    /// The earliest moment at which something changes by itself.
    TimePoint next() const;

    /// Requests that were due before the end and did not leave, and how long the first of them had waited then. One
    /// at a time, or where there are very many, some that were due at about the same time.
    struct Missed {
        std::uint64_t requests;
        Duration waited;
    };
    std::optional<Missed> take_missed();

    TimePoint start() const { return start_; }
    std::uint64_t taken() const { return taken_; }

 private:
    TimePoint due() const;
    std::uint64_t due_before_end() const;

    const Phase phase_;
    const TimePoint start_, end_;
    std::uint64_t taken_ = 0, missed_at_once_ = 0;
};

}  // namespace tenon::load
