#include "check/rules/catalogue.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tenon::check {
namespace {

TEST(Catalogue, has_unique_complete_rules) {
    std::set<std::string_view> seen;
    for (const Rule& rule : catalogue()) {
        EXPECT_TRUE(seen.insert(rule.id).second) << rule.id << " is listed twice";
        EXPECT_NE(rule.id.find('.'), std::string_view::npos) << rule.id;
        for (const std::string_view text : {rule.title, rule.text, rule.remedy, rule.right, rule.wrong})
            EXPECT_FALSE(text.empty()) << rule.id;
        EXPECT_NE(rule.clause().level, Level::none) << rule.id << " has no revision";
    }
    EXPECT_GT(seen.size(), 200U);
}

TEST(Catalogue, a_rule_may_bind_differently_in_each_revision) {
    const Rule* rule = find_rule("RES-9.not-found-code");
    ASSERT_TRUE(rule);
    EXPECT_EQ(rule->clause("2025-11-25").level, Level::should);
    EXPECT_EQ(rule->clause("2026-07-28").level, Level::must);
    EXPECT_EQ(rule->clause().level, Level::must) << "without a revision, the newest one counts";
    EXPECT_EQ(find_rule("HTTP-2.accepted")->clause("2024-11-05").level, Level::none);
    EXPECT_EQ(find_rule("HTTP-2.accepted")->clause().revision, "2025-11-25");
}

TEST(Catalogue, a_clause_names_its_section_in_its_revision) {
    EXPECT_EQ(find_rule("STDIO-4.exits")->clause("2025-06-18").source(),
              "https://modelcontextprotocol.io/specification/2025-06-18/basic/lifecycle#shutdown");
    EXPECT_EQ(find_rule("STDIO-4.exits")->clause().source(),
              "https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown");
    EXPECT_EQ(find_rule("RPC-7.unknown-method")->clause().source(),
              "https://www.jsonrpc.org/specification#response_object");
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
