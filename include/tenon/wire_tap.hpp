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

/// Returns a JSON text whose secrets are replaced by "***". Of a text that is not JSON, only the first 1024 bytes are
/// returned, masked as a string. Logs, audit records and traces use the same rules:
/// - A member is masked if its name contains "token", "secret", "password", "passwd", "passphrase", "authorization",
///   "credential", "cookie", "apikey", "api_key", "api-key", "privatekey", "private_key", "accesskey", "access_key",
///   "access-key" or "assertion", or if its name is "pwd" or "key", or ends with "_key", "-key" or "Key". The letter
///   case does not matter. Exceptions: `progressToken`, `token_type`, numbers of tokens such as `maxTokens`, and the
///   definitions in a JSON Schema.
/// - In any string, these are masked: the word after "Bearer", "Basic" and "DPoP", if it has at least 4 characters; the
///   user and the password of a URL; all values of its query and its fragment (`?name=value`); and the value after such
///   a name, as in `password=value`, `"password":"value"` and `Cookie: value`.
///
/// A secret that has none of these forms stays. Text that only looks like a secret is masked, too.
std::string mask_secrets(std::string_view text);

}  // namespace tenon

#pragma GCC visibility pop
