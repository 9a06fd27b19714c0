// TapFlow: one direction of a tap. Bytes in, bytes out, and a gate between them. Pure.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::inspect {

/// Passes lines on, byte for byte. A line that must wait stops the flow, so the order stays.
class TapFlow {
 public:
    /// Returns whether the line must wait. Gets the line without its end.
    using Gate = std::function<bool(std::string_view line)>;
    TapFlow(std::size_t max_line, Gate gate) : max_line_(max_line), gate_(std::move(gate)) {}

    void feed(std::string_view bytes);
    /// No more bytes will come. The rest without a newline is passed on as it is.
    void end();
    /// Lets the line that waits go. `text`: instead of it; empty optional: the line itself.
    void release(const std::optional<std::string>& text);
    void drop();

    bool waits() const { return waiting_.has_value(); }
    /// Returns whether more bytes may be fed now: nothing waits, and not too much output is left.
    bool wants_input() const { return !ended_ && !waits() && output_.size() < max_line_; }
    /// Returns whether the end has come and everything was passed on.
    bool is_done() const { return ended_ && !waits() && input_.empty() && output_.empty(); }

    const std::string& output() const { return output_; }
    void written(std::size_t bytes) { output_.erase(0, bytes); }

 private:
    void advance();

    const std::size_t max_line_;  // a longer line is passed on without the gate
    const Gate gate_;
    std::string input_, output_;
    std::optional<std::string> waiting_;  // with its end
    bool ended_ = false, inside_long_line_ = false;
};

}  // namespace tenon::inspect
