// Generates values that are easy to get wrong: strings, numbers and trees.
#pragma once

#include <string>

#include <tenon/json.hpp>

#include "check/property/choices.hpp"

namespace tenon::check {

/// Makes a string of code points that often break codecs, terminals and lengths.
std::string any_string(Choices& choices);
/// Makes a finite number near the limits of number types.
json::value any_number(Choices& choices);
/// Makes a value with at most `depth` nested arrays and objects.
json::value any_value(Choices& choices, unsigned depth = 3);

}  // namespace tenon::check
