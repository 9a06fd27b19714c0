#include "web/address_rules.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "framing/http_fields.hpp"

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

// From IANA's registry of special-purpose addresses.
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

using std::string_view;

// Parses groups between colons. The last group may be an IPv4 address.
std::optional<std::vector<std::uint8_t>> parse_groups(string_view text) {
    std::vector<std::uint8_t> out;
    while (!text.empty()) {
        const std::size_t colon = text.find(':');
        const string_view group = text.substr(0, colon);
        if (colon == string_view::npos && group.find('.') != string_view::npos) {
            const auto v4 = parse_v4(group);
            if (!v4) return std::nullopt;
            out.insert(out.end(), v4->begin(), v4->end());
            return out;
        }
        unsigned n = 0;
        const auto [end, error] = std::from_chars(group.data(), group.data() + group.size(), n, 16);
        if (error != std::errc() || end != group.data() + group.size() || group.size() > 4) return std::nullopt;
        out.push_back(static_cast<std::uint8_t>(n >> 8));
        out.push_back(static_cast<std::uint8_t>(n & 0xff));
        if (colon == string_view::npos) return out;
        text.remove_prefix(colon + 1);
        if (text.empty()) return std::nullopt;
    }
    return out;
}

std::optional<std::vector<std::uint8_t>> parse_v6(string_view text) {
    const std::size_t gap = text.find("::");
    auto left = parse_groups(text.substr(0, gap));
    if (!left) return std::nullopt;
    if (gap == string_view::npos) return left->size() == 16 ? left : std::nullopt;
    const auto right = parse_groups(text.substr(gap + 2));
    if (!right || left->size() + right->size() > 14) return std::nullopt;
    left->resize(16 - right->size());
    left->insert(left->end(), right->begin(), right->end());
    return left;
}

}  // namespace

std::optional<std::array<std::uint8_t, 4>> parse_v4(string_view text) {
    std::array<std::uint8_t, 4> out = {};
    std::size_t part = 0, digits = 0;
    unsigned n = 0;
    for (const char c : text) {
        if (c == '.') {
            if (digits == 0 || part == 3) return std::nullopt;
            out[part++] = static_cast<std::uint8_t>(n);
            n = 0, digits = 0;
            continue;
        }
        if (c < '0' || c > '9' || (digits > 0 && n == 0)) return std::nullopt;
        n = n * 10 + static_cast<unsigned>(c - '0');
        if (++digits > 3 || n > 255) return std::nullopt;
    }
    if (digits == 0 || part != 3) return std::nullopt;
    out[3] = static_cast<std::uint8_t>(n);
    return out;
}

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

std::optional<std::vector<std::uint8_t>> parse_address(string_view text) {
    if (text.find(':') != string_view::npos) return parse_v6(text);
    const auto v4 = parse_v4(text);
    return v4 ? std::optional(std::vector<std::uint8_t>(v4->begin(), v4->end())) : std::nullopt;
}

bool is_loopback_host(string_view host) {
    const auto address = parse_address(host);
    return host == "localhost" || host.ends_with(".localhost") || (address && is_loopback_address(*address));
}

bool is_private_host(string_view host) {
    const auto address = parse_address(host);
    return is_loopback_host(host) || (address && !is_public_address(*address));
}

}  // namespace tenon::web
