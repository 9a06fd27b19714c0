// Tests of the client checker: for each mutant it must report the broken rule, and no other.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include <tenon/check.hpp>

#include "check/client/needed_scenes.hpp"
#include "client_mutants.hpp"
#include "support/folders.hpp"

namespace tenon::check {
namespace {

using mutant::Mutation;
using On = Mutation::On;

const std::string program = test_folders::bin() + "/client_mutant";

Report check_mutant(std::string_view rule, bool http, Options options = {}) {
    options.target.command = {program, std::string(rule), http ? "{url}" : "{server}"};
    options.relay = {program, "--relay"};
    options.answer_time = std::chrono::seconds(20);
    return check_client(options);
}

std::vector<std::string> wrong_in(const Report& report) {
    std::vector<std::string> out;
    for (const Finding& finding : report.findings)
        if (finding.outcome == Outcome::fail || finding.outcome == Outcome::warning) {
            std::string text(finding.rule->id);
            out.push_back(text);
        }
    return out;
}

std::string account_of(const Report& report) {
    std::string out = report.incomplete;
    for (const Finding& finding : report.findings) {
        if (finding.outcome != Outcome::fail && finding.outcome != Outcome::warning) continue;
        out += std::string(finding.rule->id) + ": " + finding.detail + "\n";
        for (const Evidence& piece : finding.evidence) out += "    " + piece.bytes + "\n";
    }
    return out;
}

struct Case {
    std::string_view rule;
    bool http;
};

#ifdef FEW_MUTANTS
constexpr std::size_t every = 10;
#else
constexpr std::size_t every = 1;
#endif

std::vector<Case> cases() {
    std::vector<Case> out;
    std::size_t number = 0;
    for (const Mutation& mutation : mutant::mutations()) {
        const bool is_chosen = number++ % every == 0;
        if (is_chosen && mutation.on != On::http) out.push_back({mutation.rule, false});
        if (is_chosen && mutation.on != On::stdio) out.push_back({mutation.rule, true});
    }
    return out;
}

class ClientMutant : public testing::TestWithParam<Case> {};

// Returns the failures that do not show a message in each direction, and do not say why.
std::vector<std::string> without_evidence(const Report& report) {
    using Direction = Evidence::Direction;
    std::vector<std::string> out;
    for (const Finding& finding : report.findings) {
        if (finding.outcome != Outcome::fail && finding.outcome != Outcome::warning) continue;
        const auto has = [&](Direction direction) {
            return std::ranges::find(finding.evidence, direction, &Evidence::direction) != finding.evidence.end();
        };
        if (!(has(Direction::sent) && has(Direction::received)) && !has(Direction::note))
            out.emplace_back(finding.rule->id);
    }
    return out;
}

TEST_P(ClientMutant, only_the_broken_rule_is_reported) {
    const Report report = check_mutant(GetParam().rule, GetParam().http);
    EXPECT_EQ(wrong_in(report), std::vector<std::string>{std::string(GetParam().rule)}) << account_of(report);
    EXPECT_EQ(report.incomplete, "");
    EXPECT_EQ(without_evidence(report), std::vector<std::string>()) << account_of(report);
}

INSTANTIATE_TEST_SUITE_P(All, ClientMutant, testing::ValuesIn(cases()), [](const auto& mutant) {
    std::string name(mutant.param.rule);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name + (mutant.param.http ? "_http" : "_stdio");
});

// The scenes of a rule are enough to find its mutant.
TEST_P(ClientMutant, a_rule_that_is_checked_alone_is_found_with_fewer_scenes) {
    const std::string rule(GetParam().rule);
    if (client::needs_all_scenes(rule)) GTEST_SKIP() << "every scene can show this";
    std::size_t scenes = 0;
    Options options{.only = {rule}};
    options.progress = [&](std::string_view, std::size_t, std::size_t) { ++scenes; };
    const Report report = check_mutant(rule, GetParam().http, std::move(options));
    EXPECT_EQ(wrong_in(report), std::vector<std::string>{rule}) << account_of(report);
    EXPECT_LE(scenes, 5u);
}

TEST(ClientScenes, only_the_plain_scene_is_played_for_a_rule_about_the_end) {
    std::vector<std::string> scenes;
    Options options{.only = {"STDIO-3.client-closes"}};
    options.progress = [&](std::string_view what, std::size_t, std::size_t) { scenes.emplace_back(what); };
    EXPECT_EQ(check_mutant("none", false, std::move(options)).count(Outcome::pass), 1u);
    EXPECT_EQ(scenes, std::vector<std::string>{"plain"});
}

TEST(ClientControl, a_correct_client_breaks_no_rule) {
    for (const bool http : {false, true}) {
        const Report report = check_mutant("none", http);
        EXPECT_EQ(wrong_in(report), std::vector<std::string>()) << account_of(report);
        EXPECT_EQ(report.incomplete, "");
        EXPECT_EQ(report.name, "mutant");
        EXPECT_EQ(report.revisions, (std::vector<std::string>{"2026-07-28", "2025-11-25"}));
        EXPECT_GT(report.count(Outcome::pass), 40u);
    }
}

TEST(ClientRules, every_client_rule_has_a_mutant) {
    std::size_t rules = 0;
    for (const Rule& rule : catalogue()) {
        if (rule.side != Side::client) continue;
        ++rules;
        EXPECT_TRUE(std::ranges::any_of(mutant::mutations(), [&](const Mutation& m) { return m.rule == rule.id; }))
            << rule.id;
    }
    EXPECT_EQ(rules, mutant::mutations().size());
    std::cout << "rules of clients: " << rules << ", with a mutant: " << mutant::mutations().size() << "\n";
}

}  // namespace
}  // namespace tenon::check
