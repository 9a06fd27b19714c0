#include "framing/line_framer.hpp"

#include <algorithm>

namespace tenon::framing {
namespace {

// A buffer above this size is freed after its line. Smaller buffers are reused.
constexpr std::size_t kept_capacity = 64 * 1024;

}  // namespace

std::optional<LineFramer::Line> LineFramer::next(std::string_view& chunk) {
    struct {
        std::optional<Line> found;
        void line(std::string_view text) { found = Line{text}; }
        void too_long(std::size_t) { found = Line{{}, true}; }
    } sink;
    while (!sink.found && !chunk.empty()) step(chunk, sink);
    if (!sink.found) forget_line();
    return sink.found;
}

LineFramer::End LineFramer::end() {
    forget_line();
    const bool cut = discarding_ || !is_blank(partial_);
    discarding_ = false;
    release();
    return cut ? End::cut : End::clean;
}

// Returns whether the stored bytes and `tail` together are too long. Does not count a "\r" at the end, because it may
// belong to the end of the line.
bool LineFramer::overflows(std::string_view tail) const noexcept {
    const std::string_view last = tail.empty() ? std::string_view(partial_) : tail;
    const std::size_t size = partial_.size() + tail.size() - (last.ends_with('\r') ? 1 : 0);
    return size > max_line_;
}

void LineFramer::release() {
    if (partial_.capacity() > kept_capacity) std::string().swap(partial_);
    partial_.clear();
}

std::string_view without_return(std::string_view line) noexcept {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool is_blank(std::string_view line) noexcept {
    return std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
}

}  // namespace tenon::framing
