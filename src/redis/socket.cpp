#include "redis/socket.hpp"

#include <sys/socket.h>
#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <optional>
#include <vector>

#include "io/resolve.hpp"

namespace tenon::redis {
namespace {

namespace asio = boost::asio;
using Stream = asio::generic::stream_protocol;
using Tls = asio::ssl::stream<Stream::socket>;

constexpr std::size_t read_bytes = 64 * 1024;

class AnySocket final : public Socket, public std::enable_shared_from_this<AnySocket> {
 public:
    AnySocket(std::shared_ptr<asio::io_context> loop, const Address& address)
        : loop_(std::move(loop)), address_(address), socket_(*loop_) {}

    void connect(std::function<void(std::string)> done) override {
        done_ = std::move(done);
        if (!address_.unix_path.empty()) {
            endpoints_ = {asio::local::stream_protocol::endpoint(address_.unix_path)};
            return asio::post(*loop_, [self = shared_from_this()] { self->try_next(); });
        }
        error_code not_numeric;
        const auto numeric = asio::ip::make_address(address_.host, not_numeric);
        if (!not_numeric) {
            endpoints_ = {asio::ip::tcp::endpoint(numeric, address_.port)};
            return asio::post(*loop_, [self = shared_from_this()] { self->try_next(); });
        }
        // The system may find the host after the loop has ended. The callback owns the loop until then.
        io::resolve(address_.host, [weak = weak_from_this(), loop = loop_](io::Resolved found) mutable {
            asio::post(*loop, [weak, found = std::move(found)] {
                if (const auto self = weak.lock()) self->on_resolved(found);
            });
        });
    }

    void read(std::function<void(std::string_view)> done) override {
        if (buffer_.empty()) buffer_.resize(read_bytes);
        auto handler = [self = shared_from_this(), done = std::move(done)](error_code error, std::size_t n) {
            done(error ? std::string_view{} : std::string_view(self->buffer_.data(), n));
        };
        if (tls_)
            tls_->async_read_some(asio::buffer(buffer_), std::move(handler));
        else
            socket_.async_read_some(asio::buffer(buffer_), std::move(handler));
    }

    void write(std::string_view bytes, std::function<void(error_code)> done) override {
        auto handler = [self = shared_from_this(), done = std::move(done)](error_code error, std::size_t) {
            done(error);
        };
        if (tls_)
            asio::async_write(*tls_, asio::buffer(bytes), std::move(handler));
        else
            asio::async_write(socket_, asio::buffer(bytes), std::move(handler));
    }

    void close() override {
        closed_ = true;
        done_ = nullptr;
        error_code ignored;
        auto& socket = tls_ ? tls_->next_layer() : socket_;
        socket.shutdown(Stream::socket::shutdown_both, ignored);
        socket.close(ignored);
    }

 private:
    void finish(std::string error) {
        if (auto done = std::exchange(done_, nullptr)) done(std::move(error));
    }

    void on_resolved(const io::Resolved& found) {
        if (closed_) return;
        for (const auto& text : found.addresses) {
            error_code error;
            const auto address = asio::ip::make_address(text, error);
            if (!error) endpoints_.emplace_back(asio::ip::tcp::endpoint(address, address_.port));
        }
        if (endpoints_.empty()) return finish("the host is not found: " + found.error);
        try_next();
    }

    void try_next() {
        if (closed_) return;
        if (next_ >= endpoints_.size()) return finish(last_error_);
        const auto& endpoint = endpoints_[next_++];
        error_code error;
        socket_.close(error);
        error = {};
        // Asio would open the socket without CLOEXEC, and a child process could inherit it.
        const int fd = ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0) return finish(error_code(errno, boost::system::system_category()).message());
        socket_.assign(endpoint.protocol(), fd, error);
        if (error) return finish(error.message());
        socket_.async_connect(endpoint, [self = shared_from_this()](error_code failed) { self->on_connected(failed); });
    }

    void on_connected(error_code error) {
        if (closed_) return;
        if (error) {
            last_error_ = error.message();
            return try_next();
        }
        if (address_.unix_path.empty()) socket_.set_option(asio::ip::tcp::no_delay(true), error);
        if (!address_.tls) return finish({});
        start_tls();
    }

    void start_tls() {
        error_code error;
        context_.emplace(asio::ssl::context::tls_client);
        if (address_.ca_file.empty())
            context_->set_default_verify_paths(error);
        else
            context_->load_verify_file(address_.ca_file, error);
        if (error) return finish("the certificate authorities cannot be read: " + error.message());
        tls_.emplace(std::move(socket_), *context_);
        error_code not_numeric;
        asio::ip::make_address(address_.host, not_numeric);
        if (not_numeric)  // the macro SSL_set_tlsext_host_name, without its C-style cast
            ::SSL_ctrl(tls_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                       const_cast<char*>(address_.host.c_str()));
        tls_->set_verify_mode(asio::ssl::verify_peer);
        tls_->set_verify_callback(asio::ssl::host_name_verification(address_.host));
        tls_->async_handshake(asio::ssl::stream_base::client, [self = shared_from_this()](error_code failed) {
            if (!self->closed_) self->finish(failed ? "TLS failed: " + failed.message() : std::string());
        });
    }

    const std::shared_ptr<asio::io_context> loop_;
    const Address address_;
    Stream::socket socket_;
    std::optional<asio::ssl::context> context_;
    std::optional<Tls> tls_;
    std::vector<Stream::endpoint> endpoints_;
    std::size_t next_ = 0;
    std::string last_error_ = "there is no address";
    std::function<void(std::string)> done_;
    std::vector<char> buffer_;
    bool closed_ = false;
};

}  // namespace

std::shared_ptr<Socket> make_socket(std::shared_ptr<asio::io_context> loop, const Address& address) {
    return std::make_shared<AnySocket>(std::move(loop), address);
}

}  // namespace tenon::redis
