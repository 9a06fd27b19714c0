// RegexSearch: matches any regular expression. It follows all states of the automaton at the same time. This is slower
// than a table, but it needs no more memory than the automaton, and every step is counted. So neither a hostile
// pattern nor a hostile text can make it slow.
#pragma once

#include <string_view>
#include <vector>

#include <tenon/schema.hpp>

#include "schema/budget.hpp"
#include "schema/char_set.hpp"
#include "schema/regex_automaton.hpp"

namespace tenon::schema {

/// The remaining budget for all patterns of one schema.
struct PatternBudget {
    std::size_t memory;                  // bytes; a pattern that needs more is refused
    std::size_t steps;                   // steps of compiling; a pattern that needs more is refused
    std::size_t table_work = 2'000'000;  // steps of building tables; after them patterns are matched without a table
    bool allow_runs = true;              // tests set it to false to compare the ways to match
    Properties properties = {};
};

/// Returns the error for a pattern that contains something unsupported.
Error cannot_have(std::string_view what);

/// Returns the error for patterns that need more than a limit allows: one pattern, or all patterns of a schema.
Error too_complex(std::string_view need, std::size_t limit, std::string_view what);

class RegexSearch {
 public:
    /// The error message says what is wrong with the pattern and what to do.
    static Result<RegexSearch> build(const Regex& regex, const Limits& limits, PatternBudget& budget);

    /// Returns whether the expression matches anywhere in the text. Returns false and exhausts the budget when matching
    /// takes too long.
    bool matches(std::string_view text, Budget& budget) const;

    /// Returns the memory used, in bytes.
    std::size_t size() const;

 private:
    RegexSearch(Automaton automaton, std::vector<CharSet> sets);

    friend class RegexRun;

    Automaton automaton_;
    std::vector<CharSet> sets_;
    bool anchored_;  // a match can only begin at the start of the text
};

}  // namespace tenon::schema
