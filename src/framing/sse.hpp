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

/// Reads events out of bytes, in pieces of any size: how the bytes are split never changes what comes out. Lines may
/// end in CR, LF or CRLF; a byte order mark is skipped.
///
/// An event takes effect only when its blank line has come. One that is cut off, or is larger than the limit, is not
/// delivered, and its `id` and `retry` do not count.
class SseReader {
 public:
    struct Limits {
        std::size_t max_event_bytes;            ///< of the data, the type and the current line together
        std::size_t max_event_id_bytes = 4096;  ///< a longer id counts as an empty one: nothing can be resumed after it
    };
    explicit SseReader(Limits limits) : limits_(limits) {}
    explicit SseReader(std::size_t max_event_bytes) : SseReader(Limits{max_event_bytes}) {}

    struct Event {
        std::string data;
        std::string type = "message";
        std::string last_event_id;  ///< of this event or the last one that had one
    };

    /// Calls `use(const Event&)` for each complete event. False once an event is larger than the limit: nothing is read
    /// after that.
    template <class Use>
    bool feed(std::string_view bytes, Use&& use) {
        while (!bytes.empty() && take_text(bytes)) {
            if (bytes.empty()) break;
            const char c = bytes.front();
            bytes.remove_prefix(1);
            if (take_line_end(c)) use(take_event());
        }
        return !too_long_;
    }

    std::optional<long long> retry_ms() const { return retry_ms_; }
    /// Of the complete events: what a stream is resumed after.
    const std::string& last_event_id() const { return last_event_id_; }

 private:
    bool take_text(std::string_view& bytes);  // false: the event is too long
    bool take_line_end(char c);               // true: an event is complete
    bool take_line();
    void take_field(std::string_view name, std::string_view value);
    Event take_event();
    std::size_t kept() const { return line_.size() + data_.size() + type_.size(); }

    Limits limits_;
    std::string line_;
    bool after_cr_ = false;
    bool first_line_ = true;
    bool too_long_ = false;
    // Of the event that is being read.
    std::string data_;
    bool has_data_ = false;
    std::string type_;
    std::string id_;
    std::optional<long long> next_retry_ms_;
    // Of the complete events.
    std::string last_event_id_;
    std::optional<long long> retry_ms_;
};

}  // namespace tenon::framing
