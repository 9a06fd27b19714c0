// Server-sent events (the event stream format of HTML): written by servers, read by clients.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::framing {

/// One event on the wire. `data` must not contain a newline: a JSON message never does.
struct SseEvent {
    std::string_view data = {};
    std::string_view id = {};     ///< no `id:` line when empty
    std::string_view event = {};  ///< "message" when empty
    std::optional<long long> retry_ms = {};
};

void append_sse(std::string& out, const SseEvent& event);
/// A line that every reader ignores, to keep the connection open.
void append_sse_comment(std::string& out);

/// Events out of bytes, in pieces of any size. Lines may end in CR, LF or CRLF; a byte order mark is skipped.
class SseReader {
 public:
    explicit SseReader(std::size_t max_event_bytes) : max_(max_event_bytes) {}

    struct Event {
        std::string data;
        std::string type = "message";
        std::string last_event_id;  ///< of this event or the last one that had one
    };

    /// Calls `use(const Event&)` for each complete event. False once an event is larger than the limit.
    template <class Use>
    bool feed(std::string_view bytes, Use&& use) {
        while (!bytes.empty() && !too_long_) {
            take_text(bytes);
            if (bytes.empty()) break;
            const char c = bytes.front();
            bytes.remove_prefix(1);
            if (take_line_end(c)) use(take_event());
        }
        return !too_long_;
    }

    std::optional<long long> retry_ms() const { return retry_ms_; }
    /// Of what has come whole: what a stream is resumed after.
    const std::string& last_event_id() const { return last_event_id_; }

 private:
    void take_text(std::string_view& bytes);
    bool take_line_end(char c);  // true when an event is complete
    bool take_line();
    void take_field(std::string_view name, std::string_view value);
    Event take_event();

    std::size_t max_;
    std::string line_;
    bool after_cr_ = false;
    bool first_line_ = true;
    bool too_long_ = false;
    std::string data_;
    bool has_data_ = false;
    std::string type_;
    std::string id_;  // of the event that is being read; counts when that is complete
    std::string last_event_id_;
    std::optional<long long> retry_ms_;
};

}  // namespace tenon::framing
