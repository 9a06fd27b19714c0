// The name of the feature that a request is about.
#pragma once

#include <string_view>

#include "core/server/call.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::core {

/// Returns the name of the tool, prompt, task or method, or the URI, as its sender wrote it. Empty: the method has
/// none.
std::string_view named(std::string_view method, const protocol::Method* row, const json::object& params);
std::string_view named(const Call& call);

}  // namespace tenon::core

#pragma GCC visibility pop
