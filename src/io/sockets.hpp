// Creates sockets that child processes do not inherit. Boost.Asio sets close-on-exec only after it has created a
// socket, so a child that starts in between would keep the socket open.
#pragma once

#include "io/fd.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::io {

/// Opens a TCP socket of an address family (AF_INET or AF_INET6). Returns an empty Fd, and sets errno, on failure.
Fd tcp_socket(int family) noexcept;

/// Accepts the next connection of a listening socket, as a nonblocking socket. Returns an empty Fd, and sets errno, on
/// failure.
Fd accept_connection(int listener) noexcept;

}  // namespace tenon::io

#pragma GCC visibility pop
