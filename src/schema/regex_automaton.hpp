// A regular expression as a nondeterministic automaton over the bytes of UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {

struct Automaton {
    struct State {
        enum class Kind : std::uint8_t { byte, split, at_start, at_end, match };
        Kind kind = Kind::match;
        std::uint8_t low = 0, high = 0;     // byte
        std::uint32_t next = 0, other = 0;  // other: split
    };
    std::vector<State> states;
    std::uint32_t start = 0;
};

/// Nothing when it would have more states than this, or when the expression asks for what bytes do not tell:
/// a Unicode property or a word boundary.
std::optional<Automaton> make_automaton(const Regex& regex, std::size_t max_states);

}  // namespace tenon::schema
