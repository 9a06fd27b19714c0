// AcceptLoop: accepts connections for a small server with one thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>

#include "transport/http/tcp.hpp"

namespace tenon {

/// Accepts one connection after another. After an error, such as too many open files, it pauses and tries again. Not
/// thread-safe: use it on the thread of the io_context, which must have stopped before this object is destroyed.
class AcceptLoop {
 public:
    explicit AcceptLoop(asio::io_context& context)
        : context_(context), acceptor_(std::make_shared<asio::ip::tcp::acceptor>(context)), pause_(context) {}
    AcceptLoop(const AcceptLoop&) = delete;
    AcceptLoop& operator=(const AcceptLoop&) = delete;

    /// Binds the port. At most `backlog` connections wait to be accepted.
    void listen(const asio::ip::tcp::endpoint& at, std::size_t backlog, error_code& error);
    std::uint16_t port() const { return acceptor_->local_endpoint().port(); }
    /// Calls `use` with each connection, until close().
    void start(std::function<void(asio::ip::tcp::socket)> use);
    void close();

 private:
    void accept();

    asio::io_context& context_;
    const std::shared_ptr<asio::ip::tcp::acceptor> acceptor_;
    asio::steady_timer pause_;
    std::function<void(asio::ip::tcp::socket)> use_;
};

}  // namespace tenon
