// Splits bytes into lines in its own receive buffer, without copying. Pure.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace tenon::load {

/// Unlike framing::LineFramer it keeps its memory, because the lines of one peer are similar in size.
class LineBuffer {
 public:
    explicit LineBuffer(std::size_t max_line) : max_line_(max_line) {}

    /// Returns the memory for the next received bytes.
    std::span<char> room() {
        if (in_.size() - held_ < least_room) in_.resize(in_.size() * 2 + least_room);
        return std::span(in_).subspan(held_);
    }
    /// Takes `bytes` received bytes and calls `use(line)` for each complete line. Returns false when a line is too
    /// long.
    template <class Use>
    bool take(std::size_t bytes, Use&& use) {
        held_ += bytes;
        std::size_t begin = 0;
        while (const void* newline = std::memchr(in_.data() + searched_, '\n', held_ - searched_)) {
            const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - in_.data());
            use(std::string_view(in_.data() + begin, end - begin));
            begin = searched_ = end + 1;
        }
        std::memmove(in_.data(), in_.data() + begin, held_ - begin);
        held_ -= begin;
        searched_ = held_;
        return held_ <= max_line_;
    }

 private:
    static constexpr std::size_t least_room = 128 * 1024;
    std::size_t max_line_;
    std::vector<char> in_;
    std::size_t held_ = 0, searched_ = 0;
};

}  // namespace tenon::load
