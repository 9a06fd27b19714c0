#include "check/property/choices.hpp"

#include <algorithm>

namespace tenon::check {
namespace {

// splitmix64: scrambles the values of a counter.
std::uint64_t scrambled(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

}  // namespace

std::uint32_t Choices::next(std::uint32_t n) {
    if (taken_.size() >= max_taken) return 0;
    if (replaying_) return taken_.size() < again_.size() ? std::min(again_[taken_.size()], n - 1) : 0;
    random_ += 0x9e3779b97f4a7c15U;
    return static_cast<std::uint32_t>((scrambled(random_) >> 32U) * n >> 32U);
}

std::uint32_t Choices::below(std::uint32_t n) {
    if (n < 2) return 0;
    const auto chosen = next(n);
    if (taken_.size() < max_taken) taken_.push_back(chosen);
    return chosen;
}

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t property, std::uint64_t index) {
    return scrambled(scrambled(scrambled(seed) ^ property) ^ index);
}

}  // namespace tenon::check
