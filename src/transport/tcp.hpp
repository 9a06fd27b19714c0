// TCP sockets for Boost.Asio that no child of the process inherits, not even one that is started while they are made.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>

#include "transport/http_socket.hpp"

namespace tenon {

/// Opens a socket for the protocol of an endpoint. `Socket`: a TCP socket or acceptor.
template <class Socket>
void open_tcp(Socket& socket, const asio::ip::tcp::endpoint& at, error_code& error);

/// Listens at an endpoint.
void listen_tcp(asio::ip::tcp::acceptor& acceptor, const asio::ip::tcp::endpoint& at, int backlog, error_code& error);

/// Waits for one connection, and gives its socket to `done`, which runs in the acceptor's loop. The socket belongs to
/// `context`. Closing the acceptor ends the wait with an error.
void accept_tcp(const std::shared_ptr<asio::ip::tcp::acceptor>& acceptor, asio::io_context& context,
                std::function<void(error_code, asio::ip::tcp::socket)> done);

}  // namespace tenon
