#include "io/sockets.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

namespace tenon::io {

Fd tcp_socket(int family) noexcept { return Fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP)); }

Fd accept_connection(int listener) noexcept {
    return Fd(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

}  // namespace tenon::io
