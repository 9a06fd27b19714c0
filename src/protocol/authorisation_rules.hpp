// What revisions say about OAuth. A header of its own, because only HTTP clients need it.
#pragma once

#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::protocol {

/// Returns whether servers of this revision must have protected resource metadata (RFC 9728): from 2025-06-18 on. False
/// for an unknown revision, and for the empty name.
bool requires_resource_metadata(std::string_view revision);

}  // namespace tenon::protocol

#pragma GCC visibility pop
