#include <rapidcheck.h>

#include "schema/pattern.hpp"
#include "unit/schema/re2_oracle.hpp"
#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::re2_matches;

PatternBudget plenty() { return {.memory = 1 << 22, .steps = 1 << 22}; }

Result<Pattern> with_runs(std::string_view source) {
    PatternBudget budget = plenty();
    return Pattern::compile(source, {}, budget);
}
Result<Pattern> with_table(std::string_view source) {
    PatternBudget budget = plenty();
    budget.allow_runs = false;
    return Pattern::compile(source, {}, budget);
}
Result<Pattern> with_search(std::string_view source) {
    PatternBudget budget = plenty();
    budget.allow_runs = false;
    budget.table_work = 0;
    return Pattern::compile(source, {}, budget);
}

bool matches(const Pattern& pattern, std::string_view text) {
    Budget budget(100'000'000);
    const bool verdict = pattern.matches(text, budget);
    EXPECT_FALSE(budget.spent()) << pattern.source();
    return verdict;
}

void expect_matches(std::string_view source, std::vector<std::string_view> yes, std::vector<std::string_view> no) {
    for (const auto& compile : {with_runs, with_table, with_search}) {
        const auto p = compile(source);
        ASSERT_TRUE(p) << source << ": " << p.error().message;
        for (const auto s : yes) EXPECT_TRUE(matches(*p, s)) << source << " should match " << s;
        for (const auto s : no) EXPECT_FALSE(matches(*p, s)) << source << " should not match " << s;
    }
}

TEST(Regex, matches_as_ecma_262_specifies) {
    expect_matches("^\\d+$", {"0", "42"}, {"", "4x", "\u09ea", "1\n"});
    expect_matches("^\\w$", {"a", "_", "9"}, {"é", "-"});
    expect_matches("^\\W$", {"é", "-"}, {"a"});
    expect_matches("^\\s\\S$", {" a", "\ufeffx", "\u2003y"}, {"ab", "  "});
    expect_matches("^.$", {"a", "é", "😀"}, {"\n", "\r", "\u2028", ""});
    expect_matches("^\\cA\\x41\\u0042\\u{1F600}\\ud83d\\ude00\\0$",
                   {std::string_view("\x01"
                                     "AB😀😀\0",
                                     12)},
                   {"AB"});
    expect_matches("^[^a-c\\d]$", {"d", "é"}, {"a", "5", ""});
    expect_matches("^[\\s\\S]$", {"a", "\n", "😀"}, {"", "ab"});
    expect_matches("^[]$|^[^]$", {"x", "\n"}, {"", "xy"});
    expect_matches("^(?:ab|c)*?d$", {"d", "abcd"}, {"abc", "ad"});
    expect_matches("^a{2,3}b{2}c{1,}$", {"aabbc", "aaabbcc"}, {"abbc", "aabc", "aabb"});
    expect_matches("^(?<year>\\d{4})-\\d\\d$", {"2024-01"}, {"24-01"});
    expect_matches("a|", {"", "b"}, {});
    expect_matches("^{a}\\/\\-]$", {"{a}/-]"}, {"a"});
    expect_matches("^\\p{Lu}\\p{Letter}+\\P{L}$", {"Abc1", "Éa-"}, {"abc1"});
    expect_matches("^\\p{Script=Greek}$", {"α"}, {"a"});
    expect_matches("\\bfoo\\b", {"a foo b"}, {"foobar"});
    expect_matches("$^", {""}, {"a"});
    expect_matches("^[\\u{80}-\\u{10FFFF}]+$", {"é", "€", "😀"}, {"a", ""});
    expect_matches("^[ߐ-ࠐ-]$", {"ߐ", "ࠀ", "ࠐ", "-"}, {"a", "€"});
}

TEST(Regex, refuses_syntax_that_is_not_ecma_262) {
    for (const char* source :
         {"(",    ")",         "[",     "a**",        "a{2}{3}", "{2}a", "a|{0,1}", "({2})",  "a*{2}", "*",
          "+a",   "(?P<n>a)",  "(?i)a", "(?#c)",      "\\a",     "\\",   "[b-a]",   "a{3,2}", "^*",    "\\u{110000}",
          "\\x4", "\\p{Nope}", "\\p",   "[\\d-z]x\\", "(?<1>a)", "\\k",  "\\c1",    "\\01"})
        EXPECT_FALSE(parse_regex(source)) << source;
    EXPECT_FALSE(parse_regex(std::string(1000, '(') + std::string(1000, ')')));
}

TEST(Regex, runs_table_and_search_agree_with_re2) {
    const std::vector<std::string> pieces{"a",
                                          "b",
                                          ".",
                                          "[ab]",
                                          "[^a]",
                                          "\\d",
                                          "\\W",
                                          "^",
                                          "$",
                                          "é",
                                          "[à-ü]",
                                          "(?:a|b)",
                                          "(ab)?",
                                          "a*",
                                          "b+",
                                          "(?:a|é){1,2}",
                                          "|",
                                          "\\s",
                                          "\\b",
                                          "\\B",
                                          "\\p{L}",
                                          "[\\P{L}a]",
                                          "(?:a|b?){0,3}",
                                          "()*",
                                          "(|a){2}"};
    EXPECT_TRUE(rc::check("all ways to match agree", [&] {
        std::string source, text;
        for (const auto i :
             *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, pieces.size())))
            source += pieces[i];
        const std::vector<std::string> letters{"a", "b", "é", "1", "\n", " ", "😀", "ÿ"};
        for (const auto i :
             *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, letters.size())))
            text += letters[i];
        if (!parse_regex(source)) return;
        const bool expected = re2_matches(source, text);
        RC_ASSERT(matches(with_runs(source).value(), text) == expected);
        RC_ASSERT(matches(with_table(source).value(), text) == expected);
        RC_ASSERT(matches(with_search(source).value(), text) == expected);
    }));
}

TEST(Regex, anchored_runs_agree_with_re2) {
    const std::vector<std::string> pieces{"a",          "[ab]", "[^a]*",  "[^b]+", "b?",
                                          "[a-c]{1,2}", "a{2}", "(?:c)+", "[^c]",  "\\d*"};
    EXPECT_TRUE(rc::check("runs and RE2 agree", [&] {
        std::string source = "^", text;
        for (const auto i :
             *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, pieces.size())))
            source += pieces[i];
        if (*rc::gen::arbitrary<bool>()) source += "$";
        const std::vector<std::string> letters{"a", "b", "c", "é", "1"};
        for (const auto i :
             *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, letters.size())))
            text += letters[i];
        RC_ASSERT(matches(with_runs(source).value(), text) == re2_matches(source, text));
    }));
}

TEST(Regex, catastrophic_patterns_take_linear_time) {
    const std::string text = std::string(100'000, 'a') + "!";
    for (const char* source : {"^(a+)+$", "^(a|a)*$", "(a*)*b", "^(a|aa)+$", "(.*a){20}b"}) {
        const auto p = with_table(source);
        ASSERT_TRUE(p) << source;
        EXPECT_FALSE(matches(*p, text)) << source;
    }
}

}  // namespace
}  // namespace tenon::schema
