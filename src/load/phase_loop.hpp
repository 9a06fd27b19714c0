// The loop of one phase, for both transports: keeps the pace, looks out for the end, and gives up on slow responses.
#pragma once

#include <algorithm>

#include "load/lookout.hpp"
#include "load/pace.hpp"
#include "load/tally.hpp"

namespace tenon::load {

/// Runs one phase. `fill(pace)` sends as many requests as the pace allows. `idle()` returns whether no request is in
/// flight. `give_up(now)` drops requests that wait for too long. `wait(until, pace)` handles responses until then.
template <class Fill, class Idle, class GiveUp, class Wait>
Result<void> run_phase(const Phase& phase, Tally& tally, Lookout& lookout, Fill fill, Idle idle, GiveUp give_up,
                       Wait wait) {
    Pace pace(phase, Clock::now());
    while (true) {
        const TimePoint now = Clock::now();
        if (lookout.due(now)) {
            if (!lookout.go_on(now, pace, tally)) return {};
            give_up(now);
        }
        if (Result<void> filled = fill(pace); !filled) return filled;
        if (idle() && pace.over(Clock::now())) break;
        if (Result<void> waited = wait(std::min(lookout.next(), pace.next()), pace); !waited) return waited;
    }
    while (const auto missed = pace.take_missed()) tally.missed(*missed);
    return {};
}

}  // namespace tenon::load
