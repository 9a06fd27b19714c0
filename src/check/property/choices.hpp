// The source of a generator's decisions. Each decision is a small number, and 0 is always the simplest choice. So
// shrink.hpp can shrink any case by using fewer and smaller numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::check {

class Choices {
 public:
    static constexpr std::size_t max_taken = 4096;  ///< all later decisions are 0, so every case ends

    /// Makes random decisions: the same for the same seed, on every machine.
    explicit Choices(std::uint64_t seed) : random_(seed) {}
    /// Repeats the decisions of an earlier case. Returns 0 when they are used up.
    explicit Choices(std::vector<std::uint32_t> again) : again_(std::move(again)), replaying_(true) {}

    /// Returns a number from 0 to n - 1.
    std::uint32_t below(std::uint32_t n);
    /// Returns true in one of `n` cases on average.
    bool once_in(std::uint32_t n) { return below(n) == n - 1; }

    template <class T, std::size_t N>
    const T& pick(std::span<const T, N> from) {
        return from[below(static_cast<std::uint32_t>(from.size()))];
    }
    template <class Range>
    const auto& pick(const Range& from) {
        return pick(std::span(from));
    }

    const std::vector<std::uint32_t>& taken() const { return taken_; }

 private:
    std::uint32_t next(std::uint32_t n);

    std::uint64_t random_ = 0;
    std::vector<std::uint32_t> again_;
    bool replaying_ = false;
    std::vector<std::uint32_t> taken_;
};

/// Returns the seed for case `index` of a property. So each case can be generated without the cases before it.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t property, std::uint64_t index);

}  // namespace tenon::check
