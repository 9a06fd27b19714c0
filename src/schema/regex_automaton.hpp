// A regular expression as a nondeterministic automaton. Its input is bytes of UTF-8 or code points.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {

struct Automaton {
    struct State {
        enum class Kind : std::uint8_t { byte, set, split, at_start, at_end, word_boundary, no_word_boundary, match };
        Kind kind = Kind::match;
        std::uint8_t low = 0, high = 0;     // byte
        std::uint32_t next = 0, other = 0;  // other: the second branch of a split, or a set's index in Regex::sets
    };
    std::vector<State> states;
    std::uint32_t start = 0;
};

enum class Alphabet {
    bytes,        // cannot express Unicode properties and word boundaries
    code_points,  // can express everything; one state for each set of characters
};

/// Limits for building an automaton. `steps` is the number of steps that are left; several automata may share it.
struct AutomatonLimits {
    std::size_t max_states;
    std::size_t& steps;
};

/// Returns nothing when a limit is exceeded or the alphabet cannot express the regular expression.
std::optional<Automaton> make_automaton(const Regex& regex, Alphabet alphabet, AutomatonLimits limits);

}  // namespace tenon::schema
