// Connects a client and a server in one process. For tests, and for hosts with built-in servers.
#pragma once

#include <memory>
#include <string>

#include <tenon/client_transport.hpp>
#include <tenon/server.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Options of a memory transport.
struct MemoryOptions {
    std::string principal = {};  ///< the identity of the caller; empty: anonymous
};

/// Makes a transport to this server. Thread-safe. The server must outlive the transport. Handlers run on at most
/// Limits::max_workers threads of the transport.
std::shared_ptr<ClientTransport> memory_transport(Server& server, MemoryOptions options = {});

}  // namespace tenon

#pragma GCC visibility pop
