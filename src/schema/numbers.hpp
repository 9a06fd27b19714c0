// Numbers compared by their mathematical value, whichever of the three types of Boost.JSON carries them.
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

/// Whether a double has no fraction: 1.0 is an integer.
inline bool is_integral(double d) { return d == std::floor(d) && std::isfinite(d); }

/// Exact: no value is rounded to compare it.
std::partial_ordering compare_numbers(const json::value& a, const json::value& b);

/// Exact in decimal: 0.0075 is a multiple of 0.0001. `divisor` is above zero.
bool is_multiple_of(const json::value& v, const json::value& divisor);

/// The value as a count, when it is an integer (3 or 3.0) of at least zero. What exceeds 64 bits counts as the maximum.
std::optional<std::uint64_t> as_count(const json::value& v);

}  // namespace tenon::schema
