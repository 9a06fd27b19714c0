// A connection of a simple HTTP server: each request gets a small JSON document.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "framing/http_request.hpp"
#include "simulation/network.hpp"

namespace tenon::test {

class PlainConnection final : private HttpSocket::Reader, public std::enable_shared_from_this<PlainConnection> {
 public:
    struct Response {
        int status = 200;
        std::string body = {};
        std::string fields = {};  ///< lines that end with CRLF
        Duration wait = {};       ///< before it is sent
    };
    using Respond = std::function<Response(const framing::HttpRequest& head, const std::string& body)>;

    PlainConnection(Agenda& agenda, std::unique_ptr<HttpSocket> socket, Respond respond)
        : agenda_(agenda), socket_(std::move(socket)), respond_(std::move(respond)) {}

    /// Serves requests until the client closes. The connection keeps itself alive.
    void serve() { socket_->read({shared_from_this(), static_cast<HttpSocket::Reader*>(this)}); }
    void close() {
        respond_ = {};
        socket_->close();
    }

 private:
    void on_read(error_code error, std::string_view bytes) override {
        using Event = framing::HttpRequestParser::Event;
        if (!respond_) return;
        if (error) return close();
        for (;;) {
            const Event event = parser_.next(bytes);
            if (event == Event::piece) body_ += parser_.piece();
            if (event == Event::end) answer(respond_(parser_.request(), std::exchange(body_, {})));
            if (event == Event::refused) return close();
            if (event == Event::more) return serve();
        }
    }
    void answer(const Response& response) {
        agenda_.after(response.wait, [self = shared_from_this(), response] {
            self->out_ +=
                "HTTP/1.1 " + std::to_string(response.status) +
                " S\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(response.body.size()) +
                "\r\n" + response.fields + "\r\n" + response.body;
            self->flush();
        });
    }
    void flush() {
        if (!respond_) return;
        error_code error;
        out_.erase(0, socket_->try_write(std::string_view(out_), error).value_or(0));
        if (!error && !out_.empty()) agenda_.after(1ms, [self = shared_from_this()] { self->flush(); });
    }

    Agenda& agenda_;
    const std::unique_ptr<HttpSocket> socket_;
    Respond respond_;  // empty after close()
    framing::HttpRequestParser parser_;
    std::string body_, out_;
};

}  // namespace tenon::test
