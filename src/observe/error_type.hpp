// error.type: the class of error that an operation ended with, as OpenTelemetry's conventions for MCP define it.
#pragma once

#include <string_view>

#include <tenon/operation.hpp>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Returns the class of error of an operation; empty: it did not fail. There is a fixed set of results, so it is safe
/// as a label of a metric: codes and statuses that Tenon does not use become "_OTHER".
std::string_view error_type(const Operation& operation);

/// Returns whether the operation failed because of its client: a malformed or forbidden request, or one that the client
/// cancelled. A server did nothing wrong then.
bool is_mistake_of_client(const Operation& operation);

}  // namespace tenon::observe

#pragma GCC visibility pop
