// Error -32042: a tool needs the user to visit a web page first (2025-11-25).
#pragma once

#include "protocol/versions.hpp"

namespace tenon::protocol {

/// Returns whether the client gets this code as a JSON-RPC error -32042. Other revisions do not have this error: there
/// the tool's result says `isError`.
bool is_url_elicitation_error(int code, const Rules& rules);

}  // namespace tenon::protocol
