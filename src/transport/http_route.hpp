// How an origin is reached: which proxy, which certificates.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "transport/http_dial.hpp"

namespace tenon {

/// Through the proxy that is named ("": none), or that the environment names when it is not set. Without TLS yet.
Result<HttpRoute> route_to(const web::Url& origin, const std::optional<std::string>& proxy);

/// Trusts the certificates in the file, or the system's when there is no file. TLS 1.2 and later; always verifies.
Result<std::shared_ptr<asio::ssl::context>> tls_context(const std::string& ca_file);

/// As http/address_rules.hpp has it.
bool is_public(const asio::ip::address& address);
bool is_loopback(const asio::ip::address& address);

}  // namespace tenon
