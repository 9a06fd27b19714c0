// A histogram with a high dynamic range: the same relative error for every value, in constant memory. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::load {

/// Divides the range between two powers of two into equal steps, as many as the relative error needs. Counts values
/// above `largest` as `largest`. max() stays exact.
class Histogram {
 public:
    static constexpr std::uint64_t largest = (std::uint64_t{1} << 42) - 1;  // in nanoseconds, 73 minutes
    static constexpr double finest = 1e-5, coarsest = 0.1;

    /// `relative_error` is the largest error of percentile(), limited to `finest`..`coarsest`.
    explicit Histogram(double relative_error = 0.001);

    void record(std::uint64_t value, std::uint64_t times = 1);
    /// Adds another histogram with the same error.
    void add(const Histogram& other);

    std::uint64_t count() const { return count_; }
    std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
    std::uint64_t max() const { return max_; }
    double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
    /// Returns the smallest value that is at least as large as `p` percent of all values; 0 when empty.
    std::uint64_t percentile(double p) const;
    std::size_t memory() const { return steps_.size() * sizeof(std::uint64_t); }

 private:
    std::size_t step_of(std::uint64_t value) const;
    std::uint64_t middle_of(std::size_t step) const;

    unsigned bits_;  // 2^bits_ steps in each power of two
    std::vector<std::uint64_t> steps_;
    std::uint64_t count_ = 0, min_ = 0, max_ = 0;
    double sum_ = 0;
};

}  // namespace tenon::load
