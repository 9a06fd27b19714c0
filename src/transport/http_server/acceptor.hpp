// Accepts the connections of an HTTP server, and gives them to its threads in turn.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/descriptors.hpp"
#include "transport/http_server/io_thread.hpp"

namespace tenon {

/// For the first of the threads, but for its constructor and close().
class HttpAcceptor {
 public:
    using Threads = std::vector<std::unique_ptr<HttpIoThread>>;
    /// Listens from here on. Throws Exception when the address cannot be bound.
    HttpAcceptor(const Threads& threads, const asio::ip::tcp::endpoint& at, LogSink note);

    std::uint16_t port() const { return port_; }
    void start();
    /// Stops listening, and returns when every connection that was accepted has been given to its thread. From any
    /// thread but those of the server.
    void close();

 private:
    void accept();
    void on_error(error_code error);
    void refuse_one();
    void pause();

    const Threads& threads_;
    const LogSink note_;
    const std::shared_ptr<asio::ip::tcp::acceptor> acceptor_;
    asio::steady_timer pause_timer_;
    io::SpareDescriptor spare_;
    io::Episode out_of_descriptors_{std::chrono::minutes(1)};
    std::size_t next_ = 0;
    std::uint16_t port_ = 0;
};

}  // namespace tenon
