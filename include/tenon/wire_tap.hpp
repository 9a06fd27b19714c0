// WireTap: sees every message that a server or client receives and sends. For debugging and inspectors.
//
//     tenon::Server server("weather", "1.0", {.tap = [](const tenon::WireMessage& m) {
//         std::cerr << tenon::wire_line(m) << '\n';      // 12:34:56.789 <- #1 64 {"jsonrpc":"2.0",...}
//     }});
//
// Without a change of the program: TENON_TRACE=stderr, TENON_TRACE=FILE, TENON_TRACE=json:FILE in the environment.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)

namespace tenon {

/// One message on the wire. The view is valid only during the callback.
struct WireMessage {
    enum class Side { server, client };
    enum class Direction { received, sent };

    Side side = Side::server;  ///< the side of this program
    Direction direction = Direction::received;
    std::chrono::system_clock::time_point time = {};
    std::uint64_t connection = 0;  ///< unique in this process. Over HTTP, a client has one for all its connections
    std::string_view text = {};    ///< the message as it is on the wire, with its secrets; may be malformed
    int http_status = 0;           ///< of the HTTP response whose whole body is this message; 0: not such a message
};

/// Receives each message before it is handled, or when it is sent. Runs on any thread, also on several at once, and
/// under locks of the connection: it must be quick, and must not call Tenon except the functions below. An exception is
/// ignored. HTTP headers are not messages, so credentials in headers never appear.
using WireTap = std::function<void(const WireMessage&)>;

/// Returns one line without a newline: time in UTC, direction, connection, size in bytes, and the message, masked, on
/// one line, and cut to about `max_bytes`.
std::string wire_line(const WireMessage& message, std::size_t max_bytes = 300);
/// Returns one JSON object on one line, with the whole message, masked. A malformed message becomes a string.
std::string wire_json(const WireMessage& message);

/// Returns a JSON text whose secrets are replaced by "***". A text that is not JSON is cut to its first bytes, in which
/// only credentials after "Bearer" and "Basic" are replaced. Masked are:
/// - the value of a member whose name contains "token", "secret", "password", "passwd", "passphrase", "authorization",
///   "credential", "cookie", "apikey", "api_key", "api-key", "private_key", "access_key" or "assertion", or is "key" or
///   "pwd", in any letter case; except `progressToken`, numbers of tokens such as `maxTokens`, and the definitions in a
///   JSON Schema
/// - in any string, the text after "Bearer " and "Basic ", passwords in URLs, and parameters of URLs with such a name
std::string mask_secrets(std::string_view text);

}  // namespace tenon

#pragma GCC visibility pop
