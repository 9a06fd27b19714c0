// Out: where the program's text goes. It takes SafeText and literals only, so that nothing else can get there.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "safe_text.hpp"

namespace tenon::program {

enum class Look { plain, bold, dim, red, green, yellow, cyan };

struct Styled {
    Styled(Look l, SafeText t) : look(l), text(std::move(t)) {}
    Styled(Look l, Literal t) : look(l), text(t) {}
    Look look;
    SafeText text;
};

/// What is known of the other end.
struct OutFacts {
    bool terminal = false;
    bool colours = false;
    std::size_t width = 80;
};

/// Buffers until flush(). Not thread-safe: Console is.
class Out {
 public:
    /// Takes bytes; false when they could not be written.
    using Sink = std::function<bool(std::string_view)>;
    Out(Sink sink, OutFacts facts) : sink_(std::move(sink)), facts_(facts) {}
    ~Out() { flush(); }
    Out(const Out&) = delete;
    Out& operator=(const Out&) = delete;

    Out& operator<<(const SafeText& text);
    Out& operator<<(Literal text);
    Out& operator<<(const Styled& text);
    /// The line that is not finished yet disappears. On terminals only.
    void erase_line();
    void flush();

    const OutFacts& facts() const { return facts_; }
    /// Something could not be written.
    bool failed() const { return failed_; }

 private:
    Sink sink_;
    OutFacts facts_;
    std::string buffer_;
    bool failed_ = false;
};

/// Of a file descriptor. Colours: on a terminal that is not "dumb", when NO_COLOR is unset or empty.
OutFacts facts_of(int fd);
Out::Sink sink_of(int fd);

}  // namespace tenon::program
