// Invariant: the three regular expression engines (runs, table, RE2) agree on every text; compiling has an end.
// Input: a pattern, a line feed, a text.
#include "base/utf8.hpp"
#include "schema/pattern.hpp"
#include "support.hpp"

namespace tenon::fuzz {
namespace {

using schema::Pattern;
using schema::PatternBudget;

constexpr std::size_t memory = 1 << 20;

void run(std::string_view input) {
    Feed feed(input);
    const auto source = feed.until('\n'), text = feed.rest();
    if (!base::is_utf8(source) || !base::is_utf8(text)) return;
    PatternBudget any{.memory = memory}, table{.memory = memory}, only_re2{.memory = memory};
    table.allow_runs = only_re2.allow_runs = false;
    only_re2.table_work = 0;

    const auto chosen = Pattern::compile(source, {}, any);
    if (!chosen) return must(!chosen.error().message.empty(), "an error says what is wrong");
    const bool matches = chosen->matches(text);
    if (const auto by_table = Pattern::compile(source, {}, table))
        must(by_table->matches(text) == matches, "runs and table agree");
    if (const auto by_re2 = Pattern::compile(source, {}, only_re2))
        must(by_re2->matches(text) == matches, "table and RE2 agree");
    must(chosen->source() == source, "a pattern keeps its source");
}

// The steps of building a table are bounded, and high for few bytes.
const Target target{
    "regex", run, {.base_bytes = 64 << 20, .base_allocations = 400'000, .base_work = 400'000'000, .work = 200'000}};

}  // namespace
}  // namespace tenon::fuzz
