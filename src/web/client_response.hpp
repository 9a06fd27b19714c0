// Interprets the HTTP response to a client's request: its meaning for the message that the request carried.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>

#include "framing/http_response.hpp"

namespace tenon::web {

/// How to read the body of a response to a POST, or to a GET of a stream.
enum class BodyKind {
    nothing,        ///< accepted; the body does not matter
    message,        ///< the body is one JSON message
    stream,         ///< the body is server-sent events
    explanation,    ///< refused; the body may say why
    unintelligible  ///< a success, but with a content type or encoding that the client did not ask for
};
/// Decides from the head of a response. `of_request`: the POST carried a request, or it is a GET.
BodyKind body_kind_of(const framing::HttpResponse& head, bool of_request);

/// Makes an error from a refusal. Usually it is the JSON-RPC error in the body. Otherwise, and for most refusals with
/// 401 or 403, its message names the status, and its data is {"httpStatus": 401, "wwwAuthenticate": "..."}.
Error refusal_error(int status, std::string_view www_authenticate, std::string_view body);
/// Reads a JSON-RPC error from the body of a refusal. Returns nullopt when the body has none.
std::optional<Error> jsonrpc_error(std::string_view body);

/// Makes a server's text safe to quote in an error: short, on one line, without control characters.
std::string printable(std::string_view text);

/// Returns whether only a server of 2026-07-28 uses this code. The client then tries no older transport.
bool is_modern_error(int code);

/// Returns whether a server that refuses `initialize` in this way may support only the transport of 2024-11-05.
bool may_be_old_transport(int status, const std::optional<Error>& said);

/// Returns the target of a redirect that keeps the method. Returns nullopt for all other responses.
std::optional<std::string_view> redirect_target(const framing::HttpResponse& head, std::string_view method);

/// How a message relates to the request whose HTTP response carried it.
enum class Relation {
    response,    ///< the message, or one message of a batch, is the response to the request
    other,       ///< a request or notification of the server, or the response to another request
    unreadable,  ///< not a message, or a response without an id
};
/// Classifies a message. Accepts arbitrary bytes.
Relation relation_of(std::string_view message, std::int64_t request);
bool is_response_to(std::string_view message, std::int64_t request);

/// Returns an error that says why a message is not the expected response.
Error not_the_response(std::string_view message);

}  // namespace tenon::web
