// Which names a server answers to, and which web pages may speak to it. A page of another site can point its own name
// at this machine (DNS rebinding); its browser still says that name in Host and Origin.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tenon::web {

struct OriginPolicy {
    std::vector<std::string> allowed_hosts = {};    ///< as in Host, with the port where it has one: "mcp.example:8443"
    std::vector<std::string> allowed_origins = {};  ///< as in Origin: "https://app.example", "null"
    bool any_host = false;                          ///< whatever a client calls this server
    bool loopback = true;                           ///< and the names of this machine, with any port
    bool own_port_only = false;  ///< of the pages of this machine, only those with the host and port of this server

    /// Of the value of the one Host field.
    bool host_allowed(std::string_view host) const;
    /// Of the value of the one Origin field. A request without one does not come from a page. `host`: what the same
    /// request calls this server, and host_allowed() admits.
    bool origin_allowed(std::string_view origin, std::string_view host) const;
};

}  // namespace tenon::web
