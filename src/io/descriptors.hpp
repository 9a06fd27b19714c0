// File descriptors of this process: the limit, and what to do when none is free.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "io/fd.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// Raises the soft limit on open files to the hard limit. Returns the new soft limit.
std::size_t raise_descriptor_limit() noexcept;

/// A reserved descriptor. With it, a process that has no free descriptor can still accept a connection and refuse it.
class SpareDescriptor {
 public:
    SpareDescriptor() noexcept { take(); }
    /// Frees the descriptor while `use` runs.
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

/// Recognises the first failure of an episode. An episode ends when there was no failure for `quiet_time`.
class Episode {
 public:
    using Clock = std::chrono::steady_clock;
    explicit Episode(Clock::duration quiet_time) : quiet_time_(quiet_time) {}
    /// Counts a failure. Returns true for the first of an episode, which should be logged.
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

#pragma GCC visibility pop
