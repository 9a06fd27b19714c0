// TapFlow: one direction of a tap. Bytes in, bytes out, and a gate between them. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::inspect {

/// How messages follow each other in a flow. A unit is the bytes of one message with its end.
struct TapFormat {
    struct Unit {
        std::size_t bytes = 0;     ///< 0: the end of the unit has not come
        std::string message = {};  ///< empty: the unit has no message
    };
    /// Returns the first unit of the input.
    Unit (*next)(std::string_view input);
    /// Returns the unit with another message.
    std::string (*rewrite)(std::string_view unit, std::string_view message);
};
/// Each line is a message, as on stdio.
extern const TapFormat tap_lines;
/// Each server-sent event is a message. A changed event keeps its id and its type.
extern const TapFormat tap_events;

/// Passes units on, byte for byte. One that must wait stops the flow, so the order stays.
class TapFlow {
 public:
    /// Returns whether the message must wait.
    using Gate = std::function<bool(std::string_view message)>;
    TapFlow(std::size_t max_unit, Gate gate, const TapFormat& format = tap_lines)
        : max_unit_(max_unit), gate_(std::move(gate)), format_(format) {}

    void feed(std::string_view bytes);
    /// No more bytes will come. The rest, which is not a whole unit, is passed on as it is.
    void end();
    /// Lets the message that waits go. `text`: instead of it; empty optional: the message itself.
    void release(const std::optional<std::string>& text);
    void drop();

    bool waits() const { return waiting_.has_value(); }
    /// Returns whether more bytes may be fed now: nothing waits, and not too much output is left.
    bool wants_input() const { return !ended_ && !waits() && output_.size() < max_unit_; }
    /// Returns whether the end has come and everything was passed on.
    bool is_done() const { return ended_ && !waits() && input_.empty() && output_.empty(); }

    const std::string& output() const { return output_; }
    /// Returns how many bytes wait behind a held message.
    std::size_t backlog() const { return input_.size(); }
    void written(std::size_t bytes) { output_.erase(0, bytes); }

 private:
    void advance();

    const std::size_t max_unit_;  // a longer unit is passed on without the gate
    const Gate gate_;
    const TapFormat& format_;
    std::string input_, output_;
    std::optional<std::string> waiting_;  // with its end
    bool ended_ = false, inside_long_unit_ = false;
};

}  // namespace tenon::inspect
