#include "transport/http_client/dial.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>

#include "io/resolve.hpp"
#include "transport/http/tcp.hpp"
#include "web/client_request.hpp"

namespace tenon {
namespace {

using Tcp = asio::ip::tcp;

}  // namespace

using framing::HttpResponseParser;

HttpDial::HttpDial(const std::shared_ptr<asio::io_context>& context, std::shared_ptr<const HttpRoute> route, Done done)
    : context_(*context),
      loop_(context),
      route_(std::move(route)),
      done_(std::move(done)),
      until_(later(Clock::now(), route_->dial_time)),
      timer_(context_),
      parser_(route_->limits) {}

void HttpDial::start() {
    if (route_->connect) return connect_elsewhere();
    wait(route_->dial_time, &HttpDial::too_slow);
    look_up();
}

void HttpDial::connect_elsewhere() {
    route_->connect([self = shared_from_this()](Result<std::unique_ptr<HttpSocket>> socket) {
        if (!self->done_) return;
        socket ? self->succeed(*std::move(socket)) : self->fail(socket.error().message);
    });
}

void HttpDial::cancel() {
    done_ = {};
    timer_.cancel();
    if (socket_) {
        error_code ignored;
        socket_->close(ignored);
    }
    if (secured_) secured_->close();
}

void HttpDial::wait(Duration time, void (HttpDial::*then)()) {
    timer_.expires_after(time);
    timer_.async_wait([self = shared_from_this(), then](error_code error) {
        const bool set_anew = self->timer_.expiry() > Clock::now();
        if (!error && self->done_ && !set_anew) (self.get()->*then)();
    });
}

void HttpDial::too_slow() {
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(route_->dial_time);
    fail("no connection after " + std::to_string(time.count()) + " ms (dial_time)");
}

void HttpDial::fail(const std::string& why) {
    if (!done_) return;
    const Done done = std::move(done_);
    cancel();
    const web::Url& hop = route_->first_hop();
    done(Error{code::connection_closed, "cannot connect to " + std::string(route_->proxy ? "the proxy " : "") +
                                            hop.host + " port " + std::to_string(hop.port) + ": " + why});
}

void HttpDial::succeed(std::unique_ptr<HttpSocket> socket) {
    const Done done = std::exchange(done_, {});
    timer_.cancel();
    done(std::move(socket));
}

// ---- name and address

void HttpDial::look_up() {
    error_code error;
    asio::ip::make_address(route_->first_hop().host, error);
    if (!error) {
        addresses_.push_back(route_->first_hop().host);
        return try_next("");
    }
    // The result may come after the client was destroyed; it is dropped then.
    const auto tell = [weak = weak_from_this(), loop = loop_](io::Resolved found) {
        const auto context = loop.lock();
        if (!context) return;
        asio::post(*context, [weak, found = std::move(found)] {
            const auto self = weak.lock();
            if (!self || !self->done_) return;
            self->addresses_.assign(found.addresses.begin(), found.addresses.end());
            self->try_next(found.error);
        });
    };
    try {
        io::resolve(route_->first_hop().host, tell);
    } catch (const std::system_error& e) {
        fail(e.what());
    }
}

// Tries one address after the other. Each gets an equal part of the remaining time, so that an address that does not
// respond leaves time for the others.
void HttpDial::try_next(const std::string& why_not_before) {
    if (addresses_.empty()) return fail(why_not_before);
    error_code error;
    const Tcp::endpoint at(asio::ip::make_address(addresses_.front(), error), route_->first_hop().port);
    const auto share = (until_ - Clock::now()) / static_cast<long>(addresses_.size());
    addresses_.pop_front();
    if (error) return try_next(error.message());
    if (route_->admits && !route_->proxy && !route_->admits(at.address()))
        return try_next(at.address().to_string() + " is not an allowed address");
    wait(std::max(share, Duration::zero()), &HttpDial::next_is_due);
    socket_.emplace(context_);
    open_tcp(*socket_, at, error);
    if (error) return try_next(error.message());
    socket_->async_connect(at, [self = shared_from_this(), attempt = ++attempt_](error_code failed) {
        if (!self->done_ || self->attempt_ != attempt) return;
        failed ? self->try_next(failed.message()) : self->connected();
    });
}

void HttpDial::next_is_due() {
    error_code ignored;
    ++attempt_;  // ignores the result of the current attempt
    if (socket_) socket_->close(ignored);
    addresses_.empty() ? too_slow() : try_next("");
}

void HttpDial::connected() {
    wait(std::max(until_ - Clock::now(), Duration::zero()), &HttpDial::too_slow);
    if (!route_->origin.tls) return succeed(plain_socket(std::move(*socket_)));
    route_->proxy ? ask_for_tunnel() : encrypt();
}

// ---- the proxy

void HttpDial::ask_for_tunnel() {
    output_ = web::write_connect(route_->origin, *route_->proxy);
    parser_.expect(HttpResponseParser::To::connect);
    asio::async_write(*socket_, asio::buffer(output_), [self = shared_from_this()](error_code error, std::size_t) {
        if (!self->done_) return;
        error ? self->fail(error.message()) : self->read_tunnel();
    });
}

void HttpDial::read_tunnel() {
    socket_->async_read_some(asio::buffer(buffer_), [self = shared_from_this()](error_code error, std::size_t n) {
        if (!self->done_) return;
        if (error) return self->fail("it closed the connection: " + error.message());
        std::string_view input(self->buffer_.data(), n);
        const auto event = self->parser_.next(input);
        if (event == HttpResponseParser::Event::more) return self->read_tunnel();
        if (event != HttpResponseParser::Event::head) return self->fail("its answer is wrong: " + self->parser_.why());
        const int status = self->parser_.response().status;
        if (status >= 300) return self->fail("it refuses a tunnel with HTTP " + std::to_string(status));
        if (!input.empty()) return self->fail("it sent data before the TLS handshake");
        self->encrypt();
    });
}

// ---- TLS

void HttpDial::encrypt() {
    secured_ = tls_client_socket(std::move(*socket_), *route_->tls, route_->origin.host);
    secured_->handshake([self = shared_from_this()](error_code error) {
        if (self->done_) self->secured(error);
    });
}

void HttpDial::secured(error_code error) {
    if (!error) return succeed(std::move(secured_));
    // The first bytes were not a TLS record.
    const bool plain = error.message().find("wrong version number") != std::string::npos;
    fail(plain ? "the server does not speak TLS on this port; use http:// instead of https://"
               : "the TLS handshake failed: " + error.message());
}

}  // namespace tenon
