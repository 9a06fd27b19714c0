// The extensions after the size of a chunk (RFC 9112, section 7.1.1).
#pragma once

#include <cstdint>

namespace tenon::framing {

/// Checks the extensions of one chunk, one character at a time. Stores no text: a recipient ignores extensions that it
/// does not know, and this one knows none. Malformed extensions are refused, because other readers may see the end of
/// the line at another place.
class ChunkExtension {
 public:
    /// Takes the next character after the size. Returns false when the extension is malformed.
    bool take(char c);
    /// Returns whether the line may end here.
    bool may_end() const;

 private:
    enum class State : std::uint8_t {
        space,        // before ';'
        name_start,   // after ';'
        name,         //
        name_end,     // in the space after a name
        value_start,  // after '='
        token,        // a value without quotes
        quoted,       // a value in quotes
        escaped,      // after a backslash in quotes
        value_end,    // after the closing quote
    };
    bool go(State next);
    bool go_to_next(char c);
    bool take_name(char c);
    bool take_value_start(char c);
    bool take_quoted(char c);

    State state_ = State::space;
};

}  // namespace tenon::framing
