// Error and Result: how Tenon reports failures.
//
// Functions inside the library return Result<T> and do not throw. Exceptions appear only at the border to user code: a
// handler may throw anything, and the blocking functions of Context and Client throw tenon::Exception.
#pragma once

#include <boost/json/value.hpp>
#include <boost/system/result.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include <tenon/limit_name.hpp>

#pragma GCC visibility push(default)

namespace tenon {

/// The error codes of JSON-RPC and MCP.
namespace code {
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;
inline constexpr int server_error = -32000;              ///< a limit was reached, or the server is shutting down
inline constexpr int resource_not_found = -32002;        ///< becomes -32602 in 2026-07-28
inline constexpr int url_elicitation_required = -32042;  ///< 2025-11-25: the user must first visit a web page
inline constexpr int header_mismatch = -32020;           ///< 2026-07-28: an HTTP header differs from the body
inline constexpr int missing_capability = -32021;        ///< 2026-07-28: the client lacks a required capability
inline constexpr int unsupported_version = -32022;       ///< 2026-07-28: the server lacks the requested revision
inline constexpr int too_many_calls = 429;  ///< a rate limit was reached; wait for `data.retryAfterMs`, then retry
// Local errors: Tenon itself makes them, not the peer. They are never sent. Peers must not use these numbers.
// 71004 is code::not_authorised (auth/error.hpp).
inline constexpr int connection_closed = 71001;  ///< the server is gone, or the client was closed
inline constexpr int call_cancelled = 71002;     ///< the caller cancelled
inline constexpr int invalid_answer = 71003;     ///< the response breaks the protocol
inline constexpr int request_timeout = 71005;    ///< a request that Tenon sent got no response in time
inline constexpr int limit_reached = 71006;      ///< a limit of the client; the message names it
inline constexpr int http_refused = 71007;       ///< an HTTP error status without an MCP error; see data.httpStatus

/// Returns whether Tenon itself made an error with this code. Peers must not use these codes.
constexpr bool is_local(int code) { return code >= 71001 && code <= 71999; }
}  // namespace code

namespace detail {

/// How Tenon treats an Error that a handler ended with.
enum class ErrorKind : unsigned char {
    failure,    ///< of a tool: sent as a result with isError
    protocol,   ///< sent as an error response, also by tools
    replayed,   ///< not sent: the response asks the client a question; the call runs again with the answer
    withdrawn,  ///< like `failure`: of a question that the server withdrew, because its call is over
};

}  // namespace detail

/// The `error` member of a response: a code, a message for people, and optional data.
struct Error {
    Error() = default;
    Error(int number, std::string text, boost::json::value details = nullptr)
        : code(number), message(std::move(text)), data(std::move(details)) {}
    /// Makes the error of a request that exceeds a limit.
    Error(int number, std::string text, LimitName which) : code(number), limit(which), message(std::move(text)) {}

    int code = code::internal_error;
    LimitName limit = LimitName::none;                    ///< of the server; not sent: for observers and metrics
    detail::ErrorKind kind = detail::ErrorKind::failure;  ///< set by Tenon; to get `protocol`, throw ProtocolError
    std::string message;
    boost::json::value data = nullptr;  ///< null: `data` is not sent

    friend bool operator==(const Error&, const Error&) = default;
};

/// A value or an Error. `if (!r) return r.error();`
template <class T>
using Result = boost::system::result<T, Error>;

/// Carries an Error as an exception. When a tool handler throws it, the client gets a result with isError. When a
/// resource or prompt handler throws it, the client gets exactly this error response.
class Exception : public std::runtime_error {
 public:
    explicit Exception(Error error) : std::runtime_error(error.message), error_(std::move(error)) {}
    const Error& error() const noexcept { return error_; }

 private:
    Error error_;
};

/// Like Exception, but when a tool handler throws it, the client gets exactly this error response instead of a result
/// with isError.
class ProtocolError : public Exception {
 public:
    explicit ProtocolError(Error error) : Exception(mark(std::move(error))) {}

 private:
    static Error mark(Error error) {
        error.kind = detail::ErrorKind::protocol;
        return error;
    }
};

namespace detail {

/// Unwinds a handler that will be replayed. It is not a std::exception: a handler would catch that as a failure.
struct Unwind {};

/// Returns the error of a call that Unwind ended.
Error replayed_error();
inline bool is_replayed(const Error& error) { return error.kind == ErrorKind::replayed; }

/// Returns the current exception as an Error.
Error current_error();

}  // namespace detail

/// Throws Exception. Called by boost::system::result when value() is used on an error.
[[noreturn]] void throw_exception_from_error(const Error& error, const boost::source_location& where);

}  // namespace tenon

#pragma GCC visibility pop
