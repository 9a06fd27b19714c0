// Streamable HTTP: one endpoint for clients of all revisions.
//
//     return tenon::serve_http(server, {.port = 8080});     // serves http://127.0.0.1:8080/mcp until a signal
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/auth/resource_server.hpp>
#include <tenon/encrypt_states.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/metrics_listener.hpp>

#pragma GCC visibility push(default)

namespace tenon {

class Store;

/// Files in PEM format.
struct TlsOptions {
    std::string certificate_file;  ///< the server's certificate, followed by the intermediate certificates
    std::string key_file;
};

/// Which web pages of this machine may call a server on a loopback address, in addition to
/// HttpOptions::allowed_origins.
enum class LoopbackOrigins {
    any_port,  ///< every page of localhost, a loopback IPv4 address or [::1]: browser tools work without configuration
    own_port,  ///< only pages with the host and port of the server itself. Use it if other programs or users of this
               ///< machine serve pages that you do not trust
};

/// What the nodes of a shared store count together. False: each node counts for itself.
struct SharedCounts {
    /// DPoP proofs: a proof that one node has accepted is refused by all. Each request with a proof waits for the
    /// store, and gets 503 while the store cannot be used.
    bool dpop_proofs = true;
    /// Calls, for Limits::max_calls_per_second and ServerOptions::rate_limits. No call waits for that: a node reports
    /// the calls of a principal after each portion, which is a 32nd of the burst and at least one call. So for a moment
    /// each node may allow a portion too many, and what it allows while its report is under way. That is made up for:
    /// the average is exact. While the store cannot be used, each node counts for itself.
    bool rate_limits = true;
};

/// Options of HttpServer and serve_http(). The other limits are in ServerOptions::limits.
struct HttpOptions {
    /// The IP address to bind. An address other than loopback requires `auth`, `authenticate`, or
    /// `public_without_authentication`.
    std::string address = "127.0.0.1";
    std::uint16_t port = 8080;  ///< 0: any free port
    std::string path = "/mcp";  ///< path of the endpoint; must begin with "/"
    /// Values of the Host header that are accepted: "mcp.example:8443". The host of `auth` is always accepted. On a
    /// loopback address, the loopback names are accepted too. On another address, an empty list accepts every value.
    std::vector<std::string> allowed_hosts = {};
    /// Values of the Origin header that are accepted: the web pages that may call the server. On a loopback address,
    /// the pages of this machine are accepted too, see `loopback_origins`.
    std::vector<std::string> allowed_origins = {};
    LoopbackOrigins loopback_origins = LoopbackOrigins::any_port;
    /// Checks tokens: of an authorisation server, or your own static tokens. Default: no authentication.
    std::variant<std::monostate, auth::ResourceServer, auth::StaticTokens> auth = {};
    /// Your own authentication, instead of `auth`: returns the principal for the value of the Authorization header
    /// (empty when the request has none), or nullopt to refuse the request with 401. Runs on I/O threads, several at
    /// once, so it must be thread-safe and quick. An exception is answered with 500. Empty: not used.
    std::function<std::optional<std::string>(std::string_view authorization)> authenticate = {};
    /// Header fields of requests that handlers and access rules see in Caller::headers, for example {"x-tenant"}. The
    /// letter case does not matter. Default: none.
    std::vector<std::string> caller_headers = {};
    bool public_without_authentication = false;  ///< allow an address other than loopback without authentication
    std::optional<TlsOptions> tls = {};          ///< set: https; empty: http
    /// Also serves the transport HTTP+SSE of 2024-11-05, at /sse and /messages. Deprecated: see deprecated.hpp.
    bool old_http_sse = false;
    unsigned threads = 0;  ///< I/O threads; 0: one per usable CPU. Handlers have their own threads
    /// Open connections of one client address; more are refused. The addresses of one IPv6 /64 network count as one. 0:
    /// three quarters of Limits::max_connections, and no limit for loopback addresses, which all clients on this
    /// machine share.
    std::size_t max_connections_per_address = 0;
    /// Also serves /metrics, /healthz and /readyz, on an address of their own: see MetricsListener. While the server
    /// shuts down, /readyz answers 503. Empty: not served. They are never on the port of the endpoint. HttpMount
    /// ignores it.
    std::optional<MetricsAddress> metrics = {};
    /// Shares sessions, events, tasks and keys with other nodes: any node then serves any request, behind any load
    /// balancer. See store.hpp and open_store(); Metrics::store_observer() measures it. The constructor throws when the
    /// store cannot be used. While it cannot be reached, requests that need it get 503; requests of 2026-07-28 need it
    /// only for tasks. `old_http_sse` is refused with a store. Null (default): this process serves alone.
    std::shared_ptr<Store> store = {};
    SharedCounts shared_counts = {};  ///< what nodes with a shared store count together
    /// The keys of request states, cursors and DPoP nonces. The first one seals and all open, so a key can be replaced
    /// while others are still in use; give all nodes the same. Empty (default): with a store, keys that the nodes make
    /// and share there, see `key_rotation`; without one, random keys of this process. ServerOptions::state_seal and
    /// cursor_key come first.
    std::vector<StateKey> keys = {};
    /// How often the nodes of a store make a new key, at least a minute. An old key opens until everything that was
    /// sealed with it has expired.
    std::chrono::seconds key_rotation = std::chrono::hours(24);
    bool raise_descriptor_limit = true;  ///< raise this process's soft limit on open files to its hard limit
};

/// Serves from the constructor to stop(). Thread-safe.
class HttpServer {
 public:
    /// Throws Exception when an option is invalid, or the address cannot be bound.
    HttpServer(Server& server, HttpOptions options);
    ~HttpServer();  ///< calls stop()
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::uint16_t port() const;
    std::string url() const;
    std::string metrics_url() const;  ///< of HttpOptions::metrics; empty: not served
    /// Takes no new requests, lets running requests finish, answers the rest with an error, ends all streams, and
    /// closes all connections. All of this takes at most Limits::drain_time. Returns false when a handler ignored its
    /// stop token and is still running.
    bool stop();

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Serves until SIGTERM or SIGINT. Returns the exit status for main(): 0, or 1 after a line in the log when it cannot
/// serve. When a handler ignores its stop token beyond Limits::drain_time, this function exits the process with status
/// 0.
int serve_http(Server& server, const HttpOptions& options = {});

}  // namespace tenon

#pragma GCC visibility pop
