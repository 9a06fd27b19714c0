// A TCP connection that carries HTTP, with or without TLS.
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

/// One connection. Not thread-safe: use it only on the thread of its io_context. Callbacks run in that loop, never
/// inside the call that starts the operation.
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
    /// Reads some bytes into a buffer of the socket and passes them to the reader. They are valid only during the
    /// callback. Only one read may be pending. `reader` must own this socket: the pointer keeps both alive.
    virtual void read(std::shared_ptr<Reader> reader) = 0;
    /// Like read(), but into `room`, which must stay valid until the callback.
    virtual void read_into(std::span<char> room, std::shared_ptr<Reader> reader) = 0;

    /// Bytes in two places that are written one after the other, without copying them together.
    struct Pieces {
        Pieces(std::string_view only) : first(only) {}
        Pieces(std::string_view one, std::string_view other) : first(one), second(other) {}
        std::string_view first, second = {};
    };
    /// Writes as much as possible without waiting and returns the number of bytes. Returns nullopt when the socket
    /// supports only write() (TLS).
    virtual std::optional<std::size_t> try_write(Pieces bytes, error_code& error) = 0;
    /// Writes some of the bytes and calls `some` with their number. Only one write may be pending. The bytes must stay
    /// valid until the callback.
    virtual void write(Pieces bytes, std::function<void(error_code, std::size_t)> some) = 0;
    /// Calls `done` when the peer has closed the whole connection. Use it after the end of input: a peer that closed
    /// only its own direction may still wait for a response.
    virtual void wait_for_reset(std::function<void()> done) = 0;
    virtual bool can_be_half_closed() const = 0;
    virtual void end_output() = 0;
    virtual void close() = 0;
};

std::unique_ptr<HttpSocket> plain_socket(asio::ip::tcp::socket socket);
std::unique_ptr<HttpSocket> tls_socket(asio::ip::tcp::socket socket, asio::ssl::context& context);
/// Makes the client's side of a TLS connection. The server must have a valid certificate for `host`.
std::unique_ptr<HttpSocket> tls_client_socket(asio::ip::tcp::socket socket, asio::ssl::context& context,
                                              const std::string& host);

}  // namespace tenon
