// Wakes a thread that sits in poll(): from another thread, or from a signal.
#pragma once

#include <array>

#include "io/fd.hpp"

namespace tenon::io {

/// wake() is async-signal-safe and may be called from any thread.
class WakePipe {
 public:
    WakePipe();
    void wake() const noexcept;
    void clear() const noexcept;
    int fd() const { return event_.get(); }

 private:
    Fd event_;
};

/// While it lives, SIGINT and SIGTERM wake the pipe instead of ending the process, and SIGPIPE does nothing. A second
/// signal ends the process as usual. One at a time.
class Signals {
 public:
    explicit Signals(const WakePipe& pipe);
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// The signal that came, or 0.
    int received() const noexcept;
};

}  // namespace tenon::io
