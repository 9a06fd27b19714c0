// Pattern: a compiled regular expression. The work of compiling and of matching is counted for every pattern and text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/schema.hpp>

#include "schema/budget.hpp"
#include "schema/regex_runs.hpp"
#include "schema/regex_search.hpp"
#include "schema/regex_table.hpp"

namespace tenon::schema {

class Pattern {
 public:
    /// Compiles a regular expression of ECMA-262. The error message says what is wrong with it and what to do.
    static Result<Pattern> compile(std::string_view ecma, const Limits& limits, PatternBudget& budget);

    /// Returns whether the pattern matches anywhere in the text. Returns false and exhausts the budget when matching
    /// takes too long.
    bool matches(std::string_view text, Budget& budget) const {
        if (search_) return search_->matches(text, budget);
        if (!budget.spend(setup_steps_ + text.size() / 16)) return false;
        return table_.empty() ? runs_.matches(text) : table_.matches(text);
    }

    const std::string& source() const { return source_; }

 private:
    Pattern() = default;

    std::size_t setup_steps_ = 1;
    RegexRuns runs_;                     // the simplest patterns
    RegexTable table_;                   // small patterns
    std::optional<RegexSearch> search_;  // all others
    std::string source_;
};

}  // namespace tenon::schema
