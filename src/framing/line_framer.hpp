// Lines out of a byte stream: bytes in, events out, in one pass whatever the chunks are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace tenon::framing {

/// A sink that looks at the lines that are too long, too.
template <class Sink>
concept SeesDropped = requires(Sink& sink, std::string_view bytes) {
    sink.dropped(bytes);
    sink.dropped_all();
};

/// Splits a stream into lines. Each byte is looked at once, at most `max_line` bytes are kept, and a line that lies
/// within one chunk is handed on without a copy. A view given to the sink is valid only during that call.
///
/// The sink has two members:
///   void line(std::string_view)      a line, without "\n" and without one "\r" before it; never blank
///   void too_long(std::size_t)       once for each line longer than the limit, as soon as it is known; its rest is
///   dropped
///
/// A sink that wants to look at the bytes of a line that is too long has two more. They come after too_long():
///   void dropped(std::string_view)   the bytes of that line, in pieces, from its beginning
///   void dropped_all()               that line has ended
///
/// The sink must not feed the same framer.
class LineFramer {
 public:
    /// `max_line` counts the bytes before the line's end ("\n" or "\r\n").
    explicit LineFramer(std::size_t max_line) : max_line_(max_line) {}

    template <class Sink>
    void feed(std::string_view chunk, Sink&& sink);

    enum class End { clean, cut };

    /// The input is over. `cut`: it ended inside a line, which is dropped: half a message must not be acted on.
    End end();

    /// Drops the unfinished line, with what follows of it.
    void discard() {
        discarding_ = discarding_ || !partial_.empty();
        release();
    }
    /// Bytes of an unfinished line that are kept now.
    std::size_t buffered() const noexcept { return partial_.size(); }

 private:
    template <class Sink>
    void finish_line(std::string_view tail, Sink& sink);
    template <class Sink>
    void keep(std::string_view piece, Sink& sink);
    template <class Sink>
    void deliver(std::string_view line, Sink& sink) const;
    template <class Sink>
    void begin_drop(std::string_view piece, Sink& sink);
    bool overflows(std::string_view tail) const noexcept;
    void release();

    std::size_t max_line_;
    std::string partial_;
    bool discarding_ = false;  // inside a line that was already reported as too long
};

/// `line` without one trailing "\r".
std::string_view without_return(std::string_view line) noexcept;

/// Nothing but spaces, tabs and returns.
bool is_blank(std::string_view line) noexcept;

template <class Sink>
void LineFramer::feed(std::string_view chunk, Sink&& sink) {
    while (!chunk.empty()) {
        const std::size_t newline = chunk.find('\n');
        if (newline == std::string_view::npos) return keep(chunk, sink);
        finish_line(chunk.substr(0, newline), sink);
        chunk.remove_prefix(newline + 1);
    }
}

template <class Sink>
void LineFramer::finish_line(std::string_view tail, Sink& sink) {
    if (std::exchange(discarding_, false)) {
        if constexpr (SeesDropped<Sink>) sink.dropped(tail), sink.dropped_all();
        return;
    }
    if (partial_.empty()) return deliver(tail, sink);
    if (overflows(tail)) {
        begin_drop(tail, sink);
        if constexpr (SeesDropped<Sink>) sink.dropped_all();
        return;
    }
    partial_ += tail;
    deliver(partial_, sink);
    release();
}

template <class Sink>
void LineFramer::keep(std::string_view piece, Sink& sink) {
    if (discarding_) {
        if constexpr (SeesDropped<Sink>) sink.dropped(piece);
        return;
    }
    if (overflows(piece)) {
        discarding_ = true;
        return begin_drop(piece, sink);
    }
    partial_ += piece;
}

// The line so far, and `piece` after it, are too long.
template <class Sink>
void LineFramer::begin_drop(std::string_view piece, Sink& sink) {
    sink.too_long(max_line_);
    if constexpr (SeesDropped<Sink>) sink.dropped(partial_), sink.dropped(piece);
    release();
}

template <class Sink>
void LineFramer::deliver(std::string_view line, Sink& sink) const {
    line = without_return(line);
    if (line.size() > max_line_) {
        sink.too_long(max_line_);
        if constexpr (SeesDropped<Sink>) sink.dropped(line), sink.dropped_all();
        return;
    }
    if (!is_blank(line)) sink.line(line);
}

}  // namespace tenon::framing
