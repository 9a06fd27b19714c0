// Values that are easy to get wrong: strings, numbers and trees.
#pragma once

#include <string>

#include <tenon/json.hpp>

#include "check/choices.hpp"

namespace tenon::check {

/// Of code points that codecs, terminals and string lengths stumble over.
std::string any_string(Choices& choices);
/// Integers and fractions at the edges of what types hold, all of them finite.
json::value any_number(Choices& choices);
/// At most `depth` arrays and objects inside each other.
json::value any_value(Choices& choices, unsigned depth = 3);

}  // namespace tenon::check
