// What an answer to a client's HTTP request means for the message that the request carried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "framing/http_response.hpp"

namespace tenon::web {

/// How to go on after the head of an answer to a POST or to a GET of a stream.
enum class Reading {
    nothing,        ///< accepted; what is left of the body does not matter
    message,        ///< the body is one JSON message
    stream,         ///< the body is server-sent events
    explanation,    ///< refused: the body may say why
    unintelligible  ///< a success, of a type that was not asked for
};
Reading reading_of(const framing::HttpResponse& head, bool of_request);

/// A refusal, as an error that says the status. What a JSON-RPC error in the body says counts more.
/// data: {"httpStatus": 401, "wwwAuthenticate": "..."}.
Error refusal_error(int status, std::string_view www_authenticate, std::string_view body);
/// The code of a refusal's body where that is a JSON-RPC error.
std::optional<Error> jsonrpc_error(std::string_view body);

/// What a server said, as it can be quoted in an error: short, on one line, without control characters.
std::string printable(std::string_view text);

/// Whether an error can come only from a server of 2026-07-28: then no older way of speaking is tried.
bool is_modern_error(int code);

/// Whether a server that refuses `initialize` like this may speak the transport of 2024-11-05 only.
bool may_be_old_transport(int status, const std::optional<Error>& said);

/// Where a redirect leads, when it is one that keeps the method: nothing when it is none.
std::optional<std::string_view> redirect_target(const framing::HttpResponse& head, std::string_view method);

/// What a message is to the request that its HTTP response belongs to. Takes any bytes.
enum class Said {
    answer,          ///< it, or one message of a batch, is the response to the request
    something_else,  ///< a request or a notification of the server, or the response to another request
    nothing,         ///< no message at all, or a response without an id
};
Said what_is_said(std::string_view message, std::int64_t request);
bool answers(std::string_view message, std::int64_t request);

/// Why a message is not the answer that its HTTP response should have brought.
Error not_the_answer(std::string_view message);

}  // namespace tenon::web
