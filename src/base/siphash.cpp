#include "base/siphash.hpp"

#include <bit>
#include <cstddef>
#include <cstring>

namespace tenon::base {
namespace {

template <class Bytes>
std::uint64_t little_endian(const Bytes& bytes, std::size_t from, std::size_t count) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i)
        word |= std::uint64_t{static_cast<std::uint8_t>(bytes[from + i])} << (8 * i);
    return word;
}

std::uint64_t whole_word(std::string_view bytes, std::size_t from) noexcept {
    if constexpr (std::endian::native != std::endian::little) return little_endian(bytes, from, 8);
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + from, sizeof word);
    return word;
}

struct State {
    std::uint64_t v0, v1, v2, v3;

    State(std::uint64_t k0, std::uint64_t k1) noexcept
        : v0(k0 ^ 0x736f6d6570736575),
          v1(k1 ^ 0x646f72616e646f6d),
          v2(k0 ^ 0x6c7967656e657261),
          v3(k1 ^ 0x7465646279746573) {}

    void round() noexcept {
        v0 += v1, v2 += v3;
        v1 = std::rotl(v1, 13) ^ v0, v3 = std::rotl(v3, 16) ^ v2;
        v0 = std::rotl(v0, 32);
        v2 += v1, v0 += v3;
        v1 = std::rotl(v1, 17) ^ v2, v3 = std::rotl(v3, 21) ^ v0;
        v2 = std::rotl(v2, 32);
    }

    void absorb(std::uint64_t word) noexcept {
        v3 ^= word;
        round(), round();
        v0 ^= word;
    }

    std::uint64_t finish() noexcept {
        v2 ^= 0xFF;
        round(), round(), round(), round();
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

}  // namespace

std::uint64_t siphash(const SipKey& key, std::string_view bytes) noexcept {
    State state(little_endian(key, 0, 8), little_endian(key, 8, 8));
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t i = 0; i < whole; i += 8) state.absorb(whole_word(bytes, i));
    const std::uint64_t length = std::uint64_t{bytes.size()} << 56;
    state.absorb(length | little_endian(bytes, whole, bytes.size() - whole));
    return state.finish();
}

}  // namespace tenon::base
