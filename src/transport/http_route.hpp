// The way to a server's URL, as a client's options have it.
#pragma once

#include <memory>

#include <tenon/transport/http_client.hpp>

#include "transport/http_dial.hpp"

namespace tenon {

/// With the proxy that the environment names. Throws Exception when an option cannot be used.
std::shared_ptr<const HttpRoute> http_route(const HttpClientOptions& options);

}  // namespace tenon
