// Arguments for a tool out of its own schema: the plainest that are valid, and some that are not. Pure.
#pragma once

#include <optional>
#include <string>

#include "check/generate_arguments.hpp"

namespace tenon::check {

/// Of a tool; nothing when it has none that can be used.
std::optional<KnownSchema> input_schema(const json::object& tool);

/// What the tool must accept; nothing when the schema is too hard to guess for.
std::optional<json::object> valid_arguments(const json::object& tool);
/// The same without one that is required; nothing when none is.
std::optional<json::object> arguments_with_one_missing(const json::object& tool, std::string& which);
/// The same with one of a type that its schema does not allow.
std::optional<json::object> arguments_of_wrong_type(const json::object& tool, std::string& which);

}  // namespace tenon::check
