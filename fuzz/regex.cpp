// Invariant: the three ways to match a regular expression (runs, table, search) agree, and their work is bounded.
// Input: a pattern, a line feed, a text.
#include "base/utf8.hpp"
#include "schema/pattern.hpp"
#include "support.hpp"

namespace tenon::fuzz::regex_target {
namespace {

using schema::Pattern;
using schema::PatternBudget;

// Smaller than the defaults: the same code runs, and an input takes less time.
constexpr std::size_t memory = 1 << 18, steps = 20'000, table_work = 3'000, match_steps = 50'000;

PatternBudget budget(bool allow_runs, std::size_t work) {
    return {.memory = memory, .steps = steps, .table_work = work, .allow_runs = allow_runs};
}

/// Returns nullopt when the pattern or the text is too expensive for one of the budgets.
std::optional<bool> matches(std::string_view source, std::string_view text, PatternBudget compiling) {
    const auto pattern = Pattern::compile(source, {}, compiling);
    if (!pattern) {
        must(!pattern.error().message.empty(), "an error says what is wrong");
        return std::nullopt;
    }
    must(pattern->source() == source, "a pattern keeps its source");
    schema::Budget matching(match_steps);
    const bool found = pattern->matches(text, matching);
    must(!matching.spent() || !found, "a match within the budget only");
    return matching.spent() ? std::nullopt : std::optional(found);
}

void run(std::string_view input) {
    Feed feed(input);
    const auto source = feed.until('\n'), text = feed.rest();
    if (!base::is_utf8(source) || !base::is_utf8(text)) return;
    const auto chosen = matches(source, text, budget(true, table_work));
    const auto by_table = matches(source, text, budget(false, table_work));
    const auto by_search = matches(source, text, budget(false, 0));
    if (chosen && by_table) must(*chosen == *by_table, "runs and table agree");
    if (by_table && by_search) must(*by_table == *by_search, "table and search agree");
}

// A pattern may use memory and steps up to the limits, whatever its length.
const Target target{
    "regex", run, {.base_bytes = 16 << 20, .base_allocations = 100'000, .base_work = 40'000'000, .work = 200'000}};

}  // namespace
}  // namespace tenon::fuzz::regex_target
