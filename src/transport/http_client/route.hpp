// How an origin is reached: which proxy, which certificates.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <tenon/transport/http_client.hpp>

#include "transport/http_client/dial.hpp"

namespace tenon {

/// Through the proxy that is named ("": none), or that the environment names when it is not set. Without TLS yet.
Result<HttpRoute> route_to(const web::Url& origin, const std::optional<std::string>& proxy);

/// Trusts the certificates in the file, or the system's when there is no file. TLS 1.2 and later; always verifies.
Result<std::shared_ptr<asio::ssl::context>> tls_context(const std::string& ca_file);

/// The way to a server's URL, as a client's options have it. Notes in `seen_public`, unless that is empty, whether the
/// server is on the internet. Throws Exception when an option cannot be used.
std::shared_ptr<const HttpRoute> http_route(const HttpClientOptions& options, std::shared_ptr<bool> seen_public = {});

/// As http/address_rules.hpp has it.
bool is_public(const asio::ip::address& address);
bool is_loopback(const asio::ip::address& address);

}  // namespace tenon
