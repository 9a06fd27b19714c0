// Finds the texts of messages' ids, for the numbers that no integer type holds.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::jsonrpc {

/// Walks over text that is known to be valid JSON, so that it only has to know where values end.
class JsonWalker {
 public:
    explicit JsonWalker(std::string_view text) : text_(text) {}

    /// Steps over `c`, and blanks before it, when it is next.
    bool take(char c);
    std::string_view take_value();

 private:
    void skip_space();
    void skip_string();
    void skip_scalar();

    std::string_view text_;
    std::size_t at_ = 0;
};

/// Over valid JSON: an object, or an array of messages. It only goes forwards; nothing is allocated.
class RawIds {
 public:
    explicit RawIds(std::string_view text) : walker_(text) { walker_.take('['); }

    /// The characters of the value of the member `id` of the message `index`; empty when it has none. `index` must not
    /// be less than before.
    std::string_view at(std::size_t index);

 private:
    JsonWalker walker_;
    std::size_t next_ = 0;
};

}  // namespace tenon::jsonrpc
