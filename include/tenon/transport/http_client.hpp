// A server by its URL: Streamable HTTP, and the HTTP+SSE transport of 2024-11-05 for servers that know nothing else.
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

namespace tenon {

namespace auth {
class Authoriser;
}

struct HttpClientOptions {
    std::string url = {};                                           ///< http:// or https://
    std::vector<std::pair<std::string, std::string>> headers = {};  ///< sent with every request
    std::string ca_file = {};  ///< certificates to trust, PEM; the system's when empty. There is no way around them
    std::optional<std::string> proxy = {};  ///< http://host:port; "": none; not set: HTTPS_PROXY, HTTP_PROXY, NO_PROXY
    std::shared_ptr<auth::Authoriser> auth = {};  ///< how to sign in when the server wants it: tenon/auth/client.hpp
    bool old_http_sse = true;                     ///< try the transport of 2024-11-05 when the server knows no other
    std::size_t max_connections = 32;        ///< for calls and their streams; more calls wait. Up to three for the rest
    std::size_t max_redirects = 5;           ///< followed, and only within the origin of the URL
    std::size_t max_head_bytes = 64 * 1024;  ///< of an answer's head
    std::size_t max_refusal_bytes = 64 * 1024;          ///< read of the body of an error (HTTP 400 and above)
    std::size_t max_session_id_bytes = 4096;            ///< a server's longer `Mcp-Session-Id` is not used
    std::size_t max_event_id_bytes = 4096;              ///< a stream is not resumed after an event with a longer id
    std::size_t max_reconnects = 10;                    ///< in a row without an event, of one stream
    Duration dial_time = std::chrono::seconds(10);      ///< for name, connection and TLS
    Duration idle_time = std::chrono::seconds(30);      ///< that an unused connection is kept
    Duration reconnect_time = std::chrono::seconds(1);  ///< before a stream is resumed, when the server says nothing
    Duration max_reconnect_time = std::chrono::seconds(30);  ///< the back-off doubles up to this; a server may ask for
                                                             ///< more
    Duration max_retry_time = std::chrono::hours(1);         ///< the most that a server may ask for with `retry:`
};

/// Throws tenon::Exception when an option cannot be used. A server that says who may call (401, 403) is an error whose
/// data has `httpStatus` and `wwwAuthenticate`, or, with `auth`, one of code::not_authorised when signing in failed.
/// Redirects are followed within the origin, and nowhere else.
std::shared_ptr<ClientTransport> http(HttpClientOptions options);

}  // namespace tenon
