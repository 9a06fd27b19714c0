// stdio: the transport of servers that a client starts as child processes.
#pragma once

#include <tenon/server.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Options of serve_stdio().
struct StdioOptions {
    int input = 0;   ///< the file descriptor to read from
    int output = 1;  ///< the file descriptor to write to
    /// While serving, fd 0 is /dev/null and fd 1 is stderr, so that other code that prints or reads cannot corrupt the
    /// messages. Only with the default `input` and `output`.
    bool protect_streams = true;
    bool handle_signals = true;  ///< SIGTERM and SIGINT end serving cleanly; a second signal ends the process
};

/// Serves one client on standard input and output until the input ends or a signal comes. Then it stops reading, lets
/// running calls finish, answers the rest with an error, and flushes the output. All of this takes at most
/// Limits::drain_time. Returns 0, or 1 after a line in the log when standard input or output is not open. When a
/// handler ignores its stop token beyond that time, this function exits the process with status 0. Not thread-safe:
/// only one call may run at a time.
int serve_stdio(Server& server, const StdioOptions& options = {});

}  // namespace tenon

#pragma GCC visibility pop
