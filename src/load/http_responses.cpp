#include "load/http_responses.hpp"

#include <algorithm>

namespace tenon::load {
namespace {

constexpr std::size_t least_room = 16 * 1024;
constexpr std::size_t head_slice = 1024;  // the parser copies bytes of a head, so it gets small slices

}  // namespace

void HttpResponses::expect() {
    parser_.expect(framing::HttpResponseParser::To::get_or_post);
    in_head_ = true;
    body_size_ = 0;
    gathered_.clear();
}

std::span<char> HttpResponses::room() {
    std::size_t wanted = held_ + least_room;
    if (const auto length = parser_.response().content_length; length && !in_head_)
        wanted = std::max<std::size_t>(wanted, held_ + std::min<std::uint64_t>(*length, max_) - body_size_ + 1);
    if (in_.size() < wanted) in_.resize(std::max(wanted, in_.size() * 2));
    return std::span(in_).subspan(held_);
}

HttpResponses::Event HttpResponses::next() {
    while (true) {
        const std::size_t size = in_head_ ? std::min(held_ - used_, head_slice) : held_ - used_;
        std::string_view input(in_.data() + used_, size);
        const Event event = parser_.next(input);
        used_ += size - input.size();
        if (event != Event::more || used_ == held_) return event;
    }
}

void HttpResponses::begin_body() {
    in_head_ = false;
    const auto type = parser_.response().fields.only("content-type").value_or("");
    stream_ = framing::equal_ignoring_case(type.substr(0, 17), "text/event-stream");
    if (stream_) events_ = framing::SseReader(max_);
}

bool HttpResponses::keep(std::string_view piece) {
    if (body().size() + piece.size() > max_) return false;
    if (!parser_.response().content_length) {
        gathered_ += piece;
    } else {
        if (body_size_ == 0) body_at_ = static_cast<std::size_t>(piece.data() - in_.data());
        body_size_ += piece.size();
    }
    return true;
}

std::string_view HttpResponses::body() const {
    return body_size_ > 0 ? std::string_view(in_.data() + body_at_, body_size_) : std::string_view(gathered_);
}

// Empties the buffer when the parser has taken all bytes. Keeps the bytes of an incomplete body, which is used in
// place.
void HttpResponses::forget() {
    const bool body_is_here = !in_head_ && !stream_ && parser_.response().content_length && body_size_ > 0 &&
                              body_size_ < *parser_.response().content_length;
    if (used_ == held_ && !body_is_here) used_ = held_ = 0;
}

HttpResponses::State HttpResponses::broken(std::string why) {
    why_ = std::move(why);
    return State::broken;
}

std::string HttpResponses::session() const {
    return std::string(parser_.response().fields.only("mcp-session-id").value_or(""));
}

}  // namespace tenon::load
