// Decides when requests are sent. Pure: the clock is an argument.
#pragma once

#include <cstdint>
#include <optional>

#include <tenon/limits.hpp>

namespace tenon::load {

/// The length and rate of a phase. It ends at the first limit that is reached.
struct Phase {
    Duration time = Duration::max();
    std::uint64_t requests = UINT64_MAX;
    double rate = 0;  ///< requests per second; 0: send each request as soon as possible
};

/// The timing of one phase. With a rate, each request has a due time, and its latency counts from the due time even if
/// the request is sent later. So a stall counts for all requests that it delays, not only for the one in flight.
class Pace {
 public:
    Pace(const Phase& phase, TimePoint start) : phase_(phase), start_(start), end_(later(start, phase.time)) {}

    /// Call this when a request could be sent. Returns the start time of its latency, or nothing when no request is
    /// due.
    std::optional<TimePoint> take(TimePoint now);
    /// Returns whether the phase is over: no more requests will be sent.
    bool over(TimePoint now) const { return now >= end_ || taken_ >= phase_.requests; }
    /// Returns the time when the next request is due or the phase ends.
    TimePoint next() const;

    /// Requests that were due but not sent before the end, and how long the first of them had waited. Usually one
    /// request. If there are very many, they are grouped by due time.
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
