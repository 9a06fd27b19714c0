// Finds the text of a message's id, for numbers that do not fit an integer type.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::jsonrpc {

/// Steps through text that is known to be valid JSON. So it only has to find the ends of values.
class JsonWalker {
 public:
    explicit JsonWalker(std::string_view text) : text_(text) {}

    /// Skips white space, and then `c`. Returns false when the next character is not `c`.
    bool take(char c);
    std::string_view take_value();

 private:
    void skip_space();
    void skip_string();
    void skip_scalar();

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Finds ids in valid JSON: a message, or an array of messages. Only goes forward. Allocates nothing.
class RawIds {
 public:
    explicit RawIds(std::string_view text) : walker_(text) { walker_.take('['); }

    /// Returns the text of the member `id` of the message `index`, or an empty view when it has none. `index` must not
    /// be smaller than in the last call.
    std::string_view at(std::size_t index);

 private:
    JsonWalker walker_;
    std::size_t next_ = 0;
};

}  // namespace tenon::jsonrpc
