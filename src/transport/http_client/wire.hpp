// A client's connection: carries one request at a time.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/limits.hpp>

#include "framing/http_response.hpp"
#include "transport/http/http_socket.hpp"

namespace tenon {

/// One connection of a client. Not thread-safe: use it only on the thread of the io_context.
class HttpWire final : private HttpSocket::Reader, public std::enable_shared_from_this<HttpWire> {
 public:
    /// Receives the response to one request. The last event is either on_end or on_broken. After close() there are no
    /// events.
    class User {
     public:
        virtual ~User() = default;
        virtual void on_sent() = 0;
        virtual void on_head(const framing::HttpResponse& head) = 0;
        virtual void on_piece(std::string_view bytes) = 0;
        virtual void on_end() = 0;
        /// The connection broke. `untouched` means that the request may safely be sent again. Then no byte of a
        /// response has come, and one of these holds: the request was not sent completely, or the connection had served
        /// an earlier request, so the server may have closed it while it was idle.
        virtual void on_broken(const std::string& why, bool untouched) = 0;
    };

    /// Calls `free` when a request has ended: the wire can then be used again, unless closed() is true.
    HttpWire(std::unique_ptr<HttpSocket> socket, asio::io_context& context, framing::HttpResponseLimits limits,
             std::function<void(HttpWire*)> free);

    void start() { read(); }
    void send(std::string bytes, std::shared_ptr<User> user);
    void close_when_idle_for(Duration time);
    void close();
    bool closed() const { return closed_; }

 private:
    void read();
    void on_read(error_code error, std::string_view bytes) override;
    void write();
    void wrote(error_code error, std::size_t n);
    void on_bytes(std::string_view input);
    void on_end_of_input(error_code error);
    void end_of_answer(bool nothing_left);
    void broken(const std::string& why);

    std::unique_ptr<HttpSocket> socket_;
    asio::steady_timer idle_timer_;
    framing::HttpResponseParser parser_;
    std::function<void(HttpWire*)> free_;
    std::shared_ptr<User> user_;
    std::string output_;
    std::size_t written_ = 0;
    bool has_served_ = false;  // whether an earlier request was answered on this connection
    bool closed_ = false;
};

}  // namespace tenon
