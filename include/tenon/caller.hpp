// Caller: the sender of a request, as its transport knows it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tenon/json.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The facts about the sender of a request that the transport has verified or seen itself. Handlers get it from
/// Context::caller(). Access rules get it as their first argument. Plain data.
struct Caller {
    std::string principal = {};            ///< the authenticated identity; empty: anonymous
    std::vector<std::string> scopes = {};  ///< of the token, with the scopes that they imply; sorted
    json::object claims = {};              ///< of the token: from the JWT, or from the introspection response
    /// HTTP header fields of the request, by their names in lower case: those that HttpOptions::caller_headers names.
    /// The client can send any value, so do not trust them unless your own proxy sets them.
    std::map<std::string, std::string, std::less<>> headers = {};
    /// The session of the request. Over HTTP the `Mcp-Session-Id`, which is a secret of the client: do not log it.
    /// Empty for requests without a session (2026-07-28 over HTTP).
    std::string session_id = {};
    std::string address = {};  ///< the IP address of the client, for IPv6 its /64 network; empty: not over a network
};

}  // namespace tenon

#pragma GCC visibility pop
