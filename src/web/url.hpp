// The URLs that a client may be given or sent to: http and https only, with a host.
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
    std::string target;  ///< path and query: what a request line has
    std::string user;    ///< "name:password", decoded; empty when there is none

    /// As Host has it: with the port only where it is not the usual one.
    std::string authority() const;
    std::string text() const;  ///< without the user
};

Result<Url> parse_url(std::string_view text);

/// Scheme, host and port: what headers may be sent to without asking.
bool same_origin(const Url& a, const Url& b);

/// What `reference` (a Location, an endpoint) means at `base`: RFC 3986, section 5. A fragment is left out.
Result<Url> resolve_reference(const Url& base, std::string_view reference);

}  // namespace tenon::web
