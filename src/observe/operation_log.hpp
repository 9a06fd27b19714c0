// The log record of an operation.
#pragma once

#include <tenon/log.hpp>
#include <tenon/operation.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Returns the level of the log record of an operation.
LogLevel level_of(const Operation& operation);

/// Passes the log record of an operation to the sink. The time of the record is the end of the operation. `note`
/// becomes a field of its own, unless it is empty.
void log_operation(const LogSink& sink, const Operation& operation, std::string_view note = {});

}  // namespace tenon::observe

#pragma GCC visibility pop
