#include "load/pace.hpp"

#include <algorithm>
#include <cmath>

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

std::uint64_t Pace::due_before_end() const {
    const double due = std::ceil(std::chrono::duration<double>(end_ - start_).count() * phase_.rate);
    return due < static_cast<double>(phase_.requests) ? static_cast<std::uint64_t>(due) : phase_.requests;
}

std::optional<Pace::Missed> Pace::take_missed() {
    constexpr std::uint64_t most_groups = 10'000;
    const std::uint64_t all = phase_.rate > 0 ? due_before_end() : 0;
    if (taken_ >= all) return {};
    if (missed_at_once_ == 0) missed_at_once_ = (all - taken_ + most_groups - 1) / most_groups;
    const Missed out{std::min(missed_at_once_, all - taken_), end_ - due()};
    taken_ += out.requests;
    return out;
}

}  // namespace tenon::load
