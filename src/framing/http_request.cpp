#include "framing/http_request.hpp"

#include <algorithm>
#include <array>

namespace tenon::framing {
namespace {

bool is_target_char(char c) {
    const auto u = static_cast<unsigned char>(c);
    return u > 0x20 && u < 0x7f;
}

// The characters of a host: a name or an address, and a port. No list, no user, no path.
constexpr auto host_chars = [] {
    std::array<bool, 256> out = {};
    for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                         "-._~:[]%!$&'()*+;="))
        out[static_cast<unsigned char>(c)] = true;
    return out;
}();
bool is_host(std::string_view host) {
    return !host.empty() && std::ranges::all_of(host, [](char c) { return host_chars[static_cast<unsigned char>(c)]; });
}

// Returns the size of "http://" or "https://" at the start of a URL, or 0.
std::size_t scheme_size(std::string_view target) {
    for (const std::string_view scheme : {std::string_view("http://"), std::string_view("https://")})
        if (equal_ignoring_case(target.substr(0, scheme.size()), scheme)) return scheme.size();
    return 0;
}

}  // namespace

HttpRequestParser::Event HttpRequestParser::refuse(int status, std::string why) {
    refusal_ = {status, std::move(why)};
    refused_ = true;
    return Event::refused;
}

HttpRequestParser::Event HttpRequestParser::next(std::string_view& input) {
    if (refused_) return Event::refused;
    if (done_) {
        done_ = false;
        head_.clear();
        body_.reset();
    }
    return body_ ? take_body(input) : take_head(input);
}

// Skips blank lines before a request line (RFC 9112, section 2.2). CR and LF may arrive separately.
void HttpRequestParser::skip_blank_lines(std::string_view& input) {
    if (head_ == "\r" && input.starts_with('\n')) {
        head_.clear();
        input.remove_prefix(1);
    }
    if (head_.empty())
        while (input.starts_with("\r\n")) input.remove_prefix(2);
}

HttpRequestParser::Event HttpRequestParser::take_head(std::string_view& input) {
    skip_blank_lines(input);
    if (input.empty()) return Event::more;

    // Refused at once: a TLS client would wait for an answer to its first record, which has no blank line.
    constexpr char tls_handshake = 0x16;
    if (head_.empty() && input.front() == tls_handshake)
        return refuse(400, "the client speaks TLS, but this port does not; use http:// instead of https://");
    const std::size_t before = head_.size();
    const std::string_view piece = input.substr(0, limits_.max_head_bytes + 4 - before);
    std::size_t end = std::string::npos;
    if (before == 0) {  // usually the whole head is there, and the rest need not be copied
        end = piece.find("\r\n\r\n");
        head_ = piece.substr(0, end == std::string::npos ? end : end + 4);
    } else {  // the end may be split over two pieces: search again from the last three bytes
        head_ += piece;
        end = head_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
    }
    if (end == std::string::npos) {
        if (head_.size() >= limits_.max_head_bytes + 4)
            return refuse(431,
                          "the request's head is longer than " + std::to_string(limits_.max_head_bytes) + " bytes");
        input = {};
        return Event::more;
    }
    head_.resize(end + 4);
    input.remove_prefix(head_.size() - before);
    if (!read_head(std::string_view(head_).substr(0, end + 2))) return Event::refused;
    body_ = request_.chunked ? HttpBody::chunked() : HttpBody::of_length(request_.content_length.value_or(0));
    body_bytes_ = 0;
    return Event::head;
}

// A chunk that is too large is refused at its size, before any of its bytes is used.
HttpRequestParser::Event HttpRequestParser::take_body(std::string_view& input) {
    const HttpBody::Event event = body_->next(input);
    if (event == HttpBody::Event::error) return refuse(400, "the body has " + body_->why());
    if (event == HttpBody::Event::end) return done_ = true, Event::end;
    if (event == HttpBody::Event::piece) body_bytes_ += body_->piece().size();
    if (const BodyLimit limit{limits_.max_body_bytes}; limit.is_exceeded_by(body_bytes_ + body_->left_in_chunk()))
        return refuse(BodyLimit::status, limit.why());
    return event == HttpBody::Event::piece ? Event::piece : Event::more;
}

bool HttpRequestParser::read_head(std::string_view head) {
    request_.clear();
    const std::size_t line_end = head.find("\r\n");
    if (!read_request_line(head.substr(0, line_end))) return false;
    std::string why;
    if (!request_.fields.parse(head.substr(line_end + 2), limits_.max_fields, why))
        return refuse(400, "the request has " + why), false;
    return read_host() && read_length();
}

bool HttpRequestParser::read_request_line(std::string_view line) {
    const std::size_t first = line.find(' ');
    const std::size_t last = line.rfind(' ');
    if (first == std::string_view::npos || first == last)
        return refuse(400, "the request line must be METHOD TARGET HTTP/1.1"), false;
    request_.method = line.substr(0, first);
    request_.target = line.substr(first + 1, last - first - 1);
    const std::string_view version = line.substr(last + 1);
    if (!is_token(request_.method)) return refuse(400, "the method is not a valid token"), false;
    if (request_.target.size() > limits_.max_target_bytes)
        return refuse(414, "the target is longer than " + std::to_string(limits_.max_target_bytes) + " bytes"), false;
    if (!std::ranges::all_of(request_.target, is_target_char) || !read_target())
        return refuse(400, "the target must be a path, or a URL that begins with http:// or https://"), false;
    if (version != "HTTP/1.1" && version != "HTTP/1.0") return refuse(505, "the version must be HTTP/1.1"), false;
    request_.http_1_0 = version == "HTTP/1.0";
    request_.keep_alive = !request_.http_1_0;
    return true;
}

// Splits the target into its parts. A full URL also names the host (RFC 9112, section 3.2.2).
bool HttpRequestParser::read_target() {
    std::string_view rest = request_.target;
    if (!rest.starts_with('/') && (rest != "*" || request_.method != "OPTIONS")) {
        const std::size_t scheme = scheme_size(rest);
        rest.remove_prefix(scheme);
        request_.host = rest.substr(0, rest.find_first_of("/?"));
        if (scheme == 0 || !is_host(request_.host)) return false;
        rest.remove_prefix(request_.host.size());
    }
    const std::size_t question = rest.find('?');
    request_.path = rest.substr(0, question);
    request_.query = question == std::string_view::npos ? std::string_view() : rest.substr(question + 1);
    if (request_.path.empty()) request_.path = "/";
    return true;
}

// The host in the target has priority over the Host field. The field is still required.
bool HttpRequestParser::read_host() {
    const auto host = request_.fields.only("host");
    if (!host) return refuse(400, "there must be exactly one Host field"), false;
    if (!is_host(*host)) return refuse(400, "the Host field must be one name or address, and a port"), false;
    if (request_.host.empty()) request_.host = *host;
    return true;
}

bool HttpRequestParser::read_length() {
    const std::size_t lengths = request_.fields.count("content-length");
    const std::size_t codings = request_.fields.count("transfer-encoding");
    if (lengths > 0 && codings > 0)
        return refuse(400, "a request has Content-Length or Transfer-Encoding, not both"), false;
    if (lengths > 1 || codings > 1)
        return refuse(400, "Content-Length and Transfer-Encoding may come only once"), false;
    if (lengths == 1) {
        request_.content_length = parse_decimal(*request_.fields.only("content-length"));
        if (!request_.content_length) return refuse(400, "Content-Length must be a decimal number"), false;
        if (const BodyLimit limit{limits_.max_body_bytes}; limit.is_exceeded_by(*request_.content_length))
            return refuse(BodyLimit::status, limit.why()), false;
    }
    if (codings == 1) {
        if (!request_.keep_alive) return refuse(400, "HTTP/1.0 has no Transfer-Encoding"), false;
        if (!equal_ignoring_case(*request_.fields.only("transfer-encoding"), "chunked"))
            return refuse(501, "the only Transfer-Encoding understood is chunked"), false;
        request_.chunked = true;
    }
    return read_connection(!request_.keep_alive);
}

bool HttpRequestParser::read_connection(bool http_1_0) {
    request_.fields.each("connection", [&](std::string_view options) {
        each_element(options, [&](std::string_view option) {
            if (equal_ignoring_case(option, "close")) request_.keep_alive = false;
            if (http_1_0 && equal_ignoring_case(option, "keep-alive")) request_.keep_alive = true;
        });
    });
    bool understood = true;
    request_.fields.each("expect", [&](std::string_view what) {
        understood = understood && equal_ignoring_case(what, "100-continue");
        request_.expects_continue = request_.has_body();
    });
    return understood || (refuse(417, "the only Expect understood is 100-continue"), false);
}

}  // namespace tenon::framing
