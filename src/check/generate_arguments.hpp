// Arguments made from a tool's own input schema: such as it accepts, and such as break exactly one keyword of it.
#pragma once

#include <optional>
#include <string>

#include <tenon/schema.hpp>

#include "check/choices.hpp"

namespace tenon::check {

/// A schema as a server sent it, next to what tells good from bad by it.
struct KnownSchema {
    json::value text;
    schema::Schema compiled;
};

/// Something that the schema accepts; nothing when none was found, as with a pattern that no guess matches.
std::optional<json::value> conforming(const KnownSchema& schema, Choices& choices);

struct BrokenArguments {
    json::value arguments;
    std::string keyword;  ///< "maximum"
    std::string message;  ///< what the validator says of it
};

/// Something that the schema refuses for one reason only; nothing when none was found, as with a schema that accepts
/// everything.
std::optional<BrokenArguments> breaking(const KnownSchema& schema, Choices& choices);

}  // namespace tenon::check
