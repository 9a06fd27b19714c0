// One thread of an HTTP server: its loop, and the connections that it serves.
#pragma once

#include <atomic>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>
#include <vector>

#include "io/event.hpp"
#include "io/worker_pool.hpp"
#include "transport/http_server/connection.hpp"

namespace tenon {

class HttpIoThread {
 public:
    /// What all threads of one server share.
    struct Common {
        std::shared_ptr<const HttpConnection::Shared> shared;
        io::WorkerPool& pool;
        asio::ssl::context* tls = nullptr;  ///< none: without TLS
        LogSink note;
        io::Event& changed;                       ///< set when the last connection has gone
        std::atomic<std::size_t> connections{0};  ///< of all threads
    };

    explicit HttpIoThread(Common& common) : common_(common), timer_(context_) {}
    ~HttpIoThread() { join(); }

    asio::io_context& context() { return context_; }
    /// Returns the calling thread, if it is one that this pool works for.
    static HttpIoThread* here(const io::WorkerPool& pool) {
        return here_ && &here_->common_.pool == &pool ? here_ : nullptr;
    }
    /// In this thread. What the requests at hand want done is handed over together, behind the last of them.
    void post(std::function<void()> work, const io::WorkerPool::PeerPtr& peer);

    void start();
    /// Serves a new connection. Above Limits::max_connections it takes the place of another, or is refused. From any
    /// thread.
    void serve(asio::ip::tcp::socket socket);
    /// Closes one connection that no request needs, if there is one. From any thread.
    void make_room();
    /// Takes no further requests. From any thread.
    void finish_all();
    /// Closes what is still open, and ends the thread.
    void join();

 private:
    using Connections = std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>>;

    void run();
    void close_last_entered() noexcept;
    void add(std::unique_ptr<HttpSocket> socket);
    bool take_place_for(const std::shared_ptr<HttpConnection>& connection);
    bool close_expendable();
    void find_expendable();
    Connections copy() const { return connections_; }
    void remove(HttpConnection* connection);
    void tick();

    static thread_local HttpIoThread* here_;
    Common& common_;
    io::WorkBatch batch_{common_.pool};
    asio::io_context context_{1};
    asio::steady_timer timer_;
    Connections connections_;
    std::vector<std::weak_ptr<HttpConnection>> expendable_;  // of the last look, the one to close first at the end
    bool none_expendable_ = false;                           // at the last look; it looks again at the next tick
    std::thread thread_;
};

}  // namespace tenon
