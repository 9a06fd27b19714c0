// Which addresses are of the public internet. What a stranger names must not lead a client into its own network: the
// address that is connected to is looked at, not the name, which may mean another one a moment later.
#pragma once

#include <cstdint>
#include <span>

namespace tenon::web {

/// Of the 4 or 16 bytes of an address: IPv4 in IPv6 (mapped, 6to4, NAT64) is what it stands for. What is not known to
/// be public is not: private, shared, link-local, loopback, documentation, multicast, reserved.
bool is_public_address(std::span<const std::uint8_t> address);
bool is_loopback_address(std::span<const std::uint8_t> address);

}  // namespace tenon::web
