// History: every message of the session, with what is known about it. Finds, filters and forgets. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/json.hpp>

namespace tenon::inspect {

enum class MessageKind : std::uint8_t { request, response, error, notification, invalid };
std::string_view to_string(MessageKind kind);

/// One message. Times are milliseconds since 1970.
struct Message {
    std::uint64_t number = 0;
    double at = 0;
    std::uint64_t connection = 0;
    bool sent = false;  ///< by the client: this program, or the client in front of a tap
    MessageKind kind = MessageKind::invalid;
    std::string method = {};  ///< of a response: that of its request; empty: unknown
    std::string id = {};      ///< as JSON; empty: none
    std::string text = {};    ///< as on the wire
    std::optional<double> latency = {};
    std::uint64_t request = 0;   ///< number of the request that this message answers; 0: none
    std::uint64_t response = 0;  ///< number of the first response; 0: none yet
    std::size_t answers = 0;     ///< responses so far
    json::array verdicts = {};
    bool pinned = false;
};

/// Selects messages. Empty members select all.
struct MessageFilter {
    std::string text = {};  ///< a part of the message, ignoring the case of ASCII letters
    std::optional<bool> sent = {};
    std::optional<MessageKind> kind = {};
    std::string method = {};
    std::optional<bool> broken = {};  ///< breaks a rule
    std::optional<std::uint64_t> connection = {};
    std::optional<bool> pinned = {};

    /// Reads the filter of the API. The error says which member is wrong.
    static Result<MessageFilter> read(const json::object& filter);
    bool selects(const Message& message) const;
    bool selects_all() const;
};

/// Keeps messages within two limits. Forgets the oldest that is not pinned. Not thread-safe.
class History {
 public:
    struct Limits {
        std::size_t max_messages = 100'000;
        std::size_t max_bytes = 64 * 1024 * 1024;  ///< of all texts
        std::size_t max_pinned = 1000;
    };
    History() = default;
    explicit History(Limits limits) : limits_(limits) {}

    /// Adds a message: sets its number and, for a response, its request, method and latency. `value` is its content, or
    /// null when it is not JSON. The reference is valid until the next call.
    Message& add(Message message, const json::value* value);
    const Message* find(std::uint64_t number) const;
    /// Returns false when the message is gone, or when too many are pinned.
    bool pin(std::uint64_t number, bool pinned);
    void clear();

    struct Page {
        std::vector<const Message*> messages = {};  ///< ascending by number
        std::size_t total = 0;                      ///< all that the filter selects
    };
    /// Which of the selected messages are wanted.
    struct Range {
        std::uint64_t after = 0;   ///< only messages with a larger number
        std::uint64_t before = 0;  ///< only messages with a smaller number; 0: all. Without `after`, the last ones
        std::size_t offset = 0;    ///< skips this many messages; not with `before`
        std::size_t limit = std::string::npos;
    };
    Page page(const MessageFilter& filter, const Range& range) const;

    std::uint64_t first() const { return messages_.empty() ? 0 : messages_.begin()->first; }
    std::uint64_t last() const { return next_ - 1; }
    std::size_t dropped() const { return dropped_; }

 private:
    using RequestKey = std::tuple<std::uint64_t, bool, std::string>;  // connection, sent, id
    void match(Message& message);
    void forget_some();

    Limits limits_;
    std::map<std::uint64_t, Message> messages_;
    std::map<RequestKey, std::uint64_t> requests_;  // newest request with this id that is still kept
    std::uint64_t next_ = 1;
    std::size_t bytes_ = 0, pinned_ = 0, dropped_ = 0;
};

/// Returns the message as the API describes it, its text cut to `max_text` bytes.
json::object message_json(const Message& message, std::size_t max_text);

/// Returns at most `max_bytes` of a text, without cutting a UTF-8 sequence.
std::string_view cut_text(std::string_view text, std::size_t max_bytes);

}  // namespace tenon::inspect
