// Writes the members of a record as JSON. json::Writer would look at each text twice: most are known to need no
// escapes.
#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstring>
#include <string>
#include <string_view>

#include <tenon/json_writer.hpp>

#include "observe/mask.hpp"

namespace tenon::observe {

/// Writes one record into a buffer, which grows and keeps its memory. The size of the buffer is the room it has: the
/// record is written(). Keeps a reference to the buffer, which must outlive the writer. Not thread-safe.
class RecordWriter {
 public:
    explicit RecordWriter(std::string& buffer)
        : buffer_(buffer), at_(buffer.data()), end_(buffer.data() + buffer.size()) {}

    std::string_view written() const { return {buffer_.data(), size()}; }

    /// Returns where the next `n` characters go. Call wrote() after writing them.
    char* room(std::size_t n) {
        if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
            grow(n);
        return at_;
    }
    void wrote(std::size_t n) { at_ += n; }

    /// Appends a literal. The compiler knows its size, so it needs no call of memcpy().
    template <std::size_t N>
    void literal(const char (&text)[N]) {
        std::memcpy(room(N - 1), text, N - 1);
        at_ += N - 1;
    }
    void raw(std::string_view text) {
        std::memcpy(room(text.size()), text.data(), text.size());
        at_ += text.size();
    }
    void raw(char c) {
        *room(1) = c;
        ++at_;
    }

    // `before` is the name with its punctuation, up to the value: `,"method":"`.

    /// Appends a member whose value needs no escapes.
    template <std::size_t N>
    void constant(const char (&before)[N], std::string_view value) {
        literal(before);
        raw(value);
        raw('"');
    }
    /// Appends a member with a text from outside, masked and escaped. An empty text has no member.
    template <std::size_t N>
    void text(const char (&before)[N], std::string_view value) {
        if (value.empty()) return;
        literal(before);
        if (!copy_if_safe(room(std::min(value.size(), max_text) + 1), value)) return escaped(value);
        at_ += value.size();
        raw('"');
    }
    template <std::size_t N>
    void number(const char (&before)[N], std::integral auto value) {
        constexpr std::size_t most = 24;
        literal(before);
        char* const at = room(most);
        at_ = std::to_chars(at, at + most, value).ptr;
    }

 private:
    void escaped(std::string_view value) {
        --at_;  // the quotation mark
        std::string out;
        json::Writer(out).string(safe_text(value));
        raw(out);
    }

    [[gnu::noinline]] void grow(std::size_t n) {
        const std::size_t used = size();
        buffer_.resize(std::max<std::size_t>(2 * buffer_.size(), 1024) + n);
        at_ = buffer_.data() + used;
        end_ = buffer_.data() + buffer_.size();
    }
    std::size_t size() const { return static_cast<std::size_t>(at_ - buffer_.data()); }

    std::string& buffer_;
    char *at_, *end_;  // the end of the record, and of the room
};

}  // namespace tenon::observe
