// Parses and resolves URLs: http and https only, with a host.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

namespace tenon::web {

struct Url {
    bool tls = false;
    std::string host;  ///< in lower case; an IPv6 address without its brackets
    std::uint16_t port = 80;
    std::string target;  ///< path and query, as in a request line
    std::string user;    ///< "name:password", decoded; empty when there is none

    /// Returns the host, as in the Host field: with the port unless it is the default one.
    std::string authority() const;
    std::string text() const;  ///< without the user
};

Result<Url> parse_url(std::string_view text);

/// Returns whether scheme, host and port are equal. Headers of the user may be sent within one origin only.
bool same_origin(const Url& a, const Url& b);

/// Resolves a `reference` (a Location, an endpoint) against `base` (RFC 3986, section 5). Drops the fragment.
Result<Url> resolve_reference(const Url& from, std::string_view reference);

}  // namespace tenon::web
