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
    EXPECT_EQ(find_rule("HTTP-2.response")->clause("2024-11-05").level, Level::none);
    EXPECT_EQ(find_rule("HTTP-2.response")->clause().revision, "2025-11-25");
}

// No sentence of these revisions, no schema and no RFC requires these. A server that does otherwise gets a warning.
TEST(Catalogue, a_must_needs_a_sentence_that_requires_it) {
    for (const std::string_view id :
         {"RPC-7.method-not-found", "RPC-8.survives", "LIFE-11.tools", "LIFE-11.resources", "LIFE-11.prompts",
          "LIFE-11.logging", "LIFE-14.any-time", "TOOL-5.no-name", "RES-7.unsubscribe", "RES-9.not-found",
          "PROMPT-5.unknown-prompt", "RPC-9.client-stray-response", "RPC-14.client-code", "HTTP-7.client-405",
          "INT-2.client-surrogates"}) {
        ASSERT_TRUE(find_rule(id)) << id;
        EXPECT_NE(find_rule(id)->clause("2025-11-25").level, Level::must) << id;
        EXPECT_NE(find_rule(id)->clause("2025-06-18").level, Level::must) << id;
    }
    EXPECT_EQ(find_rule("TOOL-2.output-schema")->clause("2025-06-18").level, Level::should);
    for (const std::string_view id : {"LIFE-11.tools", "LIFE-11.resources", "LIFE-11.prompts", "RES-9.not-found",
                                      "HTTP-2.accepted", "HTTP-2.no-body", "TOOL-2.output-schema"})
        EXPECT_EQ(find_rule(id)->clause("2026-07-28").level, Level::must) << id;
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
