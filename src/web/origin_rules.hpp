// Checks Host and Origin against DNS rebinding. A foreign page can make its own name resolve to this machine, but its
// browser still sends that name in Host and Origin.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framing/http_request.hpp"
#include "web/response_writer.hpp"

namespace tenon::web {

/// The names by which clients may call a server, and the web pages that may call it.
struct OriginPolicy {
    std::vector<std::string> allowed_hosts = {};    ///< as in Host, with the port if it has one: "mcp.example:8443"
    std::vector<std::string> allowed_origins = {};  ///< as in Origin: "https://app.example", "null"
    bool any_host = false;                          ///< allow every Host
    bool loopback = true;                           ///< also allow the loopback names, with any port
    bool own_port_only = false;  ///< of loopback origins, allow only those with the host and port of this server

    /// Checks the value of Host.
    bool host_allowed(std::string_view host) const;
    /// Checks the value of Origin. `host` is the Host of the same request, which host_allowed() has accepted. A request
    /// without Origin does not come from a page and needs no check.
    bool origin_allowed(std::string_view origin, std::string_view host) const;
};

/// Returns the refusal (403) of a request whose Host or Origin is not allowed, or nullopt.
std::optional<Response> refuse_origin(const framing::HttpRequest& request, const OriginPolicy& policy);

}  // namespace tenon::web
