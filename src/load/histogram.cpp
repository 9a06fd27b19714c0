#include "load/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tenon::load {
namespace {

constexpr auto value_bits = static_cast<unsigned>(std::bit_width(Histogram::largest));

// Returns the number of bits for this relative error. Any value of a step is at most half a step from its middle.
unsigned bits_for(double error) {
    return static_cast<unsigned>(std::ceil(std::log2(0.5 / std::clamp(error, Histogram::finest, Histogram::coarsest))));
}

}  // namespace

Histogram::Histogram(double relative_error)
    : bits_(bits_for(relative_error)), steps_(std::size_t{value_bits - bits_ + 1} << bits_) {}

// Values below 2^(bits + 1) have a step each. Larger values are grouped by their leading bits.
std::size_t Histogram::step_of(std::uint64_t value) const {
    const auto width = static_cast<unsigned>(std::bit_width(value));
    if (width <= bits_ + 1) return value;
    const unsigned shift = width - bits_ - 1;
    return (std::size_t{shift} << bits_) + (value >> shift);
}

std::uint64_t Histogram::middle_of(std::size_t step) const {
    const std::size_t power = step >> bits_;
    if (power < 2) return step;
    const std::size_t shift = power - 1;
    const std::uint64_t low = ((step & ((std::uint64_t{1} << bits_) - 1)) + (std::uint64_t{1} << bits_)) << shift;
    return low + (std::uint64_t{1} << shift) / 2;
}

void Histogram::record(std::uint64_t value, std::uint64_t times) {
    steps_[step_of(std::min(value, largest))] += times;
    min_ = count_ == 0 ? value : std::min(min_, value);
    max_ = std::max(max_, value);
    sum_ += static_cast<double>(value) * static_cast<double>(times);
    count_ += times;
}

void Histogram::add(const Histogram& other) {
    if (other.count_ == 0) return;
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i] += other.steps_[i];
    min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
    sum_ += other.sum_;
    count_ += other.count_;
}

std::uint64_t Histogram::percentile(double p) const {
    if (count_ == 0) return 0;
    const double share = std::clamp(p, 0.0, 100.0) / 100;
    const auto rank = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
    if (rank >= count_) return max_;
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        seen += steps_[i];
        if (seen >= std::max<std::uint64_t>(rank, 1)) return std::clamp(middle_of(i), min_, max_);
    }
    return max_;
}

}  // namespace tenon::load
