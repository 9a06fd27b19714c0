#include "transport/http_client/wire.hpp"

#include <boost/asio/post.hpp>

namespace tenon {

using framing::HttpResponseParser;

HttpWire::HttpWire(std::unique_ptr<HttpSocket> socket, asio::io_context& context, framing::HttpResponseLimits limits,
                   std::function<void(HttpWire*)> free)
    : socket_(std::move(socket)), idle_timer_(context), parser_(limits), free_(std::move(free)) {}

void HttpWire::close() {
    if (std::exchange(closed_, true)) return;
    const auto self = shared_from_this();
    user_.reset();
    idle_timer_.cancel();
    socket_->close();
    free_(this);
}

void HttpWire::close_when_idle_for(Duration time) {
    idle_timer_.expires_after(time);
    idle_timer_.async_wait([self = shared_from_this()](error_code error) {
        if (!error && !self->user_) self->close();
    });
}

// ---- out

void HttpWire::send(std::string bytes, std::shared_ptr<User> user) {
    idle_timer_.cancel();
    user_ = std::move(user);
    output_ = std::move(bytes);
    written_ = 0;
    parser_.expect(HttpResponseParser::To::get_or_post);
    error_code error;
    const auto n = socket_->try_write(std::string_view(output_), error);
    // Posted, because the user does not expect an event inside send().
    asio::post(idle_timer_.get_executor(),
               [self = shared_from_this(), error, n = n.value_or(0)] { self->wrote(error, n); });
}

void HttpWire::write() {
    socket_->write(std::string_view(output_).substr(written_),
                   [self = shared_from_this()](error_code error, std::size_t n) { self->wrote(error, n); });
}

// A server that stopped reading may have sent a response that says why. The reading side reports that response, or the
// end of the connection. After any other error the connection may stay open, and no response would come.
void HttpWire::wrote(error_code error, std::size_t n) {
    if (closed_ || !user_) return;
    written_ += n;
    if (error == asio::error::broken_pipe || error == asio::error::connection_reset || error == asio::error::eof)
        return;
    if (error) return broken("the request cannot be sent: " + error.message());
    if (written_ < output_.size()) return write();
    user_->on_sent();
}

// ---- in

void HttpWire::read() { socket_->read({shared_from_this(), this}); }

void HttpWire::on_read(error_code error, std::string_view bytes) {
    if (closed_) return;
    on_bytes(bytes);
    if (closed_) return;
    error ? on_end_of_input(error) : read();
}

void HttpWire::on_bytes(std::string_view input) {
    while (!closed_) {
        if (!user_) {
            if (!input.empty()) close();  // the server sent data without a request
            return;
        }
        const auto user = user_;
        switch (parser_.next(input)) {
            case HttpResponseParser::Event::more: return;
            case HttpResponseParser::Event::head: user->on_head(parser_.response()); break;
            case HttpResponseParser::Event::piece: user->on_piece(parser_.piece()); break;
            case HttpResponseParser::Event::end: end_of_answer(input.empty()); break;
            case HttpResponseParser::Event::error:
                broken("the server's response is not valid HTTP: " + parser_.why());
                break;
        }
    }
}

void HttpWire::end_of_answer(bool nothing_left) {
    const auto user = std::exchange(user_, {});
    const bool whole = written_ == output_.size();
    output_.clear();
    written_ = 0;
    has_served_ = true;
    if (parser_.response().keep_alive && nothing_left && whole) {
        free_(this);
    } else {
        close();
    }
    user->on_end();
}

// Only a clean end of the connection may end a response. Otherwise the response may be incomplete.
void HttpWire::on_end_of_input(error_code error) {
    if (!user_) return close();
    if (error == asio::error::eof && parser_.end_of_input() == HttpResponseParser::Event::end)
        return end_of_answer(true);
    broken("the connection to the server broke: " + error.message());
}

void HttpWire::broken(const std::string& why) {
    const auto user = std::exchange(user_, {});
    const bool untouched = !parser_.begun() && (has_served_ || written_ < output_.size());
    close();
    user->on_broken(why, untouched);
}

}  // namespace tenon
