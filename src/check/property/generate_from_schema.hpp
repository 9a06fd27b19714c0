// Guesses a value that a schema accepts, from its keywords. The caller validates the guess.
#pragma once

#include <tenon/json.hpp>

#include "check/property/choices.hpp"

namespace tenon::check {

json::value from_schema(const json::value& schema, Choices& choices);

/// Resolves the references of `place` within the document `root`.
const json::value& dereferenced(const json::value& root, const json::value& place);

}  // namespace tenon::check
