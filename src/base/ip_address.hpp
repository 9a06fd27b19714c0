// The text form of IP addresses, as in a URI (RFC 3986).
#pragma once

#include <string_view>

namespace tenon::base {

/// Returns whether `s` is four decimal numbers without leading zeros.
bool is_ipv4(std::string_view s) noexcept;
/// Returns whether `s` is an IPv6 address, without brackets and without a zone.
bool is_ipv6(std::string_view s) noexcept;

}  // namespace tenon::base
