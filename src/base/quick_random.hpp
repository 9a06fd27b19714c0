// Random numbers for ids that need not be secret.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tenon::base {

/// The generator xoshiro256** of Blackman and Vigna. Costs a few instructions for each number, but a reader of the
/// numbers can compute the next ones. Not thread-safe.
class QuickRandom {
 public:
    using Seed = std::array<std::uint64_t, 4>;
    explicit QuickRandom(const Seed& seed) : state_(seed) { state_[0] |= 1; }  // not all zeros

    std::uint64_t next() {
        const std::uint64_t out = std::rotl(state_[1] * 5, 7) * 9, mixed = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= mixed;
        state_[3] = std::rotl(state_[3], 45);
        return out;
    }

 private:
    Seed state_;
};

}  // namespace tenon::base
