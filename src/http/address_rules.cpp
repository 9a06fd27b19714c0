#include "http/address_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tenon::web {
namespace {

using Bytes = std::span<const std::uint8_t>;

struct Block {
    std::array<std::uint8_t, 16> begin;
    unsigned bits;
};

bool in(Bytes address, const Block& block) {
    for (unsigned bit = 0; bit < block.bits; bit += 8) {
        const unsigned left = std::min(8U, block.bits - bit);
        const unsigned mask = 0xff00U >> left & 0xffU;
        if (((address[bit / 8] ^ block.begin[bit / 8]) & mask) != 0) return false;
    }
    return true;
}

template <std::size_t N>
bool in_any(Bytes address, const std::array<Block, N>& blocks) {
    return std::ranges::any_of(blocks, [&](const Block& block) { return in(address, block); });
}

// IANA's registry of special addresses.
constexpr std::array<Block, 15> special_v4 = {{
    {{0}, 8},              // this network
    {{10}, 8},             // private
    {{100, 64}, 10},       // shared by a provider's customers
    {{127}, 8},            // loopback
    {{169, 254}, 16},      // link-local, the metadata of clouds
    {{172, 16}, 12},       // private
    {{192, 0, 0}, 24},     // protocol assignments
    {{192, 0, 2}, 24},     // documentation
    {{192, 88, 99}, 24},   // 6to4 relays
    {{192, 168}, 16},      // private
    {{198, 18}, 15},       // measurements
    {{198, 51, 100}, 24},  // documentation
    {{203, 0, 113}, 24},   // documentation
    {{224}, 4},            // multicast
    {{240}, 4},            // reserved, broadcast
}};

constexpr Block global_unicast = {{0x20}, 3};
constexpr std::array<Block, 3> special_v6 = {{
    {{0x20, 0x01}, 23},              // protocol assignments, Teredo
    {{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    {{0x3f, 0xff}, 20},              // documentation
}};
constexpr Block mapped = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96};
constexpr Block nat64 = {{0, 0x64, 0xff, 0x9b}, 96};
constexpr Block six_to_four = {{0x20, 0x02}, 16};
constexpr Block loopback_v4 = {{127}, 8};
constexpr Block loopback_v6 = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128};

}  // namespace

bool is_public_address(Bytes address) {
    if (address.size() == 4) return !in_any(address, special_v4);
    if (address.size() != 16) return false;
    if (in(address, mapped) || in(address, nat64)) return is_public_address(address.subspan(12));
    if (in(address, six_to_four)) return is_public_address(address.subspan(2, 4));
    return in(address, global_unicast) && !in_any(address, special_v6);
}

bool is_loopback_address(Bytes address) {
    if (address.size() == 4) return in(address, loopback_v4);
    if (address.size() != 16) return false;
    if (in(address, mapped)) return is_loopback_address(address.subspan(12));
    return in(address, loopback_v6);
}

}  // namespace tenon::web
