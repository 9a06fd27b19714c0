// Streamable HTTP: one endpoint for clients of all revisions.
//
//     return tenon::serve_http(server, {.port = 8080});     // http://127.0.0.1:8080/mcp, until a signal comes
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/auth/resource_server.hpp>
#include <tenon/server.hpp>

namespace tenon {

/// Files in PEM format.
struct TlsOptions {
    std::string certificate_file;  ///< the server's certificate, followed by those that lead to a known one
    std::string key_file;
};

/// Which pages of this machine a server on a loopback address admits, beside HttpOptions::allowed_origins.
enum class LoopbackOrigins {
    any_port,  ///< every page of localhost, 127.0.0.1 or [::1]: tools in a browser connect without any setting
    own_port,  ///< only pages with the host and port of the server itself. Use it where other programs or users of this
               ///< machine serve pages that you do not trust
};

struct HttpOptions {
    std::string address = "127.0.0.1";  ///< the address to bind; others than loopback need `auth`, `authenticate`, or
                                        ///< `public_without_authentication`
    std::uint16_t port = 8080;          ///< 0: any that is free
    std::string path = "/mcp";
    std::vector<std::string> allowed_hosts = {};    ///< what clients may call this server, beside the loopback names
                                                    ///< and that of `auth`: "mcp.example:8443". Any name on a public
                                                    ///< address when empty
    std::vector<std::string> allowed_origins = {};  ///< web pages that may speak to it, beside those of this machine
    LoopbackOrigins loopback_origins = LoopbackOrigins::any_port;  ///< which pages of this machine may
    /// Who may call: with tokens of an authorisation server, or of your own. Nothing: everybody.
    std::variant<std::monostate, auth::ResourceServer, auth::StaticTokens> auth = {};
    /// The same by a function of yours, instead of `auth`: who sends a request, by the value of its Authorization
    /// header (empty when it has none); no principal: 401.
    std::function<std::optional<std::string>(std::string_view authorization)> authenticate = {};
    bool public_without_authentication = false;  ///< everybody who reaches the address may call everything
    std::optional<TlsOptions> tls = {};          ///< https when set
    bool old_http_sse = false;                   ///< also serve the transport of 2024-11-05, at /sse and /messages
    unsigned threads = 0;                ///< for input and output; one a processor when 0. Handlers have their own
    bool raise_descriptor_limit = true;  ///< raises the soft limit on open files of this process to its hard limit
};

/// Serves from the constructor to stop(). Every function may be called from any thread.
class HttpServer {
 public:
    /// Throws Exception when the address cannot be bound, or must not be.
    HttpServer(Server& server, HttpOptions options);
    ~HttpServer();  ///< stop()
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::uint16_t port() const;
    std::string url() const;
    /// Takes no new requests, lets those that run finish, answers the rest with an error, ends all streams and closes
    /// all connections: all of that within Limits::drain_time. False when a handler ignored its stop token and still
    /// runs.
    bool stop();

 private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Serves until SIGTERM or SIGINT comes. What main() returns: 0, or 1 after a line in the log when it cannot serve.
int serve_http(Server& server, const HttpOptions& options = {});

}  // namespace tenon
