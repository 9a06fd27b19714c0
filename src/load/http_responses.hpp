// Reads the HTTP responses on one connection and returns the messages in them. Pure.
//
// Bytes are received into this class's own memory. A body of known length is used in place, without a copy.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framing/http_response.hpp"
#include "framing/sse.hpp"

namespace tenon::load {

class HttpResponses {
 public:
    explicit HttpResponses(std::size_t max_message_bytes) : max_(max_message_bytes), events_(max_message_bytes) {}

    /// Prepares for the response to the next request.
    void expect();

    enum class State {
        more,
        head,    ///< status() and session() are known; call take() again
        done,    ///< the response is complete
        broken,  ///< why() says what is wrong
    };
    /// Returns the memory for the next received bytes.
    std::span<char> room();
    /// Takes `bytes` received bytes. Calls `use(message)` for each message: a body, or an event of a stream.
    template <class Use>
    State take(std::size_t bytes, Use&& use);
    /// Handles the end of the connection.
    template <class Use>
    State end_of_input(Use&& use);

    int status() const { return parser_.response().status; }
    bool keep_alive() const { return parser_.response().keep_alive; }
    bool is_stream() const { return stream_; }
    std::string session() const;
    const std::string& why() const { return why_; }

 private:
    using Event = framing::HttpResponseParser::Event;

    Event next();
    void begin_body();
    bool keep(std::string_view piece);
    std::string_view body() const;
    void forget();
    State broken(std::string why);

    std::size_t max_;
    framing::HttpResponseParser parser_;
    framing::SseReader events_;
    std::vector<char> in_;
    std::size_t held_ = 0, used_ = 0;  // number of bytes received, and how many of them the parser has taken
    bool in_head_ = true, stream_ = false;
    std::size_t body_at_ = 0, body_size_ = 0;  // place and size of a body of known length
    std::string gathered_;                     // a body of unknown length
    std::string why_;
};

template <class Use>
HttpResponses::State HttpResponses::take(std::size_t bytes, Use&& use) {
    held_ += bytes;
    while (true) {
        switch (next()) {
            case Event::more: return forget(), State::more;
            case Event::head: begin_body(); return State::head;
            case Event::error: return broken(parser_.why());
            case Event::end:
                if (!stream_ && !body().empty()) use(body());
                return forget(), State::done;
            case Event::piece: break;
        }
        const auto use_event = [&](const framing::SseReader::Event& event) {
            if (!event.data.empty()) use(std::string_view(event.data));
        };
        const bool fits = stream_ ? events_.feed(parser_.piece(), use_event) : keep(parser_.piece());
        if (!fits) return broken("a message is longer than the limit");
    }
}

template <class Use>
HttpResponses::State HttpResponses::end_of_input(Use&& use) {
    if (parser_.end_of_input() != Event::end) return broken("the connection was closed before the answer was complete");
    if (!stream_ && !body().empty()) use(body());
    return State::done;
}

}  // namespace tenon::load
