// The default destination of Tenon's log: stderr.
#pragma once

#include <tenon/log.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

/// Returns a sink that writes lines of level `notice` and above to stderr. Lines that stderr does not accept at once
/// are dropped: a client that never reads them must not block the server.
LogSink log_to_stderr();

}  // namespace tenon

#pragma GCC visibility pop
