// Equality of JSON values as JSON Schema means it: 1 equals 1.0, and the order of members does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tenon/json.hpp>

#include "schema/budget.hpp"

namespace tenon::schema {

/// False, with the budget exhausted, when the comparison is too expensive or nested deeper than `depth`.
bool equal(const json::value& a, const json::value& b, Budget& budget, std::size_t depth);

/// Whether no two elements are equal; not quadratic for long arrays. The same about the budget as for equal().
bool all_different(const json::array& elements, Budget& budget, std::size_t depth);

}  // namespace tenon::schema
