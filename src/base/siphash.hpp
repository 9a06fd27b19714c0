// SipHash-2-4: a short keyed hash that cannot be forged without the key (Aumasson and Bernstein, 2012).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::base {

using SipKey = std::array<std::uint8_t, 16>;

std::uint64_t siphash(const SipKey& key, std::string_view bytes) noexcept;

}  // namespace tenon::base

#pragma GCC visibility pop
