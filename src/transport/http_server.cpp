#include <tenon/transport/http_server.hpp>

#include <poll.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "base/base64.hpp"
#include "io/cpus.hpp"
#include "io/fd.hpp"
#include "io/random.hpp"
#include "io/wake_pipe.hpp"
#include "io/worker_pool.hpp"
#include "runtime/server_impl.hpp"
#include "transport/http_connection.hpp"
#include "transport/http_guard.hpp"
#include "transport/log_to_stderr.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;
constexpr Duration tick_time = std::chrono::milliseconds(500);

std::string new_session_id() {
    const auto bytes = io::random_bytes<24>();
    static constexpr char digits[] = "0123456789abcdef";
    std::string out;
    for (const std::uint8_t byte : bytes) out += {digits[byte >> 4], digits[byte & 15]};
    return out;
}

// One thread, its loop, and the connections that it serves.
class IoThread {
 public:
    IoThread(std::shared_ptr<const HttpConnection::Shared> shared, io::WorkerPool& pool,
             std::atomic<std::size_t>& count, LogSink note)
        : shared_(std::move(shared)), pool_(pool), count_(count), note_(std::move(note)), timer_(context_) {}
    ~IoThread() { join(); }

    asio::io_context& context() { return context_; }

    /// The one that is called from, if it is one of those that this pool works for.
    static IoThread* here(const io::WorkerPool& pool) { return here_ && &here_->pool_ == &pool ? here_ : nullptr; }
    /// In this thread. What the requests at hand want done is handed over together, behind the last of them.
    void post(std::function<void()> work) {
        if (batch_.empty()) asio::post(context_, [this] { batch_.hand_over(); });
        batch_.add(std::move(work));
    }

    void start() {
        tick();
        thread_ = std::thread([this] { run(); });
    }
    /// In this thread. The connection was counted when it was accepted.
    void add(std::unique_ptr<HttpSocket> socket, bool too_many) {
        auto connection = std::make_shared<HttpConnection>(std::move(socket), context_, shared_,
                                                           [this](HttpConnection* c) { remove(c); });
        connections_.emplace(connection.get(), connection);
        if (!too_many) return connection->start();
        connection->refuse(503,
                           "too many connections: the limit is " + std::to_string(shared_->limits.max_connections));
    }
    void finish_all() {
        asio::post(context_, [this] {
            for (const auto& [key, connection] : copy()) connection->finish();
        });
    }
    void join() {
        asio::post(context_, [this] {
            timer_.cancel();
            for (const auto& [key, connection] : copy()) connection->close();
            context_.stop();
        });
        if (thread_.joinable()) thread_.join();
        connections_.clear();
    }

 private:
    // Nothing should throw this far; one request that does must not take the others with it.
    void run() {
        here_ = this;
        for (;;) {
            try {
                context_.run();
                return;
            } catch (const std::exception& e) {
                note_(LogLevel::error, std::string("while serving HTTP: ") + e.what());
            }
        }
    }
    using Connections = std::unordered_map<HttpConnection*, std::shared_ptr<HttpConnection>>;
    Connections copy() const { return connections_; }
    void remove(HttpConnection* connection) {
        if (connections_.erase(connection) > 0) count_.fetch_sub(1);
    }
    void tick() {
        timer_.expires_after(tick_time);
        timer_.async_wait([this](error_code error) {
            if (error) return;
            const TimePoint now = Clock::now();
            for (const auto& [key, connection] : copy()) connection->check_time(now);
            tick();
        });
    }

    static thread_local IoThread* here_;
    std::shared_ptr<const HttpConnection::Shared> shared_;
    io::WorkerPool& pool_;
    io::WorkBatch batch_{pool_};
    std::atomic<std::size_t>& count_;
    const LogSink note_;
    asio::io_context context_{1};
    asio::steady_timer timer_;
    Connections connections_;
    std::thread thread_;
};

thread_local IoThread* IoThread::here_ = nullptr;

asio::ssl::context tls_context(const TlsOptions& options) {
    asio::ssl::context context(asio::ssl::context::tls_server);
    context.set_options(asio::ssl::context::no_sslv2 | asio::ssl::context::no_sslv3 | asio::ssl::context::no_tlsv1 |
                        asio::ssl::context::no_tlsv1_1);
    error_code error;
    context.use_certificate_chain_file(options.certificate_file, error);
    if (error)
        throw Exception({code::invalid_params,
                         "cannot use the certificate in " + options.certificate_file + ": " + error.message()});
    context.use_private_key_file(options.key_file, asio::ssl::context::pem, error);
    if (error)
        throw Exception({code::invalid_params, "cannot use the key in " + options.key_file + ": " + error.message()});
    return context;
}

void check(const HttpOptions& options, const asio::ip::address& address) {
    if (!options.path.starts_with('/'))
        throw Exception({code::invalid_params, "HttpOptions::path must begin with '/': " + options.path});
    const bool by_tokens = !std::holds_alternative<std::monostate>(options.auth);
    if (by_tokens && options.authenticate)
        throw Exception({code::invalid_params, "set HttpOptions::auth or HttpOptions::authenticate, not both"});
    if (!address.is_loopback() && !by_tokens && !options.authenticate && !options.public_without_authentication)
        throw Exception(
            {code::invalid_params, "refusing to serve on " + options.address +
                                       " without authentication: everybody who reaches it could call everything. Set "
                                       "HttpOptions::auth, or public_without_authentication if that is what you want"});
}

}  // namespace

class HttpServer::Impl {
 public:
    Impl(Server& server, HttpOptions options)
        : server_(server.impl()), options_(std::move(options)), limits_(server.limits()), pool_(limits_.max_workers) {
        error_code error;
        const auto address = asio::ip::make_address(options_.address, error);
        if (error)
            throw Exception({code::invalid_params, "HttpOptions::address must be an IP address: " + options_.address});
        check(options_, address);
        if (options_.tls) tls_.emplace(tls_context(*options_.tls));
        make_endpoint(server, address.is_loopback());
        const unsigned count = options_.threads > 0 ? options_.threads : io::usable_cpus();
        for (unsigned i = 0; i < count; ++i)
            threads_.push_back(std::make_unique<IoThread>(
                shared_, pool_, connections_,
                [this](LogLevel level, std::string_view text) { server_->note(level, text); }));
        listen(Tcp::endpoint(address, options_.port));
        if (!address.is_loopback() && server_->has_own_state_key())
            server_->note(LogLevel::warning,
                          "serving a public address with a state key that only this process has: set "
                          "ServerOptions::state_keys, or a call that waits for input fails on another machine");
        for (const auto& thread : threads_) thread->start();
        tick();
        accept();
    }
    ~Impl() { stop(); }

    std::uint16_t port() const { return port_; }
    std::string url() const {
        const std::string host =
            options_.address.find(':') != std::string::npos ? "[" + options_.address + "]" : options_.address;
        return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_) + options_.path;
    }

    bool stop() {
        std::call_once(stop_once_, [this] { all_ended_ = stop_now(); });
        return all_ended_;
    }

 private:
    bool stop_now() {
        asio::post(main(), [this] {
            error_code ignored;
            acceptor_->close(ignored);
        });
        for (const auto& thread : threads_) thread->finish_all();
        const TimePoint until = later(Clock::now(), limits_.drain_time);
        while (!endpoint_->idle() && Clock::now() < until) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        endpoint_->shut_down("the server is shutting down");
        const TimePoint flushed = later(Clock::now(), limits_.drain_time);
        while (connections_.load() > 0 && Clock::now() < flushed)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (guard_) guard_->stop();  // before the threads that it wakes
        for (const auto& thread : threads_) thread->join();
        return pool_.stop(limits_.drain_time);
    }

    asio::io_context& main() { return threads_.front()->context(); }

    void make_endpoint(Server& server, bool loopback) {
        EndpointOptions options;
        options.entry.path = options_.path;
        options.entry.origins.allowed_hosts = options_.allowed_hosts;
        options.entry.origins.allowed_origins = options_.allowed_origins;
        options.entry.origins.loopback = loopback;
        options.entry.origins.any_host = !loopback && options_.allowed_hosts.empty();
        if (options_.old_http_sse) options.entry.old_stream_path = "/sse", options.entry.old_message_path = "/messages";
        options.post = [this](std::function<void()> work) {
            IoThread* const thread = IoThread::here(pool_);
            thread ? thread->post(std::move(work)) : pool_.post(std::move(work));
        };
        options.new_session_id = new_session_id;
        options.authenticate = options_.authenticate;
        make_guard(options);
        endpoint_ = std::make_shared<HttpEndpoint>(server, std::move(options));
        shared_ = std::make_shared<const HttpConnection::Shared>(
            HttpConnection::Shared{endpoint_, limits_, guard_ ? guard_->wait_time() : Duration()});
    }

    void make_guard(EndpointOptions& options) {
        const LogSink note = [this](LogLevel level, std::string_view text) { server_->note(level, text); };
        guard_ = HttpGuard::make(options_, note);
        if (!guard_) return;
        options.admission = guard_->admission();
        options.entry.documents = guard_->documents();
        if (const auto& metadata = guard_->admission()->gate().metadata())
            options.entry.origins.allowed_hosts.push_back(metadata->host);
        for (const std::string& rule :
             guard_->admission()->gate().scopes().idle_rules(*server_->settings()->features()))
            note(LogLevel::warning, "HttpOptions::auth has scopes for the " + rule + ", and there is none");
    }

    void listen(const Tcp::endpoint& at) {
        error_code error;
        acceptor_.emplace(main());
        acceptor_->open(at.protocol(), error);
        if (!error) io::close_on_exec(acceptor_->native_handle());
        if (!error) acceptor_->set_option(Tcp::acceptor::reuse_address(true), error);
        if (!error) acceptor_->bind(at, error);
        if (!error) acceptor_->listen(1024, error);
        if (error)
            throw Exception({code::internal_error, "cannot serve on " + options_.address + ":" +
                                                       std::to_string(options_.port) + ": " + error.message()});
        port_ = acceptor_->local_endpoint(error).port();
    }

    // Connections go to the threads in turn.
    void accept() {
        IoThread& thread = *threads_[next_++ % threads_.size()];
        acceptor_->async_accept(thread.context(), [this, &thread](error_code error, Tcp::socket socket) {
            if (!error) io::close_on_exec(socket.native_handle());
            if (error == asio::error::operation_aborted || !acceptor_->is_open()) return;
            if (!error) serve(thread, std::move(socket));
            if (error) return pause();  // too many open files, perhaps: it passes
            accept();
        });
    }
    void serve(IoThread& thread, Tcp::socket socket) {
        const bool too_many = connections_.fetch_add(1) >= limits_.max_connections;
        asio::post(thread.context(), [this, &thread, too_many, s = std::make_shared<Tcp::socket>(std::move(socket))] {
            thread.add(tls_ ? tls_socket(std::move(*s), *tls_) : plain_socket(std::move(*s)), too_many);
        });
    }
    void pause() {
        pause_timer_.emplace(main());
        pause_timer_->expires_after(std::chrono::milliseconds(100));
        pause_timer_->async_wait([this](error_code error) {
            if (!error && acceptor_->is_open()) accept();
        });
    }
    void tick() {
        tick_timer_.emplace(main());
        tick_timer_->expires_after(tick_time);
        tick_timer_->async_wait([this](error_code error) {
            if (error) return;
            endpoint_->tick();
            tick();
        });
    }

    std::shared_ptr<Server::Impl> server_;
    const HttpOptions options_;
    const Limits limits_;
    std::optional<asio::ssl::context> tls_;
    io::WorkerPool pool_;
    std::shared_ptr<HttpEndpoint> endpoint_;
    std::shared_ptr<const HttpConnection::Shared> shared_;
    std::atomic<std::size_t> connections_{0};
    std::vector<std::unique_ptr<IoThread>> threads_;
    std::optional<Tcp::acceptor> acceptor_;
    std::optional<asio::steady_timer> tick_timer_, pause_timer_;
    std::unique_ptr<HttpGuard> guard_;
    std::size_t next_ = 0;
    std::uint16_t port_ = 0;
    std::once_flag stop_once_;
    bool all_ended_ = true;
};

HttpServer::HttpServer(Server& server, HttpOptions options)
    : impl_(std::make_unique<Impl>(server, std::move(options))) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const { return impl_->port(); }
std::string HttpServer::url() const { return impl_->url(); }
bool HttpServer::stop() { return impl_->stop(); }

int serve_http(Server& server, const HttpOptions& options) {
    server.impl()->default_log(log_to_stderr());
    const io::WakePipe pipe;
    const io::Signals signals(pipe);
    try {
        HttpServer http(server, options);
        server.impl()->note(LogLevel::notice, "serving " + http.url());
        pollfd fd{pipe.fd(), POLLIN, 0};
        while (signals.received() == 0) {
            if (::poll(&fd, 1, -1) > 0) pipe.clear();
        }
        if (!http.stop()) {
            server.impl()->note(LogLevel::error, "a handler ignores its stop token; leaving without it");
            std::_Exit(0);
        }
        return 0;
    } catch (const Exception& e) {
        server.impl()->note(LogLevel::error, e.what());
        return 1;
    }
}

}  // namespace tenon
