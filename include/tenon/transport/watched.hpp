// watched(): a client transport that tells when its connection has ended.
#pragma once

#include <functional>
#include <memory>

#include <tenon/client_transport.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// Wraps a transport. The wrapper calls `gone` when the connection has ended and the client does not reopen it, after
/// the client was told. `gone` runs on the thread of the inner transport, and must not call the client.
std::shared_ptr<ClientTransport> watched(std::shared_ptr<ClientTransport> inner,
                                         std::function<void(const Error&)> gone);

}  // namespace tenon

#pragma GCC visibility pop
