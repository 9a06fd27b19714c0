// A new connection to where a client's requests go: name, TCP, the proxy's tunnel, TLS.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tenon/error.hpp>
#include <tenon/limits.hpp>

#include "framing/http_response.hpp"
#include "transport/http_socket.hpp"
#include "web/url.hpp"

namespace tenon {

/// The way to one origin; the same for all connections.
struct HttpRoute {
    web::Url origin;
    std::optional<web::Url> proxy = {};
    std::shared_ptr<asio::ssl::context> tls = {};  ///< where the origin has it
    Duration dial_time = std::chrono::seconds(10);
    framing::HttpResponseLimits limits = {};
    /// Asked before each connection; an address that is not admitted is passed over. Not asked of a proxy's address.
    std::function<bool(const asio::ip::address&)> admits = {};

    const web::Url& first_hop() const { return proxy ? *proxy : origin; }
    /// A proxy that reads the requests, and is told where they go.
    const web::Url* forwarder() const { return proxy && !origin.tls ? &*proxy : nullptr; }
};

/// For the thread of the io_context.
class HttpDial : public std::enable_shared_from_this<HttpDial> {
 public:
    using Done = std::function<void(Result<std::unique_ptr<HttpSocket>>)>;
    HttpDial(const std::shared_ptr<asio::io_context>& context, std::shared_ptr<const HttpRoute> route, Done done);

    void start();
    /// Then `done` is not called.
    void cancel();

 private:
    void look_up();
    void try_next(const std::string& why_not_before);
    void connected();
    void ask_for_tunnel();
    void read_tunnel();
    void encrypt();
    void secured(error_code error);
    void wait(Duration time, void (HttpDial::*then)());
    void too_slow();
    void next_is_due();
    void fail(const std::string& why);
    void succeed(std::unique_ptr<HttpSocket> socket);

    asio::io_context& context_;
    const std::weak_ptr<asio::io_context> loop_;  // the same; a handler in its queue must not keep it alive
    std::shared_ptr<const HttpRoute> route_;
    Done done_;  // empty when it is over
    const TimePoint until_;
    asio::steady_timer timer_;
    std::deque<std::string> addresses_;
    int attempt_ = 0;  // which of them is being tried
    std::optional<asio::ip::tcp::socket> socket_;
    std::string output_;
    framing::HttpResponseParser parser_;
    std::array<char, 4096> buffer_;
    std::unique_ptr<HttpSocket> secured_;
};

}  // namespace tenon
