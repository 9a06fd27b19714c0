// Writes log records as lines, and operations as log records.
//
//     tenon::ServerOptions options;
//     options.log = [](const tenon::LogRecord& r) { std::clog << tenon::log_line(r, tenon::LogFormat::json) + "\n"; };
#pragma once

#include <string>

#include <tenon/log.hpp>
#include <tenon/operation.hpp>

#pragma GCC visibility push(default)

namespace tenon {

enum class LogFormat {
    text,  ///< tenon: warning: message name=value
    json,  ///< {"time":"2026-07-28T12:00:00.000Z","level":"warning","message":"...","name":"value"}
};

/// Returns the record as one line, without the newline. Hidden characters are escaped, so a line cannot end early, look
/// like another line, or act on a terminal. A field that is named like a member of JSON records gets "_" at its end.
std::string log_line(const LogRecord& record, LogFormat format);

/// Makes an observer that logs each operation, also a successful one: what was asked, by which caller, how it ended,
/// and how long it took. Has no arguments, which may be secrets. Failures are in ServerOptions::log anyway.
OperationObserver log_operations(LogSink sink);

}  // namespace tenon

#pragma GCC visibility pop
