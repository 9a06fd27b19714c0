// Splits a byte stream into lines, in one pass, for chunks of any size.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#pragma GCC visibility push(default)  // tenon-http uses it

namespace tenon::framing {

/// A sink that also wants the bytes of lines that are too long.
template <class Sink>
concept SeesDropped = requires(Sink& sink, std::string_view bytes) {
    sink.dropped(bytes);
    sink.dropped_all();
};

/// Splits a stream into lines. Examines each byte once and stores at most `max_line` bytes. A line within one chunk is
/// passed to the sink without a copy. A view is valid only during the call of the sink.
///
/// The sink has two members:
///   void line(std::string_view)      a line, without "\n" and without one "\r" before it; never blank
///   void too_long(std::size_t)       once for each line over the limit, as soon as that is known; the line is dropped
///
/// A sink that wants the bytes of a line that is too long has two more. They are called after too_long():
///   void dropped(std::string_view)   the bytes of that line, in pieces, from its start
///   void dropped_all()               that line has ended
///
/// The sink must not feed the same framer.
class LineFramer {
 public:
    /// `max_line` does not include the end of the line ("\n" or "\r\n").
    explicit LineFramer(std::size_t max_line) : max_line_(max_line) {}

    template <class Sink>
    void feed(std::string_view chunk, Sink&& sink);

    struct Line {
        std::string_view text;  ///< as for Sink::line()
        bool too_long = false;  ///< as for Sink::too_long(); the text is empty
    };
    /// Returns the next line of `chunk`, for callers that pull, and removes it from there. Returns nullopt when the
    /// chunk is used up. The text is valid until the next call.
    std::optional<Line> next(std::string_view& chunk);

    enum class End { clean, cut };

    /// Reports the end of the input. Returns `cut` when the input ended inside a line. That line is dropped, because
    /// half a message must not be executed.
    End end();

    /// Drops the unfinished line, including the part that has not arrived yet.
    void discard() {
        forget_line();
        discarding_ = discarding_ || !partial_.empty();
        release();
    }
    /// Returns how many bytes of an unfinished line are stored.
    std::size_t buffered() const noexcept { return complete_ ? 0 : partial_.size(); }

 private:
    template <class Sink>
    void step(std::string_view& chunk, Sink& sink);
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
    void forget_line() {
        if (std::exchange(complete_, false)) release();
    }

    std::size_t max_line_;
    std::string partial_;
    bool complete_ = false;    // partial_ is a whole line, which was passed on and may still be in use
    bool discarding_ = false;  // inside a line that is too long or was discarded
};

/// Returns `line` without one "\r" at its end.
std::string_view without_return(std::string_view line) noexcept;

/// Returns whether `line` has only spaces, tabs and "\r".
bool is_blank(std::string_view line) noexcept;

template <class Sink>
void LineFramer::feed(std::string_view chunk, Sink&& sink) {
    while (!chunk.empty()) step(chunk, sink);
    forget_line();
}

// Takes one line, or the start of one, from the chunk.
template <class Sink>
void LineFramer::step(std::string_view& chunk, Sink& sink) {
    forget_line();
    const std::size_t newline = chunk.find('\n');
    const std::string_view piece = chunk.substr(0, newline);
    chunk.remove_prefix(newline == std::string_view::npos ? chunk.size() : newline + 1);
    newline == std::string_view::npos ? keep(piece, sink) : finish_line(piece, sink);
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
    complete_ = true;
    deliver(partial_, sink);
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

// Drops a line: the bytes so far, with `piece` after them, are too long.
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

#pragma GCC visibility pop
