// The way to a server.
#pragma once

#include <functional>
#include <memory>

#include <tenon/auth/client.hpp>
#include <tenon/transport/process.hpp>

#include "target.hpp"

namespace tenon::program {

struct Connection {
    std::shared_ptr<ClientTransport> transport;
    std::shared_ptr<ProcessTransport> child = {};  ///< the same, when the server is started by us
};

/// `on_stderr` gets the lines of a started server's standard error; when empty, the last of them are kept. `authoriser`
/// is for servers with a URL, and may be none.
Connection connection_to(const Target& target, std::function<void(std::string_view)> on_stderr,
                         std::shared_ptr<auth::Authoriser> authoriser);

/// A transport that calls `gone` when there is no way to the server any more.
std::shared_ptr<ClientTransport> with_end(std::shared_ptr<ClientTransport> inner,
                                          std::function<void(const Error&)> gone);

}  // namespace tenon::program
