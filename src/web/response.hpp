// The answers that have no MCP message in them, and the head that every answer has.
#pragma once

#include <string>

#include <tenon/error.hpp>

#include "core/memory.hpp"
#include "core/server/action.hpp"
#include "web/response_writer.hpp"

namespace tenon::web {

std::string_view reason_of(int status);

/// The status line and the fields, up to and with the empty line. A stream has no length: it comes in chunks.
struct Framing {
    bool stream = false;
    bool chunks = true;
    bool keep_alive = true;
    std::string_view date = {};  ///< of DateField; empty: the answer has none
};
void append_head(std::string& out, const Response& response, Framing framing);

/// One piece of a stream, and the end of it.
void append_chunk(std::string& out, std::string_view bytes);
void append_last_chunk(std::string& out);

/// A refusal by the rules of HTTP: an error without an id, which says what to do.
Response refusal(int status, const Error& error, Fields fields = {});
Response refusal(int status, std::string why, Fields fields = {});
/// A refusal that is over soon: says when to try again.
Response try_later(int status, const Error& error);
/// The refusal of what would take too much memory: 429 over the share of the peer, 503 over the server's budget.
Response memory_refusal(core::MemoryDecision verdict, const core::MemoryCharge& charge);
/// The refusal of a request that names a session which is over.
Response lost_session();
Response json_response(int status, std::string body, Fields fields = {});

/// The status of an answer of the engine. Where requests stand alone, intermediaries are to understand it too.
int status_of(const core::Send& answer, bool stands_alone);

}  // namespace tenon::web
