// Budget: counts the work of one validation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenon::schema {

/// Counts the remaining steps down. One step takes about ten nanoseconds. spend() returns false once no steps are left.
class Budget {
 public:
    explicit Budget(std::size_t work) : left_(static_cast<std::int64_t>(work)) {}
    bool spend(std::size_t units) { return (left_ -= static_cast<std::int64_t>(units)) >= 0; }
    bool spent() const { return left_ < 0; }
    void exhaust() { left_ = -1; }
    std::size_t left() const { return left_ < 0 ? 0 : static_cast<std::size_t>(left_); }

 private:
    std::int64_t left_;
};

}  // namespace tenon::schema
