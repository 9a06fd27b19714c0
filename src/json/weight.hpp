// Estimates the memory of a JSON value. Its text may be far shorter: an entry of `[0,0,0]` takes two bytes as text, and
// sixteen or more as a value.
#pragma once

#include <cstddef>

#include <tenon/json.hpp>

namespace tenon::json {

/// Returns roughly how many bytes the value and its content occupy. Visits each part once.
std::size_t weight(const value& v);
std::size_t weight(const object& o);

}  // namespace tenon::json
