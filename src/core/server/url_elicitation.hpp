// Elicitation by a web page (2025-11-25 and later).
#pragma once

#include "protocol/versions.hpp"

namespace tenon::core {

/// Returns whether the client gets error -32042 (a tool needs the user to visit a page first) as a JSON-RPC error.
/// Other revisions do not have this error: there the tool's result says `isError`.
bool has_url_elicitation_error(const protocol::Rules& rules);

}  // namespace tenon::core
