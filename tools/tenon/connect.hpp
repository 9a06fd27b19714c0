// Makes the transport to a server.
#pragma once

#include <functional>
#include <memory>

#include <tenon/auth/client.hpp>
#include <tenon/transport/process.hpp>

#include "target.hpp"

namespace tenon::program {

struct Connection {
    std::shared_ptr<ClientTransport> transport;
    std::shared_ptr<ProcessTransport> child = {};  ///< the same object, if the server is a child process
};

/// `on_stderr` receives the lines of a child's stderr. When it is empty, the last lines are kept. `authoriser` is for
/// servers with a URL, and may be null.
Connection connection_to(const Target& target, std::function<void(std::string_view)> on_stderr,
                         std::shared_ptr<auth::Authoriser> authoriser);

}  // namespace tenon::program
