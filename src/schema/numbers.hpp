// Compares numbers by their mathematical value. Boost.JSON has three number types, and the type does not matter here.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <optional>

#include <tenon/json.hpp>

namespace tenon::schema {

inline bool is_number(const json::value& v) {
    return v.kind() == json::kind::int64 || v.kind() == json::kind::uint64 || v.kind() == json::kind::double_;
}

/// Returns whether a double has no fraction: 1.0 is an integer.
inline bool is_integral(double d) { return d == std::floor(d) && std::isfinite(d); }

/// Compares exactly, without rounding.
std::partial_ordering compare_numbers(const json::value& a, const json::value& b);

/// Computes exactly, in decimal: 0.0075 is a multiple of 0.0001. `divisor` must be above zero.
bool is_multiple_of(const json::value& v, const json::value& divisor);

/// Returns the value as a count when it is an integer (3 or 3.0) and not negative. A value that does not fit into 64
/// bits becomes the maximum.
std::optional<std::uint64_t> as_count(const json::value& v);

}  // namespace tenon::schema
