// Pages of the list methods.
// rules: TOOL-4
#include <gtest/gtest.h>

#include "core/server/lists.hpp"

namespace tenon::core {
namespace {

class ListsTest : public testing::Test {
 protected:
    void SetUp() override {
        settings_.limits.page_size = 2;
        for (const char* name : {"a", "b", "c", "d", "e"})
            ASSERT_TRUE(registry_.add(ToolEntry{.definition = {name, "A tool"}, .handler = {}}));
    }

    /// Returns the names of one page. Sets cursor_ to its `nextCursor`.
    std::string page(const MayUse& may_use = {}) {
        Call list = call();
        list.access.scopes = may_use;
        const auto outcome = Lists(settings_).tools(list, *registry_.snapshot());
        if (!outcome) return outcome.error().message;
        const json::object result = json::parse(outcome->result.json).value().as_object();
        const json::value* next = result.if_contains("nextCursor");
        cursor_ = next ? std::string(next->as_string()) : "";
        std::string names;
        for (const json::value& tool : result.at("tools").as_array()) names += tool.at("name").as_string();
        return names;
    }
    Call call() const {
        static const auto peer =
            std::make_shared<const Peer>(Peer{protocol::Rules(protocol::legacy_revisions().front())});
        json::object params;
        if (!cursor_.empty()) params["cursor"] = cursor_;
        return {jsonrpc::Id(std::int64_t{1}), peer, nullptr, std::move(params)};
    }

    Settings settings_;
    Registry registry_;
    std::string cursor_;
};

TEST_F(ListsTest, pages_follow_the_order_of_registration) {
    EXPECT_EQ(page(), "ab");
    EXPECT_EQ(page(), "cd");
    EXPECT_EQ(page(), "e");
    EXPECT_EQ(cursor_, "");
}

TEST_F(ListsTest, entries_that_the_caller_may_not_use_do_not_count_for_the_page_size) {
    const MayUse may_use = [](const Use& use) { return use.key != "b" && use.key != "e"; };
    EXPECT_EQ(page(may_use), "ac");
    EXPECT_EQ(page(may_use), "d");
    EXPECT_EQ(cursor_, "");
}

TEST_F(ListsTest, a_cursor_stays_valid_when_its_entry_is_removed) {
    EXPECT_EQ(page(), "ab");
    ASSERT_TRUE(registry_.remove_tool("b"));
    EXPECT_EQ(page(), "cd");
}

TEST_F(ListsTest, a_cursor_of_another_list_is_refused) {
    EXPECT_EQ(page(), "ab");
    const auto outcome = Lists(settings_).prompts(call(), *registry_.snapshot());
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, code::invalid_params);
    cursor_ = "made up";
    EXPECT_NE(page().find("`params.cursor` must be"), std::string::npos);
}

}  // namespace
}  // namespace tenon::core
