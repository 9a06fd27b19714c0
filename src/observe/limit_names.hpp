// The names of the limits of a server, as errors and metrics show them.
#pragma once

#include <span>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::observe {

/// Returns the members of Limits.
std::span<const std::string_view> limit_names();

/// Returns the limit that an error message names, as in "(Limits::max_sessions)"; empty: it names none. Only names of
/// limit_names() are found, because a message may quote text of a peer.
std::string_view limit_named_in(std::string_view message);

}  // namespace tenon::observe

#pragma GCC visibility pop
