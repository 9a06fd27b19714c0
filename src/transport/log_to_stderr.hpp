// The default destination of Tenon's log: stderr.
#pragma once

#include <tenon/log_lines.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon {

inline constexpr LogLevel least_stderr_level = LogLevel::notice;

/// Returns a sink that writes records of least_stderr_level and above to stderr. Lines that stderr does not accept at
/// once are dropped: a client that never reads them must not block the server.
LogSink log_to_stderr(LogFormat format = LogFormat::text);

}  // namespace tenon

#pragma GCC visibility pop
