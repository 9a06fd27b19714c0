// File descriptors of this process: how many there may be, and what to do when there are no more.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "io/fd.hpp"

namespace tenon::io {

/// Raises the soft limit on open files to the hard limit. Returns the limit that holds then.
std::size_t raise_descriptor_limit() noexcept;

/// A descriptor that is kept back: a process that has no other left can still accept a connection, to refuse it.
class SpareDescriptor {
 public:
    SpareDescriptor() noexcept { take(); }
    /// Gives the descriptor back while `use` runs.
    template <class Use>
    void lend(Use use) {
        fd_ = Fd();
        use();
        take();
    }
    bool there() const { return static_cast<bool>(fd_); }

 private:
    void take() noexcept;
    Fd fd_;
};

/// Tells the first failure of an episode from those that follow. An episode is over when nothing has failed for
/// `quiet_time`.
class Episode {
 public:
    using Clock = std::chrono::steady_clock;
    explicit Episode(Clock::duration quiet_time) : quiet_time_(quiet_time) {}
    /// Counts a failure. True: it is the first of an episode, so it should be logged.
    bool begins(Clock::time_point now) {
        const bool first = !last_ || now - *last_ >= quiet_time_;
        last_ = now;
        return first;
    }

 private:
    const Clock::duration quiet_time_;
    std::optional<Clock::time_point> last_;
};

}  // namespace tenon::io
