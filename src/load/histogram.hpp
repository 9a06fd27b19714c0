// A histogram of high dynamic range: any value with the same relative error, in memory that does not grow. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::load {

/// Each power of two is divided into equal steps, as many as the error asks for. Values above `largest` are counted as
/// that; max() knows better.
class Histogram {
 public:
    static constexpr std::uint64_t largest = (std::uint64_t{1} << 42) - 1;  // in nanoseconds, 73 minutes
    static constexpr double finest = 1e-5, coarsest = 0.1;

    /// What percentile() may be off, as a share of the value; within `finest` and `coarsest`.
    explicit Histogram(double relative_error = 0.001);

    void record(std::uint64_t value, std::uint64_t times = 1);
    /// The same error for both.
    void add(const Histogram& other);

    std::uint64_t count() const { return count_; }
    std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
    std::uint64_t max() const { return max_; }
    double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
    /// The smallest value that `p` percent of all are not above; 0 when there is none.
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
