// Finds the requests that an unreadable message answers. The message may be too long, not JSON, or have a wrong
// envelope. With this, the caller gets the real reason instead of a timeout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::jsonrpc {

/// Looks at the outermost members of a message, or of each message of a batch. Reads any bytes, in pieces of any size,
/// in one pass, and stores only a few of them. Knows only integer ids: Tenon's own requests have no others.
class EnvelopeScan {
 public:
    void feed(std::string_view bytes);
    /// Reports the end of the message. It may be cut off.
    void end();

    /// Returns the ids of the answered requests that were found. At most `max_answers`.
    const std::vector<std::int64_t>& answers() const { return answers_; }
    /// Returns whether the message contains a response whose id cannot be read. Valid after end().
    bool has_unknown_answer() const { return unknown_answer_; }

    /// Returns whether the message contains a request or a notification of the peer.
    bool has_call() const { return has_call_; }

    static constexpr std::size_t max_answers = 10'000;

 private:
    // The position of the next byte.
    enum class Place { start, outside, key, value, over };

    void take(char c);
    void take_in_string(char c);
    void take_first(char c);
    void open(char c);
    void close();
    void keep(char c);
    void end_key();
    void end_value();
    void end_message();
    void answered();

    Place place_ = Place::start;
    std::size_t depth_ = 0;          // of arrays and objects
    std::size_t message_depth_ = 1;  // 2 inside a batch
    bool in_string_ = false, escaped_ = false;
    std::string word_;  // the first bytes of the current key or value
    std::string key_;
    // Of the current message.
    std::optional<std::int64_t> id_;
    bool has_version_ = false, has_method_ = false, has_outcome_ = false, told_ = false;

    std::vector<std::int64_t> answers_;
    bool unknown_answer_ = false, has_call_ = false;
};

/// Scans a whole message.
EnvelopeScan scan_envelope(std::string_view message);

/// Returns whether a text is meant as a message, even if it is malformed: it names the member that every message has.
bool looks_like_message(std::string_view text);

}  // namespace tenon::jsonrpc

#pragma GCC visibility pop
