// Responses of HTTP/1.1, out of bytes: the client's reader. Pure, incremental, strict, bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "framing/http_body.hpp"
#include "framing/http_fields.hpp"

namespace tenon::framing {

struct HttpResponseLimits {
    std::size_t max_head_bytes = 64 * 1024;  ///< status line and fields
    std::size_t max_fields = 200;
    std::size_t max_interim = 10;  ///< answers of 1xx before the one that counts
};

/// The head of a response. The views are valid until the parser is told to expect the next one.
struct HttpResponse {
    int status = 0;
    HttpFields fields;
    bool keep_alive = true;
    std::optional<std::uint64_t> content_length;
    bool chunked = false;
    bool until_close = false;  ///< the body ends with the connection
};

/// Reads one response after another from a connection. What is answered must be said first: it decides what follows.
class HttpResponseParser {
 public:
    explicit HttpResponseParser(HttpResponseLimits limits = {}) : limits_(limits) {}

    /// What the next response answers. After a CONNECT that succeeded the connection is no longer HTTP.
    enum class To { get_or_post, head, connect };
    void expect(To to);

    enum class Event {
        more,   ///< all input was taken; feed more
        head,   ///< response() is there; answers of 1xx are not told
        piece,  ///< piece() has bytes of the body
        end,    ///< the response is complete; input that is left is not of it
        error,  ///< why() says what is wrong; nothing more can be read
    };
    Event next(std::string_view& input);
    /// The connection is at its end: `end` where that ends the body, and otherwise `error`.
    Event end_of_input();

    const HttpResponse& response() const { return response_; }
    std::string_view piece() const { return piece_; }
    const std::string& why() const { return why_; }
    /// A byte of the expected response has come.
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
    std::string head_;  // the head so far, then the memory behind response_
    HttpResponse response_;
    std::optional<HttpBody> body_;  // none: until the connection closes
    std::string_view piece_;
    std::string why_;
    std::size_t interim_ = 0;
    bool begun_ = false;
    bool http_1_0_ = false;
};

}  // namespace tenon::framing
