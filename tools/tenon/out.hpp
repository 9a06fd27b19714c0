// Out: the program's output. It accepts only SafeText and literals, so no other text reaches the terminal.
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

/// The properties of the terminal or file.
struct OutFacts {
    bool terminal = false;
    bool colours = false;
    std::size_t width = 80, height = 24;
};

/// Buffers output until flush(). Not thread-safe; Console is.
class Out {
 public:
    /// Writes bytes. Returns false on failure.
    using Sink = std::function<bool(std::string_view)>;
    Out(Sink sink, OutFacts facts) : sink_(std::move(sink)), facts_(facts) {}
    ~Out() { flush(); }
    Out(const Out&) = delete;
    Out& operator=(const Out&) = delete;

    Out& operator<<(const SafeText& text);
    Out& operator<<(Literal text);
    Out& operator<<(const Styled& text);
    /// Erases everything and begins at the top, on terminals only.
    void clear_screen();
    /// Erases the current line, on terminals only.
    void erase_line();
    void flush();

    const OutFacts& facts() const { return facts_; }
    /// Replaces the properties: a terminal may have got another size.
    void set_facts(const OutFacts& facts) { facts_ = facts; }
    /// Returns whether a write failed.
    bool failed() const { return failed_; }

 private:
    Sink sink_;
    OutFacts facts_;
    std::string buffer_;
    bool failed_ = false;
};

/// Returns the properties of a file descriptor. Colours are on for a terminal that is not "dumb", unless NO_COLOR is
/// set.
OutFacts facts_of(int fd);
Out::Sink sink_of(int fd);

}  // namespace tenon::program
