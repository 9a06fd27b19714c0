// Tests of the server checker: for a server that breaks one rule it must report that rule, and no other.
// rules: AUDIT-1
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include <tenon/check.hpp>

#include "check/mutant.hpp"
#include "check/mutant_run.hpp"

namespace tenon::check::mutant {
namespace {

using namespace std::chrono_literals;

class MutantTest : public testing::TestWithParam<Mutant> {};

TEST_P(MutantTest, only_the_broken_rule_is_reported) {
    const Mutant& mutant = GetParam();
    const Running server({std::string(mutant.rule)}, mutant.over_http());
    Options options{.target = server.target(),
                    .security = mutant.security(),
                    .allow_writes = true,
                    .cases = 20,
                    .seed = 1,
                    .answer_time = mutant.silent ? 2s : 10s};
    if (mutant.rule.starts_with("PROP")) options.cases = 600;  // they fail only in rare cases
    const Report report = check_server(options);
    EXPECT_EQ(broken(report), std::set<std::string>{std::string(mutant.rule)}) << details(report);
    EXPECT_EQ(report.incomplete, "");
    EXPECT_EQ(without_evidence(report), "") << "a failure must show its trigger and the response";
}

// The audit has the counts, the first offending message, and what to do.
TEST(Mutants, a_report_contains_an_audit) {
    const Running server({"RPC-1.version"}, false);
    const Report report = check_server({.target = server.target(), .cases = 20, .seed = 1});
    ASSERT_TRUE(report.audit);
    EXPECT_FALSE(report.audit->passed());
    EXPECT_GT(report.audit->messages, report.audit->deviations);
    EXPECT_GT(report.audit->handlers, 0U);
    EXPECT_NE(report.audit->first_offence.find("\"id\""), std::string::npos) << report.audit->first_offence;
    EXPECT_FALSE(report.audit->remedy.empty());
    for (const Finding& finding : report.findings) {
        if (finding.outcome != Outcome::fail) continue;
        ASSERT_EQ(finding.evidence.size(), 2U);
        EXPECT_EQ(finding.evidence[0].bytes.front(), '{') << "the first evidence must be the sent message";
    }
}

std::string name_of(const testing::TestParamInfo<Mutant>& info) {
    std::string out(info.param.rule);
    for (char& c : out)
        if (c == '.' || c == '-') c = '_';
    return out;
}

// A sanitizer makes every check slow, and all mutants run the same code, so only some are run.
std::vector<Mutant> mutants_to_run() {
    std::vector<Mutant> out = all_mutants();
#ifdef __SANITIZE_ADDRESS__
    std::vector<Mutant> few;
    for (std::size_t i = 0; i < out.size(); i += 30) few.push_back(out[i]);
    return few;
#else
    return out;
#endif
}

INSTANTIATE_TEST_SUITE_P(Rules, MutantTest, testing::ValuesIn(mutants_to_run()), name_of);

class ControlTest : public testing::TestWithParam<std::tuple<const char*, bool>> {};

TEST_P(ControlTest, a_correct_server_breaks_no_rule) {
    const auto& [revision, http] = GetParam();
    const Running server(
        http ? std::vector<std::string>{"none", revision, "--http"} : std::vector<std::string>{"none", revision}, http);
    const Report report =
        check_server({.target = server.target(), .security = true, .allow_writes = true, .cases = 20, .seed = 1});
    EXPECT_EQ(broken(report), std::set<std::string>{}) << details(report);
    EXPECT_EQ(report.revisions, std::vector<std::string>{revision});
    EXPECT_EQ(report.incomplete, "");
    ASSERT_TRUE(report.audit);
    EXPECT_TRUE(report.audit->passed());
    EXPECT_GT(report.audit->handlers, 5U);
}

INSTANTIATE_TEST_SUITE_P(All, ControlTest,
                         testing::Combine(testing::Values("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25",
                                                          "2026-07-28"),
                                          testing::Bool()),
                         [](const auto& control) {
                             std::string name = std::get<0>(control.param);
                             std::ranges::replace(name, '-', '_');
                             return name + (std::get<1>(control.param) ? "_http" : "_stdio");
                         });

TEST(Mutants, every_server_rule_has_a_mutant_or_a_reason) {
    std::set<std::string_view> with;
    for (const Mutant& mutant : all_mutants()) {
        EXPECT_TRUE(find_rule(mutant.rule)) << mutant.rule;
        with.insert(mutant.rule);
    }
    std::size_t rules = 0, mutated = 0;
    for (const Rule& rule : catalogue()) {
        if (rule.side != Side::server) continue;
        ++rules;
        mutated += with.contains(rule.id) ? 1U : 0U;
        EXPECT_NE(with.contains(rule.id), without_mutant().contains(rule.id))
            << rule.id << " must have either a mutant or a reason";
    }
    std::printf("%zu rules of servers: %zu with a mutant, %zu without\n", rules, mutated, rules - mutated);
    RecordProperty("with", static_cast<int>(mutated));
}

}  // namespace
}  // namespace tenon::check::mutant
