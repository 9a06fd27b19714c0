// Pattern: a compiled `pattern`. Its time is linear in the text, whatever the pattern.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tenon/error.hpp>
#include <tenon/schema.hpp>

#include "schema/regex_runs.hpp"
#include "schema/regex_table.hpp"

namespace re2 {
class RE2;
}

namespace tenon::schema {

/// What is left for the patterns of one schema, all together.
struct PatternBudget {
    std::size_t memory;                   // of RE2 programs, in bytes
    std::size_t table_work = 10'000'000;  // steps of building tables; without it RE2 does the work
    bool allow_runs = true;               // tests compare the ways to match
};

class Pattern {
 public:
    /// The error's message says what the pattern does that cannot be done: "lookahead (?=".
    static Result<Pattern> compile(std::string_view ecma, const Limits& limits, PatternBudget& budget);

    Pattern(Pattern&&) noexcept;
    Pattern& operator=(Pattern&&) noexcept;
    ~Pattern();

    /// Whether it matches somewhere in the text.
    bool matches(std::string_view text) const {
        if (!runs_.empty()) return runs_.matches(text);
        return table_.empty() ? search(text) : table_.matches(text);
    }

    /// Units of work to match a text of this size.
    std::size_t cost(std::size_t text_size) const { return 1 + text_size / 16 * weight_; }

    const std::string& source() const { return source_; }

 private:
    Pattern();
    bool search(std::string_view text) const;

    std::size_t weight_ = 1;
    RegexRuns runs_;                 // the simplest patterns
    RegexTable table_;               // small patterns: no allocation, no lock
    std::unique_ptr<re2::RE2> re2_;  // all others
    std::string source_;
};

}  // namespace tenon::schema
