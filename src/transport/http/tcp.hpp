// TCP sockets for Boost.Asio. Child processes never inherit them, even if another thread starts a child process while
// the socket is being opened.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>

#include "transport/http/http_socket.hpp"

namespace tenon {

/// Opens a socket for the protocol of an endpoint. `Socket` is a TCP socket or acceptor.
template <class Socket>
void open_tcp(Socket& socket, const asio::ip::tcp::endpoint& at, error_code& error);

/// Listens at an endpoint.
void listen_tcp(asio::ip::tcp::acceptor& acceptor, const asio::ip::tcp::endpoint& at, int backlog, error_code& error);

/// Waits for one connection and passes its socket to `done`, which runs in the acceptor's loop. The socket itself uses
/// the loop of `context`. Closing the acceptor ends the wait with an error.
void accept_tcp(const std::shared_ptr<asio::ip::tcp::acceptor>& acceptor, asio::io_context& context,
                std::function<void(error_code, asio::ip::tcp::socket)> done);

}  // namespace tenon
