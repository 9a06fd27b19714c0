// Wakes a thread that waits in poll(): from another thread, or from a signal handler.
#pragma once

#include <array>

#include "io/fd.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// A descriptor that becomes readable by wake(). wake() is async-signal-safe and may be called from any thread.
class WakePipe {
 public:
    WakePipe();
    void wake() const noexcept;
    void clear() const noexcept;
    int fd() const { return event_.get(); }

 private:
    Fd event_;
};

/// While this object lives, SIGINT and SIGTERM wake the pipe instead of ending the process, and SIGPIPE is ignored. A
/// second signal of the same kind ends the process as usual. There may be only one such object at a time.
class Signals {
 public:
    explicit Signals(const WakePipe& pipe);
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// Returns the signal that was received, or 0.
    int received() const noexcept;
};

}  // namespace tenon::io

#pragma GCC visibility pop
