// Wraps a client transport, to learn that the connection has ended.
#pragma once

#include <functional>
#include <memory>

#include <tenon/client_transport.hpp>

namespace tenon::inspect {

/// The wrapper calls `gone` when the connection has ended, after the client was told.
std::shared_ptr<ClientTransport> watched(std::shared_ptr<ClientTransport> inner,
                                         std::function<void(const Error&)> gone);

}  // namespace tenon::inspect
