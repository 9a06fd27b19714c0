// Finds out which requests a message answers when the message itself cannot be read: it is too long, is not JSON, or
// has a wrong envelope. So the caller gets the real reason instead of a time-out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::jsonrpc {

/// Looks at the outermost members of a message, or of each message of a batch. Takes any bytes, in pieces of any size,
/// in one pass, and keeps only a few of them. Knows only integer ids: Tenon's own requests have no others.
class EnvelopeScan {
 public:
    void feed(std::string_view bytes);
    /// No more bytes come: the message is complete, or cut off.
    void end();

    /// The requests that are answered, as far as it is known. At most `max_answers`.
    const std::vector<std::int64_t>& answers() const { return answers_; }
    /// It holds an answer, and the id of the request cannot be read. Known after end().
    bool has_unknown_answer() const { return unknown_answer_; }

    /// It holds a request or a notification of the peer.
    bool has_call() const { return has_call_; }

    static constexpr std::size_t max_answers = 10'000;

 private:
    // Where the next byte is, as far as it matters here.
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
    std::string word_;  // the key or the value that is being read, up to a few bytes
    std::string key_;
    // Of the message that is being read.
    std::optional<std::int64_t> id_;
    bool has_version_ = false, has_method_ = false, has_outcome_ = false, told_ = false;

    std::vector<std::int64_t> answers_;
    bool unknown_answer_ = false, has_call_ = false;
};

/// The scan of a whole message.
EnvelopeScan scan_envelope(std::string_view message);

}  // namespace tenon::jsonrpc
