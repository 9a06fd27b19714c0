#include <tenon/transport/http_server.hpp>

#include <poll.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>

#include "io/cpus.hpp"
#include "io/last_resort.hpp"
#include "io/wake_pipe.hpp"
#include "runtime/server_impl.hpp"
#include "transport/http_server/acceptor.hpp"
#include "transport/http_server/endpoint_setup.hpp"
#include "transport/log_to_stderr.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;
constexpr Duration tick_time = std::chrono::milliseconds(500);

// Wakes stop() when its condition may have become true. Shared, because a handler may outlive the server.
struct Stopping {
    std::atomic<bool> begun{false};
    io::Event changed;
    void answered() {
        if (begun.load(std::memory_order_relaxed)) changed.set();
    }
};

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

}  // namespace

class HttpServer::Impl {
 public:
    Impl(Server& server, HttpOptions options)
        : server_(server.impl()),
          options_(std::move(options)),
          limits_(server.limits()),
          pool_(handler_threads(limits_, note())),
          decoders_(decoder_threads(limits_, note())) {
        const auto address = check_options(options_);
        if (options_.tls) tls_.emplace(tls_context(*options_.tls));
        if (options_.metrics) server_->default_metrics();  // before sessions exist
        if (options_.raise_descriptor_limit) io::raise_descriptor_limit();
        serve_with_endpoint(server);
        make_threads();
        acceptor_.emplace(threads_, Tcp::endpoint(address, options_.port), note());
        if (server_->metrics()) in_metrics_ = server_->metrics()->watch([this](ServerState& s) { report_state(s); });
        if (options_.metrics) listener_.emplace(server, *options_.metrics);
        start();
    }
    ~Impl() { stop(); }

    std::uint16_t port() const { return acceptor_->port(); }
    std::string url() const {
        const std::string host =
            options_.address.find(':') != std::string::npos ? "[" + options_.address + "]" : options_.address;
        return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port()) + options_.path;
    }

    const MetricsListener* listener() const { return listener_ ? &*listener_ : nullptr; }

    bool stop() {
        std::call_once(stop_once_, [this] { all_ended_ = stop_now(); });
        return all_ended_;
    }

 private:
    // One deadline for all steps. Running calls get three quarters of the time. In the last quarter, clients read the
    // errors and handlers return.
    bool stop_now() {
        const TimePoint end = later(Clock::now(), limits_.drain_time);
        stopping_->begun.store(true);
        acceptor_->close(end - limits_.drain_time / 4);
        for (const auto& thread : threads_) thread->finish_all(end);
        stopping_->changed.wait_until(end - limits_.drain_time / 4, [this] { return is_idle(); });
        io::insist([this] { endpoint_->shut_down("the server is shutting down"); }, end);
        stopping_->changed.wait_until(end, [this] { return common_->connections.load() == 0; });
        endpoint_->close_cluster();    // before join(), because answers of the store wake connections
        if (access_) access_->stop();  // before join(), because it posts work to these threads
        for (const auto& thread : threads_) thread->join();
        const bool decoded = decoders_.stop(end - Clock::now());
        const bool ended = pool_.stop(end - Clock::now()) && decoded;
        listener_.reset();  // /readyz answered 503 until now
        in_metrics_.reset();
        return ended;
    }

    // Runs on a thread of the metrics.
    void report_state(ServerState& state) const {
        state.connections += common_->connections.load();
        state.draining |= stopping_->begun.load();
        report(*endpoint_, pool_, *output_, state);
    }

    // Without memory to find out, the calls get the time that they may need.
    bool is_idle() const {
        bool idle = false;
        io::survives([&] { idle = endpoint_->idle(); }, [](const char*) {});
        return idle;
    }

    LogNote note() const { return note_to(server_); }

    asio::io_context& main() { return threads_.front()->context(); }

    void serve_with_endpoint(Server& server) {
        EndpointOptions options;
        options.post = post_to(pool_);
        options.when_answered = [stopping = stopping_] { stopping->answered(); };
        auto made = make_endpoint(server, options_, std::move(options));
        endpoint_ = std::move(made.endpoint);
        access_ = std::move(made.access);
        HttpConnection::Shared shared{endpoint_, limits_, post_large_to(decoders_)};
        shared.admission_time = made.wait_time;
        shared.tap = server_->tap();
        if (server_->metrics()) shared.output = output_;
        shared_ = std::make_shared<const HttpConnection::Shared>(std::move(shared));
    }

    void make_threads() {
        common_.emplace(
            shared_, pool_, tls_ ? &*tls_ : nullptr, options_.max_connections_per_address, note(),
            [server = server_](LimitName limit) { server->limit_hit(limit); }, stopping_->changed);
        const unsigned count = options_.threads > 0 ? options_.threads : io::usable_cpus();
        for (unsigned i = 0; i < count; ++i) threads_.push_back(std::make_unique<HttpIoThread>(*common_));
    }

    // When it throws, the threads must end before the members that they use.
    void start() {
        tick_timer_.emplace(main());
        threads_.front()->on_fault([this] {
            if (!ticks_) tick();
            acceptor_->resume();
        });
        try {
            tick();
            acceptor_->start();
            for (const auto& thread : threads_) thread->start();
        } catch (...) {
            for (const auto& thread : threads_) thread->join();
            throw;
        }
    }

    void tick() {
        tick_timer_->expires_after(tick_time);
        tick_timer_->async_wait([this](error_code error) {
            ticks_ = false;
            if (error) return;
            HttpConnection::enter_none();
            tick();  // first, so that an exception does not stop the timer
            endpoint_->tick();
            stopping_->answered();
        });
        ticks_ = true;
    }

    std::shared_ptr<Server::Impl> server_;
    const HttpOptions options_;
    const Limits limits_;
    std::optional<asio::ssl::context> tls_;
    io::WorkerPool pool_;
    io::WorkerPool decoders_;  // for large requests
    std::shared_ptr<HttpEndpoint> endpoint_;
    std::shared_ptr<const HttpConnection::Shared> shared_;
    const OutputCountsPtr output_ = std::make_shared<OutputCounts>();
    const std::shared_ptr<Stopping> stopping_ = std::make_shared<Stopping>();
    std::optional<HttpIoThread::Common> common_;
    HttpAcceptor::Threads threads_;
    std::optional<HttpAcceptor> acceptor_;  // uses the loop of the first thread, as tick_timer_ does
    std::optional<asio::steady_timer> tick_timer_;
    bool ticks_ = false;  // tick_timer_ runs; used only by the first thread
    std::unique_ptr<AccessControl> access_;
    std::once_flag stop_once_;
    bool all_ended_ = true;
    std::shared_ptr<void> in_metrics_;
    std::optional<MetricsListener> listener_;
};

HttpServer::HttpServer(Server& server, HttpOptions options)
    : impl_(std::make_unique<Impl>(server, std::move(options))) {}
HttpServer::~HttpServer() = default;
std::uint16_t HttpServer::port() const { return impl_->port(); }
std::string HttpServer::url() const { return impl_->url(); }
std::string HttpServer::metrics_url() const { return impl_->listener() ? impl_->listener()->url() : std::string(); }
bool HttpServer::stop() { return impl_->stop(); }

int serve_http(Server& server, const HttpOptions& options) {
    server.impl()->default_log(log_to_stderr(), least_stderr_level);
    const io::WakePipe pipe;
    const io::Signals signals(pipe);
    try {
        HttpServer http(server, options);
        server.impl()->note(LogLevel::notice, "serving " + http.url());
        if (const std::string metrics = http.metrics_url(); !metrics.empty())
            server.impl()->note(LogLevel::notice, "metrics at " + metrics);
        pollfd fd{pipe.fd(), POLLIN, 0};
        while (signals.received() == 0) {
            if (::poll(&fd, 1, -1) > 0) pipe.clear();
        }
        if (!http.stop()) {
            server.impl()->note(LogLevel::error,
                                "a handler ignores its stop token; exiting the process without waiting for it");
            server.impl()->flush_audit();
            std::_Exit(0);
        }
        return 0;
    } catch (const Exception& e) {
        server.impl()->note(LogLevel::error, e.what());
        return 1;
    }
}

}  // namespace tenon
