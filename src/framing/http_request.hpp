// Requests of HTTP/1.1, out of bytes: the server's reader. Pure, incremental, strict, bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "framing/http_body.hpp"
#include "framing/http_fields.hpp"

namespace tenon::framing {

struct HttpLimits {
    std::size_t max_head_bytes = 32 * 1024;  ///< request line and fields
    std::size_t max_fields = 100;
    std::size_t max_target_bytes = 8 * 1024;
    std::uint64_t max_body_bytes = 16 * 1024 * 1024;
};

/// The head of a request. The views are valid until the parser is asked for the next request.
struct HttpRequest {
    std::string_view method;
    std::string_view target;  ///< as it was sent: a path, or a whole URL with the scheme http or https
    std::string_view path;    ///< of the target, without the query
    std::string_view query;   ///< without "?"
    std::string_view host;    ///< of the target where it is a URL, or the one Host field: never empty, never a list
    HttpFields fields;
    bool http_1_0 = false;
    bool keep_alive = true;
    bool expects_continue = false;
    std::optional<std::uint64_t> content_length;
    bool chunked = false;

    bool has_body() const { return chunked || content_length.value_or(0) > 0; }
    /// As new, but for the memory of the fields.
    void clear() {
        method = target = path = query = host = {};
        fields.clear();
        http_1_0 = expects_continue = chunked = false;
        keep_alive = true;
        content_length.reset();
    }
};

/// Why a request was refused, and with which status. The connection must be closed after the answer: where the next
/// request begins is no longer known.
struct HttpRefusal {
    int status = 400;
    std::string why;
};

/// Reads one request after another from a connection. Feed it with next() until it says `more`.
class HttpRequestParser {
 public:
    explicit HttpRequestParser(HttpLimits limits = {}) : limits_(limits) {}

    enum class Event {
        more,     ///< all input was taken; feed more
        head,     ///< request() is there
        piece,    ///< piece() has bytes of the body
        end,      ///< the request is complete; the next call begins another
        refused,  ///< refusal() says why; nothing more can be read
    };
    Event next(std::string_view& input);

    const HttpRequest& request() const { return request_; }
    std::string_view piece() const { return body_->piece(); }
    /// How much of a body of known length is still to come.
    std::uint64_t body_left() const { return body_ && !done_ ? body_->left() : 0; }
    const HttpRefusal& refusal() const { return refusal_; }
    /// A request has begun and is not complete.
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
    std::string head_;  // the head so far, then the memory behind request_
    HttpRequest request_;
    std::optional<HttpBody> body_;
    std::uint64_t body_bytes_ = 0;
    HttpRefusal refusal_;
    bool done_ = false;  // the last event was `end`
    bool refused_ = false;
};

}  // namespace tenon::framing
