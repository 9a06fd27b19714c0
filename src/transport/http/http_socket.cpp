#include "transport/http/http_socket.hpp"

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;

void close_tcp(Tcp::socket& socket) {
    error_code ignored;
    socket.shutdown(Tcp::socket::shutdown_both, ignored);
    socket.close(ignored);
}

std::array<asio::const_buffer, 2> buffers(const HttpSocket::Pieces& bytes) {
    return {asio::buffer(bytes.first), asio::buffer(bytes.second)};
}

template <class Stream>
void receive(Stream& stream, std::span<char> room, std::shared_ptr<HttpSocket::Reader> reader) {
    stream.async_read_some(asio::buffer(room.data(), room.size()),
                           [room, reader = std::move(reader)](error_code error, std::size_t n) {
                               reader->on_read(error, std::string_view(room.data(), n));
                           });
}

// Grows its read buffer after a read that filled it, and shrinks it after a small read: most connections are idle and
// should use little memory.
class PlainSocket final : public HttpSocket {
 public:
    explicit PlainSocket(Tcp::socket socket) : socket_(std::move(socket)) {
        error_code ignored;
        socket_.non_blocking(true, ignored);
        socket_.set_option(Tcp::no_delay(true), ignored);
    }

    void handshake(std::function<void(error_code)> done) override {
        asio::post(socket_.get_executor(), [done = std::move(done)] { done({}); });
    }

    void read(std::shared_ptr<Reader> reader) override {
        constexpr std::size_t least = 2 * 1024, most = 64 * 1024;
        const std::size_t wanted = last_read_ == size_ ? std::min(std::max(size_ * 8, least), most) : size_;
        const std::size_t fitting = last_read_ <= least / 2 ? least : wanted;
        if (fitting != size_) buffer_.reset(new char[size_ = fitting]);
        socket_.async_read_some(asio::buffer(buffer_.get(), size_),
                                [this, reader = std::move(reader)](error_code error, std::size_t n) {
                                    last_read_ = n;
                                    reader->on_read(error, std::string_view(buffer_.get(), n));
                                });
    }
    void read_into(std::span<char> room, std::shared_ptr<Reader> reader) override {
        last_read_ = 0;  // the next read() expects a head, so it starts with a small buffer
        receive(socket_, room, std::move(reader));
    }

    std::optional<std::size_t> try_write(Pieces bytes, error_code& error) override {
        const std::size_t n = bytes.second.empty() ? socket_.write_some(asio::buffer(bytes.first), error)
                                                   : socket_.write_some(buffers(bytes), error);
        if (error == asio::error::would_block || error == asio::error::interrupted) error = {};
        return n;
    }

    void write(Pieces bytes, std::function<void(error_code, std::size_t)> some) override {
        socket_.async_write_some(buffers(bytes), std::move(some));
    }

    void wait_for_reset(std::function<void()> done) override {
        socket_.async_wait(Tcp::socket::wait_error, [done = std::move(done)](error_code) { done(); });
    }
    bool can_be_half_closed() const override { return true; }

    void end_output() override {
        error_code ignored;
        socket_.shutdown(Tcp::socket::shutdown_send, ignored);
    }
    void close() override { close_tcp(socket_); }

 private:
    Tcp::socket socket_;
    std::unique_ptr<char[]> buffer_;
    std::size_t size_ = 0, last_read_ = 0;
};

class TlsSocket final : public HttpSocket {
 public:
    using Role = asio::ssl::stream_base::handshake_type;
    TlsSocket(Tcp::socket socket, asio::ssl::context& context, Role role = Role::server)
        : stream_(std::make_shared<Stream>(std::move(socket), context)), role_(role) {
        error_code ignored;
        stream_->next_layer().set_option(Tcp::no_delay(true), ignored);
    }

    void handshake(std::function<void(error_code)> done) override { stream_->async_handshake(role_, std::move(done)); }
    /// Call before the handshake. Sends the host name (SNI) and accepts only a certificate for this host.
    void expect(const std::string& host) {
        error_code not_an_address;
        asio::ip::make_address(host, not_an_address);
        if (not_an_address)  // the macro SSL_set_tlsext_host_name, without its C-style cast
            ::SSL_ctrl(stream_->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                       const_cast<char*>(host.c_str()));
        stream_->set_verify_mode(asio::ssl::verify_peer);
        stream_->set_verify_callback(asio::ssl::host_name_verification(host));
    }
    void read(std::shared_ptr<Reader> reader) override { read_into(buffer_, std::move(reader)); }
    void read_into(std::span<char> room, std::shared_ptr<Reader> reader) override {
        receive(*stream_, room, std::move(reader));
    }
    std::optional<std::size_t> try_write(Pieces, error_code&) override { return std::nullopt; }
    void write(Pieces bytes, std::function<void(error_code, std::size_t)> some) override {
        stream_->async_write_some(asio::buffer(bytes.first.empty() ? bytes.second : bytes.first), std::move(some));
    }
    void wait_for_reset(std::function<void()> done) override { done(); }
    bool can_be_half_closed() const override { return false; }
    void end_output() override {
        stream_->async_shutdown([stream = stream_](error_code) {});  // may complete after `this` is destroyed
    }
    void close() override { close_tcp(stream_->next_layer()); }

 private:
    using Stream = asio::ssl::stream<Tcp::socket>;
    std::shared_ptr<Stream> stream_;
    const Role role_;
    std::array<char, 16 * 1024> buffer_;
};

}  // namespace

std::unique_ptr<HttpSocket> plain_socket(Tcp::socket socket) {
    return std::make_unique<PlainSocket>(std::move(socket));
}

std::unique_ptr<HttpSocket> tls_socket(Tcp::socket socket, asio::ssl::context& context) {
    return std::make_unique<TlsSocket>(std::move(socket), context);
}

std::unique_ptr<HttpSocket> tls_client_socket(Tcp::socket socket, asio::ssl::context& context,
                                              const std::string& host) {
    auto out = std::make_unique<TlsSocket>(std::move(socket), context, asio::ssl::stream_base::client);
    out->expect(host);
    return out;
}

}  // namespace tenon
