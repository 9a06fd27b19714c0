#include "schema/pattern.hpp"

#include <algorithm>

#include "schema/regex_syntax.hpp"

namespace tenon::schema {

Result<Pattern> Pattern::compile(std::string_view ecma, const Limits& limits, PatternBudget& budget) {
    constexpr std::size_t steps_per_byte = 20;  // for parsing, and for trying RegexRuns and RegexTable
    if (ecma.size() > limits.max_pattern_bytes)
        return cannot_have("a pattern longer than " + std::to_string(limits.max_pattern_bytes) + " bytes");
    budget.steps -= std::min(budget.steps, ecma.size() * steps_per_byte);
    if (budget.steps == 0)
        return too_complex("the patterns of the schema take", limits.max_pattern_work,
                           "steps to compile (max_pattern_work)");
    const auto regex = parse_regex(ecma);
    if (!regex) return cannot_have(regex.error().message);
    if (!regex->unsupported.empty())
        return cannot_have(regex->unsupported + ", which cannot be matched in linear time");

    Pattern p;
    p.source_ = ecma;
    if (budget.allow_runs) p.runs_ = RegexRuns::build(*regex);
    p.setup_steps_ += p.runs_.count() / 8;
    if (!p.runs_.empty()) return p;
    p.table_ = RegexTable::build(*regex, budget.table_work);
    if (!p.table_.empty()) return p;
    auto search = RegexSearch::build(*regex, limits, budget);
    if (!search) return search.error();
    p.search_ = *std::move(search);
    return p;
}

}  // namespace tenon::schema
