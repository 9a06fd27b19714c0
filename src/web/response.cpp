#include "web/response.hpp"

#include <array>
#include <charconv>

#include "jsonrpc/codec.hpp"

namespace tenon::web {
namespace {

void append_number(std::string& out, std::size_t n, int base = 10) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), n, base).ptr;
    out.append(digits.data(), end);
}

// Returns whether the status says that the request itself is wrong, not the state of the server.
bool is_for_client(int status) { return status < 500 && status != 429; }

}  // namespace

std::string_view reason_of(int status) {
    switch (status) {
        case 200: return "OK";
        case 202: return "Accepted";
        case 204: return "No Content";
        case 303: return "See Other";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 406: return "Not Acceptable";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 502: return "Bad Gateway";
        case 503: return "Service Unavailable";
        case 504: return "Gateway Timeout";
        case 505: return "HTTP Version Not Supported";
        default: return "Error";
    }
}

void append_head(std::string& out, const Response& response, Framing framing) {
    if (response.status == 200) {
        out += "HTTP/1.1 200 OK\r\n";
    } else {
        out += "HTTP/1.1 ";
        append_number(out, static_cast<std::size_t>(response.status));
        out += ' ';
        out += reason_of(response.status);
        out += "\r\n";
    }
    if (!response.content_type.empty()) {
        out += "Content-Type: ";
        out += response.content_type;
        out += "\r\n";
    }
    if (!framing.date.empty()) {
        out += "Date: ";
        out += framing.date;
        out += "\r\n";
    }
    for (const auto& [name, value] : response.fields) {
        out += name;
        out += ": ";
        out += value;
        out += "\r\n";
    }
    if (framing.stream) {
        out += "Cache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n";
        if (framing.chunks) out += "Transfer-Encoding: chunked\r\n";
    } else if (response.status != 204) {
        out += "Content-Length: ";
        append_number(out, response.body.size());
        out += "\r\n";
    }
    out += framing.keep_alive ? "\r\n" : "Connection: close\r\n\r\n";
}

void append_chunk(std::string& out, std::string_view bytes) {
    if (bytes.empty()) return;  // an empty chunk would end the stream
    append_number(out, bytes.size(), 16);
    out += "\r\n";
    out += bytes;
    out += "\r\n";
}

void append_last_chunk(std::string& out) { out += "0\r\n\r\n"; }

Response json_response(int status, std::string body, Fields fields) {
    return {status, std::move(fields), "application/json", std::move(body)};
}

Response refusal(int status, const Error& error, Fields fields) {
    Error sent = error;
    // The revision of the sender may not be known yet, and 2026-07-28 does not want -32000.
    if (sent.code == code::server_error)
        sent.code = is_for_client(status) ? code::invalid_request : code::internal_error;
    return refusal_of(status, std::nullopt, sent, std::move(fields));
}

Response refusal_of(int status, const std::optional<jsonrpc::Id>& id, const Error& error, Fields fields) {
    Response out =
        json_response(status, jsonrpc::encode_error(id, error, jsonrpc::UnreadableId::absent).json, std::move(fields));
    out.why = error.message;
    out.error = error.code;
    out.limit = error.limit;
    return out;
}

Response refusal(int status, std::string why, Fields fields) {
    return refusal(status, Error{code::server_error, std::move(why)}, std::move(fields));
}

Response try_later(int status, const Error& error) { return refusal(status, error, {{"Retry-After", "1"}}); }

Response memory_refusal(core::MemoryDecision verdict, const core::MemoryCharge& charge) {
    return try_later(verdict == core::MemoryDecision::over_share ? 429 : 503, core::memory_error(verdict, charge));
}

Response lost_session() {
    return refusal(404, Error{code::invalid_request,
                              "Invalid request: there is no such session (any more); send `initialize` to begin one"});
}

Fields fields_of(const core::Send& answer) {
    if (answer.retry_after.count() == 0) return {};
    return {{"Retry-After", std::to_string(answer.retry_after.count())}};
}

int status_of(const core::Send& answer, bool stands_alone) {
    if (answer.error == 0) return 200;
    if (answer.retry_after.count() > 0) return 503;
    if (answer.refused) return answer.error == code::server_error ? 503 : 400;
    if (!stands_alone) return 200;
    switch (answer.error) {
        case code::method_not_found: return 404;
        case code::header_mismatch:
        case code::missing_capability:
        case code::unsupported_version: return 400;
        default: return 200;
    }
}

}  // namespace tenon::web
