// Parses HTTP/1.1 requests, for servers. Incremental and strict, with limits and without I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "framing/http_body.hpp"
#include "framing/http_fields.hpp"

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::framing {

struct HttpLimits {
    std::size_t max_head_bytes = 32 * 1024;  ///< of the request line and the fields
    std::size_t max_fields = 100;
    std::size_t max_target_bytes = 8 * 1024;
    std::uint64_t max_body_bytes = 16 * 1024 * 1024;
};

/// The head of a request. The views are valid until the parser starts to read the next request.
struct HttpRequest {
    std::string_view method;
    std::string_view target;  ///< as sent: a path, or a full URL with the scheme http or https
    std::string_view path;    ///< of the target, without the query
    std::string_view query;   ///< without "?"
    std::string_view host;    ///< from the target if it is a URL, else from the Host field; never empty or a list
    HttpFields fields;
    bool http_1_0 = false;
    bool keep_alive = true;
    bool expects_continue = false;
    std::optional<std::uint64_t> content_length;
    bool chunked = false;

    bool has_body() const { return chunked || content_length.value_or(0) > 0; }
    /// Resets everything. Keeps the memory of the fields.
    void clear() {
        method = target = path = query = host = {};
        fields.clear();
        http_1_0 = expects_continue = chunked = false;
        keep_alive = true;
        content_length.reset();
    }
};

/// The reason for refusing a request, and the status to answer with. Close the connection after the answer: the start
/// of the next request is unknown.
struct HttpRefusal {
    int status = 400;
    std::string why;
};

/// Reads one request after another from a connection. Call next() until it returns `more`.
class HttpRequestParser {
 public:
    explicit HttpRequestParser(HttpLimits limits = {}) : limits_(limits) {}

    enum class Event {
        more,     ///< all input was read; more is needed
        head,     ///< request() has the head
        piece,    ///< piece() has bytes of the body
        end,      ///< the request is complete; the next call starts the next request
        refused,  ///< refusal() says why; nothing more can be read
    };
    Event next(std::string_view& input);

    const HttpRequest& request() const { return request_; }
    std::string_view piece() const { return body_->piece(); }
    /// Returns how many bytes of a body with a known length are still missing.
    std::uint64_t body_left() const { return body_ && !done_ ? body_->left() : 0; }
    const HttpRefusal& refusal() const { return refusal_; }
    /// Returns whether a request has started and is not complete.
    bool busy() const { return !done_ && (body_.has_value() || (!head_.empty() && head_ != "\r")); }

 private:
    void skip_blank_lines(std::string_view& input);
    Event take_head(std::string_view& input);
    Event take_body(std::string_view& input);
    Event refuse(int status, std::string why);
    bool read_head(std::string_view head);
    bool read_request_line(std::string_view line);
    bool read_target();
    bool read_host();
    bool read_length();
    bool read_connection(bool http_1_0);

    HttpLimits limits_;
    std::string head_;  // the head so far; later the text that request_ points into
    HttpRequest request_;
    std::optional<HttpBody> body_;
    std::uint64_t body_bytes_ = 0;
    HttpRefusal refusal_;
    bool done_ = false;  // the last event was `end`
    bool refused_ = false;
};

}  // namespace tenon::framing

#pragma GCC visibility pop
