// Opens a new connection for a client: name lookup, TCP, the tunnel through a proxy, TLS.
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
#include "transport/http/http_socket.hpp"
#include "web/url.hpp"

namespace tenon {

/// How to reach one origin. All connections to the origin share it.
struct HttpRoute {
    web::Url origin;
    std::optional<web::Url> proxy = {};
    std::shared_ptr<asio::ssl::context> tls = {};  ///< set when the origin is https
    Duration dial_time = std::chrono::seconds(10);
    framing::HttpResponseLimits limits = {};
    /// Returns whether an address may be used. Called before each connection, but not for the address of a proxy.
    /// Empty: every address may be used.
    std::function<bool(const asio::ip::address&)> admits = {};
    /// Opens connections instead of the system. Calls its argument once, later. For simulations, which have their own
    /// network. Empty: name lookup, TCP and TLS.
    std::function<void(std::function<void(Result<std::unique_ptr<HttpSocket>>)>)> connect = {};

    const web::Url& first_hop() const { return proxy ? *proxy : origin; }
    /// Returns the proxy that forwards plain HTTP requests, which then carry the full URL. Null without a proxy, and
    /// for https, where the proxy only makes a tunnel.
    const web::Url* forwarder() const { return proxy && !origin.tls ? &*proxy : nullptr; }
};

/// Opens one connection. Not thread-safe: use it only on the thread of the io_context.
class HttpDial : public std::enable_shared_from_this<HttpDial> {
 public:
    using Done = std::function<void(Result<std::unique_ptr<HttpSocket>>)>;
    HttpDial(const std::shared_ptr<asio::io_context>& context, std::shared_ptr<const HttpRoute> route, Done done);

    void start();
    /// Stops. `done` is not called afterwards.
    void cancel();

 private:
    void connect_elsewhere();
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
    const std::weak_ptr<asio::io_context> loop_;  // the same context; weak: a queued handler must not keep it alive
    std::shared_ptr<const HttpRoute> route_;
    Done done_;  // empty after success, failure or cancel()
    const TimePoint until_;
    asio::steady_timer timer_;
    std::deque<std::string> addresses_;
    int attempt_ = 0;  // number of the current attempt to connect
    std::optional<asio::ip::tcp::socket> socket_;
    std::string output_;
    framing::HttpResponseParser parser_;
    std::array<char, 4096> buffer_;
    std::unique_ptr<HttpSocket> secured_;
};

}  // namespace tenon
