// The log record of an operation.
#pragma once

#include <tenon/log.hpp>
#include <tenon/operation.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Passes the log record of an operation to the sink. The time of the record is the end of the operation.
void log_operation(const LogSink& sink, const Operation& operation);

}  // namespace tenon::observe

#pragma GCC visibility pop
