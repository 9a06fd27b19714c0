// Parses HTTP/1.1 responses, for clients. Incremental and strict, with limits and without I/O.
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

struct HttpResponseLimits {
    std::size_t max_head_bytes = 64 * 1024;  ///< of the status line and the fields
    std::size_t max_fields = 200;
    std::size_t max_interim = 10;  ///< 1xx responses before the final response
};

/// The head of a response. The views are valid until the next call of HttpResponseParser::expect().
struct HttpResponse {
    int status = 0;
    HttpFields fields;
    bool keep_alive = true;
    std::optional<std::uint64_t> content_length;
    bool chunked = false;
    bool until_close = false;  ///< the body ends with the connection
};

/// Reads one response after another from a connection. Call expect() before each response, since the form of a response
/// depends on its request.
class HttpResponseParser {
 public:
    explicit HttpResponseParser(HttpResponseLimits limits = {}) : limits_(limits) {}

    /// The kind of request that the next response answers. After a successful CONNECT the connection does not carry
    /// HTTP any more.
    enum class To { get_or_post, head, connect };
    void expect(To to);

    enum class Event {
        more,   ///< all input was read; more is needed
        head,   ///< response() has the head; 1xx responses are skipped
        piece,  ///< piece() has bytes of the body
        end,    ///< the response is complete; the rest of the input does not belong to it
        error,  ///< why() says what is wrong; nothing more can be read
    };
    Event next(std::string_view& input);
    /// Reports that the connection was closed. Returns `end` if that ends the body, otherwise `error`.
    Event end_of_input();

    const HttpResponse& response() const { return response_; }
    std::string_view piece() const { return piece_; }
    const std::string& why() const { return why_; }
    /// Returns whether a byte of the expected response has arrived.
    bool begun() const { return begun_; }

 private:
    enum class State { idle, head, body, done, broken };

    Event fail(std::string why);
    Event take_head(std::string_view& input);
    Event take_body(std::string_view& input);
    bool read_head(std::string_view head);
    bool read_status_line(std::string_view line);
    bool read_length();
    void read_connection();

    HttpResponseLimits limits_;
    State state_ = State::idle;
    To to_ = To::get_or_post;
    std::string head_;  // the head so far; later the text that response_ points into
    HttpResponse response_;
    std::optional<HttpBody> body_;  // empty: the body ends when the connection closes
    std::string_view piece_;
    std::string why_;
    std::size_t interim_ = 0;
    bool begun_ = false;
    bool http_1_0_ = false;
};

}  // namespace tenon::framing

#pragma GCC visibility pop
