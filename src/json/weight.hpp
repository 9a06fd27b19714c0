// How much memory a JSON value takes. Its text may be far shorter: `[0,0,0]` takes two bytes an entry as text, and
// sixteen or more as values.
#pragma once

#include <cstddef>

#include <tenon/json.hpp>

namespace tenon::json {

/// About how many bytes the value and all that is in it occupy. Visits each part of it once.
std::size_t weight(const value& v);
std::size_t weight(const object& o);

}  // namespace tenon::json
