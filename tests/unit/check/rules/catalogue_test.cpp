#include "check/rules/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

#include "check/server/probe.hpp"

namespace tenon::check {
namespace {

TEST(Catalogue, has_unique_complete_rules) {
    std::set<std::string_view> seen;
    for (const Rule& rule : catalogue()) {
        EXPECT_TRUE(seen.insert(rule.id).second) << rule.id << " is listed twice";
        EXPECT_NE(rule.id.find('.'), std::string_view::npos) << rule.id;
        for (const std::string_view text : {rule.title, rule.text, rule.source, rule.remedy, rule.right, rule.wrong})
            EXPECT_FALSE(text.empty()) << rule.id;
    }
    EXPECT_GT(seen.size(), 200U);
}

TEST(Catalogue, has_exactly_one_check_per_server_rule) {
    std::multiset<std::string_view> checked;
    for (const Check& check : all_checks()) {
        checked.insert(check.rule);
        const Rule* rule = find_rule(check.rule);
        ASSERT_TRUE(rule) << check.rule << " is checked and not in the catalogue";
        EXPECT_EQ(rule->side, Side::server) << check.rule;
    }
    for (const Rule& rule : catalogue())
        EXPECT_EQ(checked.count(rule.id), rule.side == Side::server ? 1U : 0U) << rule.id;
}

TEST(Catalogue, a_beginning_selects_rules_case_insensitively_and_never_cuts_a_number) {
    EXPECT_TRUE(is_selected("RPC-4.same-id", {}));
    EXPECT_TRUE(is_selected("RPC-4.same-id", {"rpc"}));
    EXPECT_TRUE(is_selected("RPC-4.same-id", {"HTTP", "Rpc-4.same"}));
    EXPECT_TRUE(is_selected("HTTP-10.delete", {"http-10"}));
    EXPECT_FALSE(is_selected("HTTP-10.delete", {"HTTP-1"}));
    EXPECT_FALSE(is_selected("HTTP-10.delete", {"RPC"}));
}

TEST(Catalogue, finds_rules_case_insensitively) {
    ASSERT_TRUE(find_rule("rpc-4.SAME-id"));
    EXPECT_EQ(find_rule("rpc-4.SAME-id")->id, "RPC-4.same-id");
    EXPECT_FALSE(find_rule("RPC-4"));
}

}  // namespace
}  // namespace tenon::check
