// Reads just enough of a response to know its request and whether it is correct. Pure.
//
// A load generator that parsed every response would be slower than the servers it measures. So this reads only the
// envelope: the top-level members, from the front and, if the id comes after the result, from the end.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tenon::load {

struct Envelope {
    enum class Kind {
        result,
        error,
        other,    ///< a notification or a request
        garbage,  ///< not a message
    };
    Kind kind = Kind::garbage;
    std::uint64_t id = 0;  ///< 0: missing, or not an id that this program uses

    friend bool operator==(const Envelope&, const Envelope&) = default;
};

/// Reads the envelope of one JSON message.
Envelope read_envelope(std::string_view message);

/// Returns whether a tool result has isError.
bool says_is_error(std::string_view message);

/// Same as std::string_view::find(), but at memory speed for all lengths.
std::size_t position_of(std::string_view part, std::string_view text);

}  // namespace tenon::load
