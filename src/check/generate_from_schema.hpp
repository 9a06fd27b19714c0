// A guess at a value that a schema accepts, from the keywords that say so directly. The validator has the last word.
#pragma once

#include <tenon/json.hpp>

#include "check/choices.hpp"

namespace tenon::check {

json::value from_schema(const json::value& schema, Choices& choices);

/// The schema that `place` stands for within `root`: references into the same document are followed.
const json::value& dereferenced(const json::value& root, const json::value& place);

}  // namespace tenon::check
