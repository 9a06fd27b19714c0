// stdio: the transport of servers that a client starts as its child.
#pragma once

#include <tenon/server.hpp>

namespace tenon {

struct StdioOptions {
    int input = 0;                ///< the file descriptor to read from
    int output = 1;               ///< the file descriptor to write to
    bool protect_streams = true;  ///< fd 0 reads nothing and fd 1 goes to stderr meanwhile, so that other code that
                                  ///< prints cannot corrupt the stream
    bool handle_signals = true;   ///< SIGTERM and SIGINT end serving in good order; a second signal ends the process
};

/// Serves one client on standard input and output until the input ends or a signal comes. Then nothing more is read,
/// running calls may finish, the rest is answered with an error, and output is flushed: all of that within
/// Limits::drain_time. Returns 0. Call it from one thread, once at a time.
/// Returns 1, after a line in the log, when standard input or output is not open.
/// When a handler ignores its stop token beyond that time, the process exits with status 0 from here.
int serve_stdio(Server& server, const StdioOptions& options = {});

}  // namespace tenon
