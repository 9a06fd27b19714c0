// Finds parts of a tool's definition that are allowed, but that widely used hosts and models reject. Pure.
#pragma once

#include <string>
#include <string_view>

#include <tenon/json.hpp>

namespace tenon::check {

/// The longest name of a tool that the interfaces of models accept. Hosts often put the name of the server before it.
inline constexpr std::size_t max_portable_name = 64;

/// Returns the keyword at the root of an input schema that models reject: "anyOf", "oneOf" or "allOf". Empty: none.
std::string_view unportable_root(const json::object& schema);

/// Returns the first other part of an input schema that hosts reject, as a phrase: "the array `tags` has no `items`".
/// Empty: none.
std::string unportable_part(const json::object& schema);

}  // namespace tenon::check
