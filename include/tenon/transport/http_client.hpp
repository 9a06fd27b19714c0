// Connects to a server by URL: with Streamable HTTP, or with the HTTP+SSE transport of 2024-11-05 for old servers.
//
//     tenon::Client client(tenon::http({.url = "https://example.com/mcp"}));
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/client_transport.hpp>

#pragma GCC visibility push(default)

namespace tenon {

namespace auth {
class Authoriser;
}

/// Options of http().
struct HttpClientOptions {
    std::string url = {};                                           ///< http:// or https://
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every request
    std::string ca_file = {};  ///< trusted certificates, PEM; empty: the system's. Verification cannot be disabled
    std::optional<std::string> proxy = {};  ///< http://host:port; "": none; not set: HTTPS_PROXY, HTTP_PROXY, NO_PROXY
    std::shared_ptr<auth::Authoriser> auth = {};  ///< signs in when needed, see tenon/auth/client.hpp; empty: never
    bool old_http_sse = true;                     ///< fall back to HTTP+SSE of 2024-11-05; see deprecated.hpp
    /// Connections for calls and their streams. More calls wait. Notifications, responses to the server and the stream
    /// of a session may use up to three more.
    std::size_t max_connections = 32;
    std::size_t max_redirects = 5;                      ///< followed only within the origin of the URL
    std::size_t max_head_bytes = 64 * 1024;             ///< size of a response head
    std::size_t max_refusal_bytes = 64 * 1024;          ///< bytes that are read of the body of an error response
    std::size_t max_session_id_bytes = 4096;            ///< a longer `Mcp-Session-Id` is not used
    std::size_t max_event_id_bytes = 4096;              ///< a stream is not resumed after an event with a longer id
    std::size_t max_reconnects = 10;                    ///< attempts to resume one stream, in a row without an event
    Duration dial_time = std::chrono::seconds(10);      ///< for name lookup, TCP and TLS
    Duration idle_time = std::chrono::seconds(30);      ///< before an unused connection is closed
    Duration reconnect_time = std::chrono::seconds(1);  ///< before a stream is resumed, unless the server sets `retry`
    Duration max_reconnect_time = std::chrono::seconds(30);  ///< the back-off doubles up to this; `retry` may be longer
    Duration max_retry_time = std::chrono::hours(1);         ///< the longest `retry:` that is accepted from a server
};

/// Makes the transport. It is thread-safe and has one thread. Throws tenon::Exception for an invalid option. When the
/// server answers 401 or 403, calls fail with an error whose data has `httpStatus` and `wwwAuthenticate`. With `auth`,
/// calls fail with code::not_authorised if signing in failed.
std::shared_ptr<ClientTransport> http(HttpClientOptions options);

}  // namespace tenon

#pragma GCC visibility pop
