// Numbers beyond the range of a double are read as infinities, which JSON cannot express.
#pragma once

#include <algorithm>
#include <cmath>

#include <tenon/json.hpp>

namespace tenon::fuzz {

inline bool all_finite(const json::value& v) {
    if (v.is_double()) return std::isfinite(v.get_double());
    if (const auto* array = v.if_array()) return std::ranges::all_of(*array, all_finite);
    const auto* object = v.if_object();
    return !object || std::ranges::all_of(*object, [](const auto& member) { return all_finite(member.value()); });
}

}  // namespace tenon::fuzz
