// Accepts the connections of an HTTP server and distributes them to its threads in turn.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <memory>
#include <vector>

#include "io/descriptors.hpp"
#include "transport/http_server/io_thread.hpp"

namespace tenon {

/// Works on the first of the threads. Its public functions may be called from other threads. `threads` must outlive it.
class HttpAcceptor {
 public:
    using Threads = std::vector<std::unique_ptr<HttpIoThread>>;
    /// Starts listening. Throws Exception when the address cannot be bound.
    HttpAcceptor(const Threads& threads, const asio::ip::tcp::endpoint& at, LogNote note);

    std::uint16_t port() const { return port_; }
    /// Starts accepting.
    void start();
    /// Goes on with accepting if an exception has ended it. Call it on the first thread.
    void resume();
    /// Stops listening. Returns when every accepted connection was given to its thread, or at the deadline. Must not be
    /// called on a thread of the server.
    void close(TimePoint deadline);

 private:
    void accept();
    void on_error(error_code error);
    void refuse_one();
    void pause();

    const Threads& threads_;
    const LogNote note_;
    const std::shared_ptr<asio::ip::tcp::acceptor> acceptor_;
    asio::steady_timer pause_timer_;
    io::SpareDescriptor spare_;
    io::Episode out_of_descriptors_{std::chrono::minutes(1)};
    std::size_t next_ = 0;
    bool waits_ = false;  // for a connection, or for the end of a pause
    std::uint16_t port_ = 0;
};

}  // namespace tenon
