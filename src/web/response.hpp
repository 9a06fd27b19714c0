// Responses that carry no MCP message, and the head of every response.
#pragma once

#include <string>

#include <tenon/error.hpp>

#include "core/memory.hpp"
#include "core/server/action.hpp"
#include "web/response_writer.hpp"

namespace tenon::web {

std::string_view reason_of(int status);

/// How a response is framed.
struct Framing {
    bool stream = false;         ///< the body is a stream without a known length
    bool chunks = true;          ///< a stream uses chunked encoding
    bool keep_alive = true;      ///< false: adds "Connection: close"
    std::string_view date = {};  ///< from DateField; empty: no Date field
};
/// Appends the status line and the fields, including the empty line at the end.
void append_head(std::string& out, const Response& response, Framing framing);

/// Append one chunk of a stream, and its end.
void append_chunk(std::string& out, std::string_view bytes);
void append_last_chunk(std::string& out);

/// Make a refusal: a JSON-RPC error without an id.
Response refusal(int status, const Error& error, Fields fields = {});
Response refusal(int status, std::string why, Fields fields = {});
/// Makes the refusal of a message with this id, if it is known.
Response refusal_of(int status, const std::optional<jsonrpc::Id>& id, const Error& error, Fields fields = {});
/// Makes a refusal with Retry-After, for a condition that ends soon.
Response try_later(int status, const Error& error);
/// Makes the refusal for a request that needs too much memory: 429 above the peer's share, 503 above the server's
/// budget.
Response memory_refusal(core::MemoryDecision verdict, const core::MemoryCharge& charge);
/// Makes the refusal for a request that names a session which does not exist (any more).
Response lost_session();
Response json_response(int status, std::string body, Fields fields = {});

/// Returns the HTTP status of a response of the engine. `stands_alone`: the request has no session (2026-07-28); then
/// more errors have their own status, so that proxies understand them too.
int status_of(const core::Send& answer, bool stands_alone);
/// Returns the fields that belong to this status.
Fields fields_of(const core::Send& answer);

}  // namespace tenon::web
