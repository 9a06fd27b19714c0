// RegexSearch: matches every regular expression, by following all states of its automaton at once. It is slower than
// a table, but it needs no more memory than the automaton, and it counts every step. So neither a hostile pattern nor a
// hostile text can make it slow.
#pragma once

#include <string_view>
#include <vector>

#include <tenon/schema.hpp>

#include "schema/budget.hpp"
#include "schema/char_set.hpp"
#include "schema/regex_automaton.hpp"

namespace tenon::schema {

/// What is left for the patterns of one schema, all together.
struct PatternBudget {
    std::size_t memory;                  // bytes; without them a pattern is refused
    std::size_t steps;                   // of compiling; without them a pattern is refused
    std::size_t table_work = 2'000'000;  // of building tables; without it patterns are matched without a table
    bool allow_runs = true;              // tests compare the ways to match
    Properties properties = {};
};

/// Says that a pattern has something that cannot be done.
Error cannot_have(std::string_view what);

/// Says that a pattern, or all patterns of a schema together, need more than a limit allows.
Error too_complex(std::string_view need, std::size_t limit, std::string_view what);

class RegexSearch {
 public:
    /// The error's message says what is wrong with the pattern, and what to do.
    static Result<RegexSearch> build(const Regex& regex, const Limits& limits, PatternBudget& budget);

    /// Whether the expression matches somewhere in the text. False, with the budget exhausted, when it takes too long.
    bool matches(std::string_view text, Budget& budget) const;

    /// Bytes of memory.
    std::size_t size() const;

 private:
    RegexSearch(Automaton automaton, std::vector<CharSet> sets);

    friend class RegexRun;

    Automaton automaton_;
    std::vector<CharSet> sets_;
    bool anchored_;  // a match can begin at the start of the text only
};

}  // namespace tenon::schema
