// Makes arguments for a tool from its input schema: the simplest valid ones, and some invalid ones. Pure.
#pragma once

#include <optional>
#include <string>

#include "check/property/generate_arguments.hpp"

namespace tenon::check {

/// Returns a tool's input schema, or nothing when it is missing or unusable.
std::optional<KnownSchema> input_schema(const json::object& tool);

/// Returns arguments that the tool must accept, or nothing when the schema is too complex to satisfy.
std::optional<json::object> valid_arguments(const json::object& tool);
/// Returns valid arguments without one required member, or nothing when no member is required.
std::optional<json::object> arguments_with_one_missing(const json::object& tool, std::string& which);
/// Returns an empty object for a tool with a required argument, or nothing when no member is required.
std::optional<json::object> no_arguments(const json::object& tool, std::string& which);
/// Returns valid arguments, except that one member has a type that its schema forbids.
std::optional<json::object> arguments_of_wrong_type(const json::object& tool, std::string& which);

}  // namespace tenon::check
