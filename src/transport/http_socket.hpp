// A connection's bytes, with or without TLS.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tenon {

namespace asio = boost::asio;
using boost::system::error_code;

/// For one thread: that of its io_context. Callbacks are called from its loop, never from within a call.
class HttpSocket {
 public:
    virtual ~HttpSocket() = default;

    virtual void handshake(std::function<void(error_code)> done) = 0;
    class Reader {
     public:
        virtual void on_read(error_code error, std::string_view bytes) = 0;

     protected:
        ~Reader() = default;
    };
    /// Some bytes, valid during the callback only. One at a time. The pointer keeps the reader, and this, alive.
    virtual void read(std::shared_ptr<Reader> reader) = 0;
    /// The same, into memory of the reader's, which must stay.
    virtual void read_into(std::span<char> room, std::shared_ptr<Reader> reader) = 0;

    /// Bytes that lie in two places, and go out as if they lay in one.
    struct Pieces {
        Pieces(std::string_view only) : first(only) {}
        Pieces(std::string_view one, std::string_view other) : first(one), second(other) {}
        std::string_view first, second = {};
    };
    /// Writes what can be written at once; nothing said when only write() can tell.
    virtual std::optional<std::size_t> try_write(Pieces bytes, error_code& error) = 0;
    /// Some of them. One at a time; the bytes must stay.
    virtual void write(Pieces bytes, std::function<void(error_code, std::size_t)> some) = 0;
    /// After the end of input: whether the other side has closed altogether, or waits for an answer.
    virtual void wait_for_reset(std::function<void()> done) = 0;
    virtual bool can_be_half_closed() const = 0;
    virtual void end_output() = 0;
    virtual void close() = 0;
};

std::unique_ptr<HttpSocket> plain_socket(asio::ip::tcp::socket socket);
std::unique_ptr<HttpSocket> tls_socket(asio::ip::tcp::socket socket, asio::ssl::context& context);
/// The client's side: the server must prove that it is `host`.
std::unique_ptr<HttpSocket> tls_client_socket(asio::ip::tcp::socket socket, asio::ssl::context& context,
                                              const std::string& host);

}  // namespace tenon
