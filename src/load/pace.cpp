#include "load/pace.hpp"

#include <algorithm>

namespace tenon::load {

TimePoint Pace::due() const {
    const std::chrono::duration<double> after(static_cast<double>(taken_) / phase_.rate);
    return start_ + std::chrono::duration_cast<Duration>(after);
}

std::optional<TimePoint> Pace::take(TimePoint now) {
    if (over(now)) return {};
    const TimePoint from = phase_.rate > 0 ? due() : now;
    if (from > now) return {};
    ++taken_;
    return from;
}

TimePoint Pace::next() const { return phase_.rate > 0 && taken_ < phase_.requests ? std::min(due(), end_) : end_; }

std::optional<Duration> Pace::take_missed() {
    if (phase_.rate <= 0 || taken_ >= phase_.requests || due() >= end_) return {};
    const Duration waited = end_ - due();
    ++taken_;
    return waited;
}

}  // namespace tenon::load
