// Answers, looked at no closer than needed to know whose they are and whether they are right. Pure.
//
// A load generator that parsed every answer would be slower than the servers it measures. What is read here is the
// envelope: the members of the message itself, from its front and, where the id is behind the result, from its end.
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
        garbage,  ///< no message at all
    };
    Kind kind = Kind::garbage;
    std::uint64_t id = 0;  ///< 0: none, or none of ours

    friend bool operator==(const Envelope&, const Envelope&) = default;
};

/// Of one JSON message.
Envelope read_envelope(std::string_view message);

/// A tool that failed says so inside its result.
bool says_is_error(std::string_view message);

/// As std::string_view::find(), but at the speed of memory whatever the lengths.
std::size_t position_of(std::string_view part, std::string_view text);

}  // namespace tenon::load
