// Rules for roots. Clients check them before sending, servers after receiving.
#pragma once

#include <span>

#include <tenon/error.hpp>
#include <tenon/protocol/roots.hpp>

namespace tenon::protocol {

/// Checks that each root is a `file://` URI with an absolute path, without "." or ".." segments, backslashes or NUL
/// (also percent-encoded), and without a query or a fragment. Returns the error -32602, which names the root,
/// otherwise.
Result<void> check_roots(std::span<const Root> roots);

}  // namespace tenon::protocol
