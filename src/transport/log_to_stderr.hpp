// The default destination of Tenon's log: stderr.
#pragma once

#include <tenon/log_lines.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

/// Returns a sink that writes records of level `notice` and above to stderr. Lines that stderr does not accept at once
/// are dropped: a client that never reads them must not block the server.
LogSink log_to_stderr(LogFormat format = LogFormat::text);

}  // namespace tenon

#pragma GCC visibility pop
