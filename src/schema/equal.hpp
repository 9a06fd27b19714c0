// Equality of JSON values as JSON Schema means it: 1 equals 1.0, and the order of members does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tenon/json.hpp>

namespace tenon::schema {

/// Counts down the work of a validation; below zero there is none left.
class Budget {
 public:
    explicit Budget(std::size_t work) : left_(static_cast<std::int64_t>(work)) {}
    bool spend(std::size_t units) { return (left_ -= static_cast<std::int64_t>(units)) >= 0; }
    bool spent() const { return left_ < 0; }
    void exhaust() { left_ = -1; }

 private:
    std::int64_t left_;
};

/// False, with the budget exhausted, when the comparison is too expensive or nested deeper than `depth`.
bool equal(const json::value& a, const json::value& b, Budget& budget, std::size_t depth);

/// Whether no two elements are equal; not quadratic for long arrays. The same about the budget as for equal().
bool all_different(const json::array& elements, Budget& budget, std::size_t depth);

}  // namespace tenon::schema
