// Equality of JSON values as JSON Schema defines it: 1 equals 1.0, and the order of members does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tenon/json.hpp>

#include "schema/budget.hpp"

namespace tenon::schema {

/// Returns whether the values are equal. Returns false and exhausts the budget when the comparison is too expensive or
/// the values are nested deeper than `depth`.
bool equal(const json::value& a, const json::value& b, Budget& budget, std::size_t depth);

/// Returns whether no two elements are equal. Takes less than quadratic time for long arrays. Uses the budget in the
/// same way as equal().
bool all_different(const json::array& elements, Budget& budget, std::size_t depth);

}  // namespace tenon::schema
