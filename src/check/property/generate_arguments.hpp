// Generates arguments from a tool's input schema: valid ones, and ones that break exactly one keyword.
#pragma once

#include <optional>
#include <string>

#include <tenon/schema.hpp>

#include "check/property/choices.hpp"

namespace tenon::check {

/// A schema as the server sent it, and its compiled validator.
struct KnownSchema {
    json::value text;
    schema::Schema compiled;
};

/// Returns a valid value, or nothing when none was found, for example for an unusual pattern.
std::optional<json::value> conforming(const KnownSchema& schema, Choices& choices);

struct BrokenArguments {
    json::value arguments;
    std::string keyword;  ///< "maximum"
    std::string message;  ///< the validator's message
};

/// Returns a value that breaks exactly one keyword, or nothing when none was found, for example for a schema that
/// accepts everything.
std::optional<BrokenArguments> breaking(const KnownSchema& schema, Choices& choices);

}  // namespace tenon::check
