// The checks on the head of an HTTP request. They run before its body is read and before MCP sees the request.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "framing/http_request.hpp"
#include "web/origin_rules.hpp"
#include "web/response_writer.hpp"

namespace tenon::web {

struct EntryPolicy {
    std::string path = "/mcp";
    OriginPolicy origins = {};
    std::string old_stream_path = {};   ///< GET path of the transport of 2024-11-05; empty: not served
    std::string old_message_path = {};  ///< its POST path
    std::map<std::string, std::string, std::less<>> documents = {};  ///< public JSON documents, by path
};

/// The purpose of a request.
enum class RequestPurpose {
    message,      ///< POST: a message from the client
    listen,       ///< GET: a stream for messages from the server
    end_session,  ///< DELETE
    old_listen,   ///< 2024-11-05: the only stream of a session
    old_message,  ///< 2024-11-05: a message from the client
};

/// Returns the purpose of a request, or a response that ends it here: a refusal, a document, or the answer to a
/// browser's preflight request.
std::variant<RequestPurpose, Response> enter(const framing::HttpRequest& request, const EntryPolicy& policy);

/// Returns the CORS fields that let a page of an allowed origin read the response. Empty for a request without Origin.
Fields cors_fields(const framing::HttpRequest& request);

}  // namespace tenon::web
