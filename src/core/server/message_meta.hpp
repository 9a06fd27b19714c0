// The `_meta` of requests and notifications that a server sends for a call.
#pragma once

#include <string_view>

#include "core/server/call.hpp"

namespace tenon::core {

/// Returns the link to the task that the call became, if any, and the trace of the request (SEP-414).
json::object message_meta(const Call& call, std::string_view task);

}  // namespace tenon::core
