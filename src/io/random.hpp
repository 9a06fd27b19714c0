// Cryptographically secure random numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

void fill_random(void* to, std::size_t size);

template <std::size_t N>
std::array<std::uint8_t, N> random_bytes() {
    std::array<std::uint8_t, N> out;
    fill_random(out.data(), out.size());
    return out;
}

}  // namespace tenon::io

#pragma GCC visibility pop
