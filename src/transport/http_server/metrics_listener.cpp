#include <tenon/transport/metrics_listener.hpp>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <charconv>
#include <set>
#include <thread>

#include "io/last_resort.hpp"
#include "runtime/server_impl.hpp"
#include "transport/http/accept_loop.hpp"
#include "transport/http_server/metrics_response.hpp"
#include "web/response.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;

constexpr framing::HttpLimits metrics_limits = {16 * 1024, 100, 1024, 0};

asio::ip::address metrics_ip(const std::string& text) {
    error_code error;
    const auto address = asio::ip::make_address(text, error);
    if (error) throw Exception({code::invalid_params, "the address for metrics must be an IP address: " + text});
    return address;
}

}  // namespace

MetricsAddress MetricsAddress::parse(std::string_view text) {
    MetricsAddress out;
    const std::size_t colon = text.rfind(':');
    std::string_view host = text.substr(0, colon);
    const std::string_view port = colon == std::string_view::npos ? "" : text.substr(colon + 1);
    const auto read = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    if (port.empty() || read.ec != std::errc() || read.ptr != port.data() + port.size())
        throw Exception(
            {code::invalid_params,
             "write the address for metrics as ADDRESS:PORT, for example 127.0.0.1:9464, not " + std::string(text)});
    out.address = host;
    metrics_ip(out.address);
    return out;
}

class MetricsListener::Impl {
 public:
    Impl(std::shared_ptr<Metrics> metrics, MetricsAddress at) : metrics_(std::move(metrics)), at_(std::move(at)) {
        const auto address = metrics_ip(at_.address);
        policy_.loopback = address.is_loopback();
        policy_.any_host = !policy_.loopback;
        policy_.own_port_only = true;
        error_code error;
        acceptor_.listen(Tcp::endpoint(address, at_.port), at_.max_connections, error);
        if (error)
            throw Exception({code::invalid_params, "cannot serve metrics on " + at_.address + " port " +
                                                       std::to_string(at_.port) + ": " + error.message()});
        port_ = acceptor_.port();
        acceptor_.start([this](Tcp::socket socket) { serve(std::move(socket)); });
        thread_ = std::thread([this] { io::run_thread([this] { context_.run(); }, [](const char*) {}); });
    }
    ~Impl() {
        const auto end = [this] {
            acceptor_.close();
            context_.stop();
        };
        if (!io::insist([&] { asio::post(context_, end); }, Clock::now())) context_.stop();
        thread_.join();
        for (const auto& reader : std::set(readers_)) reader->close();
    }

    std::uint16_t port() const { return port_; }
    std::string url() const {
        const bool v6 = at_.address.find(':') != std::string::npos;
        return "http://" + (v6 ? "[" + at_.address + "]" : at_.address) + ":" + std::to_string(port_) + "/metrics";
    }

 private:
    // One connection: reads one request, sends one response, and closes.
    class Reader final : private HttpSocket::Reader, public std::enable_shared_from_this<Reader> {
     public:
        Reader(Impl& owner, Tcp::socket socket)
            : owner_(owner),
              socket_(plain_socket(std::move(socket))),
              timer_(owner.context_),
              parser_(metrics_limits) {}

        void start() {
            timer_.expires_after(owner_.at_.request_time);
            timer_.async_wait([weak = weak_from_this()](error_code error) {
                const auto self = weak.lock();
                if (self && !error) self->close();
            });
            read();
        }
        void close() {
            if (std::exchange(closed_, true)) return;
            const auto self = shared_from_this();
            timer_.cancel();
            socket_->close();
            owner_.readers_.erase(self);
        }

     private:
        void read() { socket_->read({shared_from_this(), this}); }
        void on_read(error_code error, std::string_view bytes) override {
            if (closed_) return;
            if (error) return close();
            if (lingering_) return read();
            using Event = framing::HttpRequestParser::Event;
            switch (parser_.next(bytes)) {
                case Event::more: return read();
                case Event::head: return respond(metrics_response(*owner_.metrics_, parser_.request(), owner_.policy_));
                default: return respond({400});
            }
        }
        void respond(const web::Response& response) {
            web::append_head(output_, response, {.keep_alive = false});
            output_ += response.body;
            write(0);
        }
        void write(std::size_t from) {
            socket_->write(std::string_view(output_).substr(from),
                           [weak = weak_from_this(), from](error_code error, std::size_t n) {
                               const auto self = weak.lock();
                               if (!self || self->closed_) return;
                               if (error) return self->close();
                               if (from + n < self->output_.size()) return self->write(from + n);
                               self->linger();
                           });
        }
        // Closing a socket with unread input would reset the connection, and could lose the response. So this reads
        // until the client closes, or the timer does.
        void linger() {
            lingering_ = true;
            socket_->end_output();
            read();
        }

        Impl& owner_;
        std::unique_ptr<HttpSocket> socket_;
        asio::steady_timer timer_;
        framing::HttpRequestParser parser_;
        std::string output_;
        bool closed_ = false, lingering_ = false;
    };

    void serve(Tcp::socket socket) {
        if (readers_.size() >= at_.max_connections) return;
        const auto reader = std::make_shared<Reader>(*this, std::move(socket));
        readers_.insert(reader);
        reader->start();
    }

    const std::shared_ptr<Metrics> metrics_;
    const MetricsAddress at_;
    web::OriginPolicy policy_;
    asio::io_context context_{1};
    const asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    AcceptLoop acceptor_{context_};
    std::set<std::shared_ptr<Reader>> readers_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

MetricsListener::MetricsListener(Server& server, MetricsAddress at)
    : MetricsListener(server.impl()->default_metrics(), std::move(at)) {}
MetricsListener::MetricsListener(std::shared_ptr<Metrics> metrics, MetricsAddress at)
    : impl_(std::make_unique<Impl>(std::move(metrics), std::move(at))) {}
MetricsListener::~MetricsListener() = default;
std::uint16_t MetricsListener::port() const { return impl_->port(); }
std::string MetricsListener::url() const { return impl_->url(); }

}  // namespace tenon
