// Server-sent events (the event stream format of HTML). Servers write them, clients read them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::framing {

/// One event to write. `data` must not contain a newline: a JSON message never does.
struct SseEvent {
    std::string_view data = {};
    std::string_view id = {};     ///< no `id:` line when empty
    std::string_view event = {};  ///< "message" when empty
    std::optional<long long> retry_ms = {};
};

void append_sse(std::string& out, const SseEvent& event);
/// Appends a comment, which every reader ignores, to keep the connection open.
void append_sse_comment(std::string& out);

/// Reads events from bytes in pieces of any size. Lines may end in CR, LF or CRLF. Skips a byte order mark.
///
/// An event takes effect when its blank line has arrived. An event that is cut off or exceeds the limit is not
/// delivered, and its `id` and `retry` are ignored.
class SseReader {
 public:
    struct Limits {
        std::size_t max_event_bytes;            ///< of the data, the type and the current line together
        std::size_t max_event_id_bytes = 4096;  ///< a longer id counts as empty, so nothing can be resumed after it
    };
    explicit SseReader(Limits limits) : limits_(limits) {}
    explicit SseReader(std::size_t max_event_bytes) : SseReader(Limits{max_event_bytes}) {}

    struct Event {
        std::string data;
        std::string type = "message";
        std::string last_event_id;  ///< the id of this event, or of the last event with an id
    };

    /// Calls `use(const Event&)` for each complete event. Returns false once an event exceeds the limit. Reads nothing
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
    /// Returns the id of the last complete event, to resume the stream after it.
    const std::string& last_event_id() const { return last_event_id_; }

 private:
    bool take_text(std::string_view& bytes);  // returns false when the event is too long
    bool take_line_end(char c);               // returns true when an event is complete
    bool take_line();
    void take_field(std::string_view name, std::string_view value);
    Event take_event();
    std::size_t kept() const { return line_.size() + data_.size() + type_.size(); }

    Limits limits_;
    std::string line_;
    bool after_cr_ = false;
    bool first_line_ = true;
    bool too_long_ = false;
    // Of the current event.
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

#pragma GCC visibility pop
