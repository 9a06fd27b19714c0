#include "framing/http_response.hpp"

#include <algorithm>
#include <utility>

namespace tenon::framing {

HttpResponseParser::Event HttpResponseParser::fail(std::string why) {
    state_ = State::broken;
    why_ = std::move(why);
    return Event::error;
}

void HttpResponseParser::expect(To to) {
    if (state_ == State::broken) return;
    to_ = to;
    state_ = State::head;
    head_.clear();
    body_.reset();
    interim_ = 0;
    begun_ = false;
}

HttpResponseParser::Event HttpResponseParser::next(std::string_view& input) {
    switch (state_) {
        case State::broken: return Event::error;
        case State::done: state_ = State::idle; return Event::end;
        case State::idle: return input.empty() ? Event::more : fail("bytes without a request");
        case State::head: return take_head(input);
        default: return take_body(input);
    }
}

HttpResponseParser::Event HttpResponseParser::end_of_input() {
    if (state_ == State::body && response_.until_close) return state_ = State::idle, Event::end;
    if (state_ == State::broken) return Event::error;
    return fail(begun_ ? "it ends in the middle" : "the connection was closed");
}

HttpResponseParser::Event HttpResponseParser::take_head(std::string_view& input) {
    if (input.empty()) return Event::more;
    begun_ = true;
    constexpr char tls_alert = 0x15, tls_handshake = 0x16;
    if (head_.empty() && (input.front() == tls_alert || input.front() == tls_handshake))
        return fail("the server speaks TLS; use https:// instead of http://");
    // The end may be split over two pieces of input: search again from the last three bytes.
    const std::size_t before = head_.size();
    const std::size_t from = before < 3 ? 0 : before - 3;
    head_ += input.substr(0, limits_.max_head_bytes + 4 - before);
    const std::size_t end = head_.find("\r\n\r\n", from);
    if (end == std::string::npos) {
        if (head_.size() >= limits_.max_head_bytes + 4)
            return fail("its head is longer than " + std::to_string(limits_.max_head_bytes) +
                        " bytes (max_head_bytes)");
        input = {};
        return Event::more;
    }
    head_.resize(end + 4);
    input.remove_prefix(head_.size() - before);
    if (!read_head(std::string_view(head_).substr(0, end + 2))) return Event::error;
    if (response_.status < 200) {
        head_.clear();
        if (response_.status == 101) return fail("it changes to another protocol");
        if (++interim_ > limits_.max_interim) return fail("too many 1xx responses before it");
        return take_head(input);
    }
    return Event::head;
}

HttpResponseParser::Event HttpResponseParser::take_body(std::string_view& input) {
    if (!body_) {
        if (input.empty()) return Event::more;
        piece_ = std::exchange(input, {});
        return Event::piece;
    }
    switch (body_->next(input)) {
        case HttpBody::Event::more: return Event::more;
        case HttpBody::Event::error: return fail("its body has " + body_->why());
        case HttpBody::Event::end: state_ = State::idle; return Event::end;
        case HttpBody::Event::piece: piece_ = body_->piece(); break;
    }
    return Event::piece;
}

bool HttpResponseParser::read_head(std::string_view head) {
    response_ = {};
    const std::size_t line_end = head.find("\r\n");
    if (!read_status_line(head.substr(0, line_end))) return false;
    std::string why;
    if (!response_.fields.parse(head.substr(line_end + 2), limits_.max_fields, why))
        return fail("it has " + why), false;
    read_connection();
    return response_.status < 200 || read_length();
}

bool HttpResponseParser::read_status_line(std::string_view line) {
    http_1_0_ = line.starts_with("HTTP/1.0 ");
    if (!http_1_0_ && !line.starts_with("HTTP/1.1 ")) return fail("it does not begin with HTTP/1.1"), false;
    const std::string_view digits = line.substr(9, 3);
    const auto status = parse_decimal(digits);
    if (digits.size() != 3 || !status || *status < 100 || (line.size() > 12 && line[12] != ' '))
        return fail("its status is not a three-digit number"), false;
    const bool printable =
        std::ranges::all_of(line, [](char c) { return c == '\t' || (c >= 0 ? c >= ' ' && c != 0x7f : true); });
    if (!printable) return fail("it has a control character in its first line"), false;
    response_.status = static_cast<int>(*status);
    return true;
}

// RFC 9112, section 6.3. Refuses a response with both a length and chunks, or with two lengths: a proxy on the way may
// have used another end of the body.
bool HttpResponseParser::read_length() {
    const std::size_t lengths = response_.fields.count("content-length");
    const std::size_t codings = response_.fields.count("transfer-encoding");
    if (lengths > 1 || codings > 1 || (lengths > 0 && codings > 0))
        return fail("its length is given more than once"), false;
    if (codings == 1 && !equal_ignoring_case(*response_.fields.only("transfer-encoding"), "chunked"))
        return fail("it has a transfer coding other than chunked"), false;
    if (lengths == 1) {
        response_.content_length = parse_decimal(*response_.fields.only("content-length"));
        if (!response_.content_length) return fail("its Content-Length is not a decimal number"), false;
    }
    const bool no_body = to_ == To::head || response_.status == 204 || response_.status == 304 ||
                         (to_ == To::connect && response_.status < 300);
    if (no_body) {
        state_ = State::done;
        return true;
    }
    state_ = State::body;
    response_.chunked = codings == 1;
    if (response_.chunked) {
        body_ = HttpBody::chunked();
    } else if (response_.content_length) {
        body_ = HttpBody::of_length(*response_.content_length);
    } else {
        response_.until_close = true;
        response_.keep_alive = false;
    }
    return true;
}

void HttpResponseParser::read_connection() {
    response_.keep_alive = !http_1_0_;
    response_.fields.each("connection", [this](std::string_view options) {
        each_element(options, [this](std::string_view option) {
            if (equal_ignoring_case(option, "close")) response_.keep_alive = false;
        });
    });
}

}  // namespace tenon::framing
