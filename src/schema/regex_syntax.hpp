// The syntax of ECMA-262 regular expressions in Unicode mode. The keyword `pattern` uses this syntax.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/error.hpp>

namespace tenon::schema {

constexpr char32_t max_code_point = 0x10FFFF;

/// A set of code points. `properties` holds Unicode properties in the syntax of RE2 ("\\p{L}"), because Tenon has no
/// Unicode tables of its own.
struct CodePoints {
    struct Range {
        char32_t first, last;
        friend bool operator==(const Range&, const Range&) = default;
    };
    std::vector<Range> ranges{};
    std::vector<std::string> properties{};
    bool negated = false;
};

/// Returns the ranges sorted and joined, or their complement when the set is negated. Only for sets without properties.
std::vector<CodePoints::Range> resolved_ranges(const CodePoints& set);

struct RegexTerm {
    enum class Kind { sequence, alternatives, one_of, repeat, start, end, word_boundary, no_word_boundary };
    Kind kind = Kind::sequence;
    std::uint32_t set = 0;                  // one_of
    std::uint32_t min = 0, max = 0;         // repeat
    std::vector<std::uint32_t> children{};  // sequence, alternatives, repeat (one)

    static constexpr std::uint32_t unbounded = UINT32_MAX;
};

struct Regex {
    std::vector<RegexTerm> terms;
    std::vector<CodePoints> sets;
    std::uint32_t root = 0;
    std::string unsupported;  // the first construct that an automaton cannot match, such as "lookahead (?="; or empty
};

/// Parses a regular expression. The error message says what is wrong and where.
Result<Regex> parse_regex(std::string_view pattern);

}  // namespace tenon::schema
