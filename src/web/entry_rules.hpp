// What is decided from the head of an HTTP request, before its body is read and before anything reaches MCP.
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
    std::string old_stream_path = {};  ///< of the transport of 2024-11-05; empty: not served
    std::string old_message_path = {};
    std::map<std::string, std::string, std::less<>> documents = {};  ///< JSON for everybody, by path
};

/// What a request is for.
enum class Entry {
    message,      ///< POST: a message from the client
    listen,       ///< GET: a stream for messages from the server
    end_session,  ///< DELETE
    old_listen,   ///< 2024-11-05: the one stream
    old_message,  ///< 2024-11-05: a message from the client
};

/// Where the request is to go, or the answer that ends it here: a refusal, or what a browser wants to know first.
std::variant<Entry, Response> enter(const framing::HttpRequest& request, const EntryPolicy& policy);

/// What lets a page of an allowed origin read the answer; nothing when no page asks.
Fields cors_fields(const framing::HttpRequest& request);

}  // namespace tenon::web
