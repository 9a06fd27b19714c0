// The cost of hostile patterns and texts, in counted steps.
#include "schema/pattern.hpp"
#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

std::string times(std::string_view piece, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += piece;
    return out;
}

std::vector<std::string> hostile_patterns() {
    return {"(){1000000}",
            "((){1000000}){10000}",
            "((){1000}){1000}",
            "(){0,1000000}",
            "(()*){1000000}",
            "(|){1000000}",
            "(|(){9}){1000000}",
            "(" + times("()", 2000) + "a){1000}",
            "(" + times("()", 2000) + "){1000000}",
            "(a{0,1000}){0,1000}",
            "(?:(?:x{99}){99}){99}",
            "((?:\\b)x?){1000}",
            times("(", 90) + "a" + times("){9}", 90),
            times("(", 90) + times("|){9}", 90),
            times("(|", 90) + times("){0,9}", 90),
            times("\\p{L}", 800),
            times("[^\\p{L}\\p{N}]", 300),
            "[" + times("\\p{L}", 800) + "]{1000}",
            "\\p{L}{1000000}",
            times("\\p{Script=Greek}", 250),
            "^(" + times("a|", 2000) + "b)*$",
            "[" + times("a-z", 1300) + "]{600}",
            "(a|b)*a(a|b){14}",
            "^" + times("a{0}", 1000),
            "((a?){30}){30}b",
            "(.*a){200}b"};
}

// Returns the steps of compiling, whether the pattern is accepted or refused.
std::size_t compile_steps(const std::string& source) {
    constexpr std::size_t plenty = std::size_t{1} << 40;
    PatternBudget budget{.memory = 1 << 22, .steps = plenty};
    const auto pattern = Pattern::compile(source, {}, budget);
    if (!pattern) {
        const std::string& why = pattern.error().message;
        EXPECT_TRUE(why.find("too complex") != why.npos || why.find("a repetition above") != why.npos) << why;
    }
    return plenty - budget.steps;
}

TEST(PatternCost, the_cost_of_compiling_is_limited_by_length_and_states) {
    for (const std::string& source : hostile_patterns())
        EXPECT_LE(compile_steps(source), 100'000 + 1000 * source.size()) << source.substr(0, 60);
}

TEST(PatternCost, compiling_creates_at_most_the_allowed_states) {
    for (const std::string& source : hostile_patterns()) {
        const auto regex = parse_regex(source);
        ASSERT_TRUE(regex);
        std::size_t steps = 1'000'000;
        const auto automaton = make_automaton(*regex, Alphabet::code_points, {500, steps});
        if (automaton) {
            EXPECT_LE(automaton->states.size(), 500u) << source.substr(0, 60);
        }
    }
}

TEST(PatternCost, repetitions_of_the_empty_text_create_no_states) {
    for (const char* source : {"(){1000000}", "((){1000000}){10000}", "(){0,1000000}", "(|){1000000}", "(a{0}){99}"}) {
        std::size_t steps = 100;
        const auto automaton = make_automaton(parse_regex(source).value(), Alphabet::code_points, {500, steps});
        ASSERT_TRUE(automaton) << source;
        EXPECT_EQ(automaton->states.size(), 1u) << source;
    }
}

TEST(PatternCost, matching_is_linear_in_the_text) {
    for (const std::string& source : hostile_patterns()) {
        PatternBudget budget{.memory = 1 << 22, .steps = 1 << 22};
        const auto pattern = Pattern::compile(source, {}, budget);
        if (!pattern) continue;
        for (const char* piece : {"a", "x", "é", "ab", "b "}) {
            constexpr std::size_t plenty = std::size_t{1} << 40;
            const std::string text = times(piece, 2000);
            Budget steps(plenty);
            pattern->matches(text, steps);
            const std::size_t states = 10'000, properties = 3;
            const std::size_t spent = plenty - steps.left();
            EXPECT_LE(spent, (text.size() + 1) * (states + 20 * properties)) << source.substr(0, 60);
        }
    }
}

TEST(PatternCost, matching_stops_when_the_budget_is_spent) {
    PatternBudget patterns{.memory = 1 << 22, .steps = 1 << 22};
    const auto pattern = Pattern::compile("((a?){30}){30}b", {}, patterns).value();
    Budget budget(1000);
    EXPECT_FALSE(pattern.matches(std::string(1'000'000, 'a'), budget));
    EXPECT_TRUE(budget.spent());
}

TEST(PatternCost, a_pattern_with_too_many_states_is_refused_with_the_limit) {
    EXPECT_EQ(testing::refusal(R"j({"pattern":"(a{0,1000}){0,1000}"})j"),
              "Invalid schema at /pattern: the pattern is too complex: it needs more than 10000 states "
              "(max_pattern_states); simplify it");
    Options options;
    options.limits.max_pattern_states = 30;
    const std::string small = R"({"pattern":"^\\p{L}{40}$"})";
    EXPECT_NE(testing::refusal(small, options).find("more than 30 states"), std::string::npos);
    EXPECT_EQ(testing::refusal(small), "");
}

TEST(PatternCost, all_patterns_of_a_schema_share_one_budget_of_steps) {
    json::object patterns;
    for (int i = 0; i < 1000; ++i) patterns["^" + std::to_string(i) + std::string(1000, 'x')] = true;
    const auto schema = Schema::compile(json::object{{"patternProperties", patterns}});
    ASSERT_FALSE(schema);
    EXPECT_NE(schema.error().message.find("take more than 4000000 steps to compile (max_pattern_work)"),
              std::string::npos)
        << schema.error().message;
}

TEST(PatternCost, a_repetition_over_the_limit_is_refused) {
    EXPECT_NE(testing::refusal(R"({"pattern":"^a{1000001}$"})").find("a repetition above 1000000"), std::string::npos);
}

}  // namespace
}  // namespace tenon::schema
