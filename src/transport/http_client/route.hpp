// Makes the route to an origin: its proxy and the trusted certificates.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <tenon/transport/http_client.hpp>

#include "transport/http_client/dial.hpp"

namespace tenon {

/// Makes a route through the given proxy ("": no proxy). When `proxy` is not set, uses the environment variables. The
/// caller sets HttpRoute::tls.
Result<HttpRoute> route_to(const web::Url& origin, const std::optional<std::string>& proxy);

/// Makes a TLS context that trusts the certificates in the file, or the system's when the name is empty. Requires TLS
/// 1.2 or later, and always verifies the server.
Result<std::shared_ptr<asio::ssl::context>> tls_context(const std::string& ca_file);

/// Makes the route from a client's options. When a connection goes to a public address, `*seen_public` becomes true;
/// the pointer may be null. Throws Exception when an option is invalid.
std::shared_ptr<const HttpRoute> http_route(const HttpClientOptions& options, std::shared_ptr<bool> seen_public = {});

/// Classify an address as web/address_rules.hpp does.
bool is_public(const asio::ip::address& address);
bool is_loopback(const asio::ip::address& address);

}  // namespace tenon
