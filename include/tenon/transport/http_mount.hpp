// HttpMount: MCP inside an HTTP server that you already have. It has no sockets and needs no event loop: your server
// passes requests in and writes the responses. Examples: examples/mount_beast.cpp (Boost.Beast) and
// examples/mount_loop.cpp (a thread for each connection).
//
//     tenon::HttpMount mount(server, {.auth = tokens});
//     auto client = mount.connect("192.0.2.7");                       // once for each connection
//     auto exchange = client.request({"POST", "/mcp", headers}, [] { /* ask your loop to call take() */ });
//     exchange.body(bytes);
//     exchange.end_of_body();
//     tenon::HttpOutput out = exchange.take();                        // now, and after each call of the function above
//
// Your server does TCP and TLS, parses HTTP, and limits how long it waits for a slow client. HttpMount does everything
// else, with the code of HttpServer: Host, Origin, CORS, authentication, the limits of messages, sessions, connections
// and memory, sessions and streams, and the threads of handlers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/transport/http_server.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The head of a request, as your server has read it.
struct HttpRequestHead {
    std::string method;  ///< for example "POST"
    std::string target;  ///< as the client sent it, with the query: "/mcp"
    /// All header fields in their order, also repeated ones. "Host" is required; in HTTP/2, pass `:authority` as
    /// "Host", and leave out the other names that begin with ":".
    std::vector<std::pair<std::string, std::string>> headers = {};
};

/// The head of a response.
struct HttpResponseHead {
    int status = 200;
    /// Fields to send. They never contain Content-Length, Transfer-Encoding, Connection or Date: your server adds
    /// those.
    std::vector<std::pair<std::string, std::string>> headers = {};
    /// Length of the body. For HEAD, of the body that GET would return. Empty: a stream of server-sent events; send it
    /// piece by piece as it comes (chunked encoding in HTTP/1.1), and do not compress or buffer it.
    std::optional<std::uint64_t> content_length = {};
};

/// New output of a response.
struct HttpOutput {
    std::optional<HttpResponseHead> head = {};  ///< set once, in the first output
    std::string body = {};                      ///< the next bytes of the body; may be empty
    enum class State {
        open,      ///< more will come: take() again when the wake function was called
        complete,  ///< this is the end of the response
        broken,    ///< the client was too slow, so output was dropped: close the connection without a proper end
    };
    State state = State::open;
};

/// Options of an HttpMount, in addition to HttpOptions.
struct HttpMountOptions {
    /// Runs a handler, later and on a thread that may block. May throw: the call is then answered with that error.
    /// Empty (default): HttpMount has threads of its own (Limits::max_workers), shared fairly between clients.
    std::function<void(std::function<void()>)> post = {};
    std::function<TimePoint()> clock = [] { return Clock::now(); };  ///< the time source; replace it in tests
};

/// The endpoint. Thread-safe: call everything from any thread. No function waits for a client or a handler, except
/// Exchange::wait_and_take() and stop(). Connections and exchanges may outlive it; they then answer with 503.
class HttpMount {
    class Core;
    class ExchangeState;
    struct ConnectionState;

 public:
    /// Of HttpOptions, `address` is the address that your server listens on: it decides about Host and Origin, and an
    /// address other than loopback needs authentication. `port` is not used. Throws Exception when an option is
    /// invalid, or set although only HttpServer uses it (`tls`, `threads`).
    explicit HttpMount(Server& server, HttpOptions options = {}, HttpMountOptions mount_options = {});
    ~HttpMount();  ///< calls stop()
    HttpMount(const HttpMount&) = delete;
    HttpMount& operator=(const HttpMount&) = delete;

    /// One request and its response. Destroying it before the response is complete means that the client has left. Its
    /// functions may be called from several threads; they run one after the other. Move-only.
    class Exchange {
     public:
        Exchange(Exchange&&) noexcept;
        Exchange& operator=(Exchange&&) noexcept;
        ~Exchange();

        /// Returns whether the exchange waits for the body. It does not while the token of the request is being
        /// checked, which may need a fetch of keys: call take() after the wake function was called, and ask again.
        bool wants_body() const;
        /// Passes the next bytes of the body, without the framing of HTTP. Has no effect after a refusal. While the
        /// token is being checked, up to 64 KiB are kept; more gets 503.
        void body(std::string_view bytes);
        /// Call it once, after the whole body, also when the request has none. A call of body() or end_of_body() after
        /// it throws Exception.
        void end_of_body();
        /// Returns the output since the last call. A refusal may come before the end of the body; close the connection
        /// after it, unless you read the rest of the body.
        HttpOutput take();
        /// Waits until there is output, `time` has passed or the exchange is over, and calls take(). For a server with
        /// a thread for each connection.
        HttpOutput wait_and_take(Duration time);
        /// Tells that the client has left. A request of 2026-07-28 is cancelled; in older revisions the client may come
        /// back for the response. Later calls have no effect, and take() returns `broken`.
        void client_gone();

     private:
        friend class HttpMount;
        explicit Exchange(std::shared_ptr<ExchangeState> state);
        std::shared_ptr<ExchangeState> state_;
    };

    /// One connection of a client. Counts for Limits::max_connections and HttpOptions::max_connections_per_address
    /// until it is destroyed; its requests are answered with 503 when there are too many. An anonymous client is known
    /// by its connection, and has its share of memory, threads and sessions. Thread-safe; move-only.
    class Connection {
     public:
        Connection(Connection&&) noexcept;
        Connection& operator=(Connection&&) noexcept;
        ~Connection();  ///< does not end its exchanges

        /// Begins a request. `wake` is called when take() has something new. It runs on any thread, also inside other
        /// functions of the exchange, so it must only schedule a call of take(). If it throws, the next tick() calls it
        /// again. It may still run once while another thread destroys the exchange: let it own what it uses. Empty: for
        /// wait_and_take().
        Exchange request(const HttpRequestHead& head, std::function<void()> wake = {});

     private:
        friend class HttpMount;
        explicit Connection(std::shared_ptr<ConnectionState> state);
        std::shared_ptr<ConnectionState> state_;
    };

    /// Begins a connection. `address` is the IP address of the client; behind a proxy that you trust, the address that
    /// the proxy names. Throws Exception when it is not an IP address. If HttpOptions::address is loopback and there is
    /// no authentication, clients with another address are refused (403).
    Connection connect(std::string_view address);

    /// Returns whether requests for this target belong here: HttpOptions::path, with `auth` the documents below
    /// /.well-known/ that clients need to sign in, and the paths of `old_http_sse`. Others are answered with 404.
    bool serves(std::string_view target) const;

    /// Handles timeouts, unused sessions and silent streams. Call it about twice per second, from one thread. If it is
    /// not called for ten seconds, the log gets a warning.
    void tick();
    /// Returns whether no request is running. Subscriptions and GET streams do not count.
    bool idle() const;
    /// Answers running requests with an error, ends all streams, refuses later requests with 503, and then waits for
    /// handlers to return, for at most a quarter of Limits::drain_time. Returns false when a handler ignored its stop
    /// token and is still running. Exchanges keep their last output: take it and send it. To let requests finish
    /// first, stop reading new ones, and call stop() when idle().
    bool stop();

 private:
    std::shared_ptr<Core> core_;
};

}  // namespace tenon

#pragma GCC visibility pop
