// Distinguishes public and private addresses. An untrusted URL must not lead a client into its own network. Check
// the address of the open connection: a name may resolve to another address a moment later.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::web {

/// Returns whether an address of 4 or 16 bytes is public. Not public are private, shared, link-local, loopback,
/// documentation, multicast and reserved addresses. For IPv4 inside IPv6 (mapped, 6to4, NAT64), checks the IPv4
/// address.
bool is_public_address(std::span<const std::uint8_t> address);
bool is_loopback_address(std::span<const std::uint8_t> address);

/// Parses an address: four decimal numbers, or IPv6 without brackets. Returns nullopt for a name.
std::optional<std::vector<std::uint8_t>> parse_address(std::string_view text);
std::optional<std::array<std::uint8_t, 4>> parse_v4(std::string_view text);

/// Returns whether the host of a URL is "localhost", ends in ".localhost" (RFC 6761), or is a loopback address.
bool is_loopback_host(std::string_view host);
/// Returns whether the text of a host is enough to see that it is on this machine or in a private network. Other names
/// may still resolve to a private address.
bool is_private_host(std::string_view host);

}  // namespace tenon::web
