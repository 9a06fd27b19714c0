// One I/O thread of an HTTP server: its event loop and its connections.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "io/event.hpp"
#include "io/worker_pool.hpp"
#include "transport/http_server/client_network.hpp"
#include "transport/http_server/connection.hpp"

namespace tenon {

/// Runs the event loop of its connections. Each function states on which threads it may be called.
class HttpIoThread {
 public:
    /// Data that all threads of one server share.
    struct Common {
        std::shared_ptr<const HttpConnection::Shared> shared;
        io::WorkerPool& pool;
        asio::ssl::context* tls = nullptr;  ///< null: without TLS
        std::size_t max_per_address = 0;    ///< HttpOptions::max_connections_per_address
        LogNote note;
        std::function<void(LimitName)> limit_hit;  ///< gets the limit that refused a connection
        io::Event& changed;                        ///< set when the last connection was closed
        std::atomic<std::size_t> connections{0};   ///< number of connections of all threads
        NetworkCounts by_network = {};             ///< the same, for each client address
    };

    explicit HttpIoThread(Common& common) : common_(common), timer_(context_) {}
    ~HttpIoThread() { join(); }

    asio::io_context& context() { return context_; }
    /// Sets a function that restarts what an exception may have stopped: see run(). Call it before start().
    void on_fault(std::function<void()> restart) { restart_ = std::move(restart); }
    void start();
    /// Serves a new connection. Above Limits::max_connections, the new one replaces another connection or is refused.
    /// Above HttpOptions::max_connections_per_address it is refused. Any thread.
    void serve(asio::ip::tcp::socket socket);
    /// Closes one connection that has no request in flight, if there is one. Any thread.
    void make_room();
    /// Closes each connection after the response to its current request. Any thread.
    void finish_all(TimePoint deadline);
    /// Closes all connections and ends the thread. Must not be called on this thread.
    void join();

 private:
    using Connections = std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>>;

    void run();
    void restart();
    void close_last_entered() noexcept;
    void add(std::unique_ptr<HttpSocket> socket, const asio::ip::address& client);
    std::optional<std::string> take_place_for(const std::shared_ptr<HttpConnection>& connection, std::size_t max);
    void count_out(const HttpConnection& connection);
    bool close_expendable(const ConnectionEnd& why);
    void find_expendable();
    Connections copy() const { return connections_; }
    void remove(HttpConnection* connection);
    void tick();

    Common& common_;
    asio::io_context context_{1};
    // Without it, an exception in the only handler would leave the loop without work, and end it.
    const asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    HttpTurns turns_{context_};
    asio::steady_timer timer_;
    bool ticks_ = false;  // timer_ runs
    std::function<void()> restart_;
    Connections connections_;
    std::vector<std::weak_ptr<HttpConnection>> expendable_;  // found by the last search; the last one is closed first
    bool none_expendable_ = false;                           // the last search found none; reset at the next tick
    std::thread thread_;
};

}  // namespace tenon
