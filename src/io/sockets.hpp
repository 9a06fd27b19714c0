// Sockets that no child of the process inherits. Boost.Asio marks a socket only after it was made, so a child that is
// started at that moment would keep it open.
#pragma once

#include "io/fd.hpp"

namespace tenon::io {

/// Opens a TCP socket of an address family (AF_INET or AF_INET6). Empty on failure: errno says why.
Fd tcp_socket(int family) noexcept;

/// Takes the next connection of a listening socket. The connection does not block. Empty on failure: errno says why.
Fd accept_connection(int listener) noexcept;

}  // namespace tenon::io
