// Which addresses are of the public internet. What a stranger names must not lead a client into its own network: the
// address that is connected to is looked at, not the name, which may mean another one a moment later.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::web {

/// Of the 4 or 16 bytes of an address: IPv4 in IPv6 (mapped, 6to4, NAT64) is what it stands for. What is not known to
/// be public is not: private, shared, link-local, loopback, documentation, multicast, reserved.
bool is_public_address(std::span<const std::uint8_t> address);
bool is_loopback_address(std::span<const std::uint8_t> address);

/// The bytes of an address as it is written: four decimal numbers, or IPv6 without brackets. Nothing for a name.
std::optional<std::vector<std::uint8_t>> parse_address(std::string_view text);
std::optional<std::array<std::uint8_t, 4>> parse_v4(std::string_view text);

/// Of the host of a URL: "localhost", what ends in ".localhost" (RFC 6761), or a loopback address.
bool is_loopback_host(std::string_view host);
/// Whether a host as it is written can only mean this machine or a private network. Another name may still do.
bool is_private_host(std::string_view host);

}  // namespace tenon::web
