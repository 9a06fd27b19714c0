// Where a generator takes its decisions from. Every decision is a small number, and 0 is always the plainest one: so a
// case is made smaller by making its numbers fewer and smaller, whatever it is that they make (shrink.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::check {

class Choices {
 public:
    static constexpr std::size_t max_taken = 4096;  ///< after that, all are 0: no case is endless

    /// Random ones: the same for the same seed, on every machine.
    explicit Choices(std::uint64_t seed) : random_(seed) {}
    /// Those of an earlier case; 0 when they are used up.
    explicit Choices(std::vector<std::uint32_t> again) : again_(std::move(again)), replaying_(true) {}

    /// 0 to n - 1.
    std::uint32_t below(std::uint32_t n);
    /// True one time in `n`.
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

/// A seed for the case `index` of the property `property`, so that each case can be made without those before it.
std::uint64_t seed_of(std::uint64_t seed, std::uint64_t property, std::uint64_t index);

}  // namespace tenon::check
