// A client and a server in one process, without a stream between them. For tests, and for hosts with built-in servers.
#pragma once

#include <memory>

#include <tenon/client_transport.hpp>
#include <tenon/server.hpp>

namespace tenon {

/// The server must outlive the transport. Its handlers run on threads of the transport, at most Limits::max_workers.
std::shared_ptr<ClientTransport> memory_transport(Server& server);

}  // namespace tenon
