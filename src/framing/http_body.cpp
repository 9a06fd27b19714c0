#include "framing/http_body.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace tenon::framing {
namespace {

constexpr int max_size_digits = 8;  // chunks up to 4 GiB: more than any limit on bodies
// Of one body. Extensions do not count against the limit on bodies, so they have a limit of their own.
constexpr std::size_t max_extension_bytes = 16 * 1024;

}  // namespace

std::string BodyLimit::why() const { return "the body is longer than " + std::to_string(max_bytes) + " bytes"; }

HttpBody::Event HttpBody::fail(const char* why) {
    state_ = State::broken;
    why_ = why;
    return Event::error;
}

HttpBody::Event HttpBody::take_data(std::string_view& input) {
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
    piece_ = input.substr(0, n);
    input.remove_prefix(n);
    left_ -= n;
    if (left_ == 0) state_ = chunked_ ? State::data_end : State::done;
    return Event::piece;
}

// Reads the digits of a chunk size, and the character after them: it begins an extension or ends the line.
HttpBody::Event HttpBody::take_size(char c) {
    if (const int digit = base::hex_digit(c); digit >= 0) {
        if (++digits_ > max_size_digits) return fail("a chunk size that is too long");
        left_ = left_ * 16 + static_cast<std::uint64_t>(digit);
        return Event::more;
    }
    if (digits_ == 0) return fail("a chunk size that is not a hexadecimal number");
    if (c == '\r') return state_ = State::size_end, Event::more;
    extension_ = {};
    if (!extension_.take(c)) return fail("a chunk size that is not a hexadecimal number");
    state_ = State::extension;
    return Event::more;
}

// A lone LF is refused like every control character, since some readers treat it as the end of the line.
HttpBody::Event HttpBody::take_extension(char c) {
    if (++extension_bytes_ > max_extension_bytes)
        return fail("more than 16384 bytes of chunk extensions; send the body without them");
    if (c == '\r' && extension_.may_end()) return state_ = State::size_end, Event::more;
    return extension_.take(c) ? Event::more : fail("a malformed chunk extension; send the body without it");
}

// Reads the bytes between the chunks. Trailers are refused: MCP does not use them, and they have been used for attacks.
HttpBody::Event HttpBody::take_framing(char c) {
    switch (state_) {
        case State::size: return take_size(c);
        case State::extension: return take_extension(c);
        case State::size_end:
            if (c != '\n') return fail("a chunk size without CRLF");
            digits_ = 0;
            state_ = left_ == 0 ? State::trailer : State::data;
            return Event::more;
        case State::data_end:
            if (c != '\r') return fail("chunk data that is longer than its size");
            state_ = State::data_lf;
            return Event::more;
        case State::data_lf:
            if (c != '\n') return fail("chunk data without CRLF after it");
            state_ = State::size;
            return Event::more;
        case State::trailer:
            if (c != '\r') return fail("a trailer");
            state_ = State::trailer_end;
            return Event::more;
        case State::trailer_end:
            if (c != '\n') return fail("a bare CR after the last chunk");
            state_ = State::done;
            return Event::end;
        default: return Event::error;
    }
}

HttpBody::Event HttpBody::next(std::string_view& input) {
    if (state_ == State::data && left_ == 0) state_ = State::done;  // an empty body of known length
    while (state_ != State::done) {
        if (state_ == State::broken) return Event::error;
        if (input.empty()) return Event::more;
        if (state_ == State::data) return take_data(input);
        const char c = input.front();
        input.remove_prefix(1);
        if (const Event event = take_framing(c); event != Event::more) return event;
    }
    return Event::end;
}

}  // namespace tenon::framing
