// Decisions: they hold for one definition of a tool, are listed, and can be taken back.
// rules: TOOL-15, SEC-1, SEC-2
#include "inspect/permissions.hpp"

#include <gtest/gtest.h>

#include <map>

#include "inspect/consent_desk.hpp"

namespace tenon::inspect {
namespace {

class Memory final : public ConsentStore {
 public:
    std::optional<std::string> load(const std::string& key) override {
        const auto found = saved.find(key);
        return found == saved.end() ? std::nullopt : std::optional(found->second);
    }
    void save(const std::string& key, const std::string& decision) override { saved[key] = decision; }
    std::map<std::string, std::string> saved;
};

Subject tool(const std::string& description) {
    Tool definition;
    definition.name = "rm";
    definition.description = description;
    return {Subject::Kind::tool, "server", definition};
}

TEST(Permissions, a_decision_holds_for_one_definition) {
    Permissions permissions(nullptr);
    permissions.remember(tool("removes"), ConsentDecision::session, 1);
    EXPECT_EQ(permissions.known(tool("removes")), ConsentDecision::session);
    EXPECT_EQ(permissions.known(tool("removes all")), std::nullopt);
    EXPECT_TRUE(permissions.changed(tool("removes all")));
    EXPECT_FALSE(permissions.changed(tool("removes")));
}

TEST(Permissions, a_resource_with_the_name_of_a_tool_needs_its_own_decision) {
    Permissions permissions(nullptr);
    permissions.remember(plain_subject(Subject::Kind::resource, "server", "x"), ConsentDecision::always, 1);
    for (const auto kind : {Subject::Kind::tool, Subject::Kind::sampling, Subject::Kind::root, Subject::Kind::app}) {
        EXPECT_EQ(permissions.known(plain_subject(kind, "server", "x")), std::nullopt) << to_string(kind);
    }
    EXPECT_EQ(permissions.known(plain_subject(Subject::Kind::resource, "other", "x")), std::nullopt);
}

TEST(Permissions, decisions_about_tools_are_those_of_the_command_line) {
    const auto store = std::make_shared<Memory>();
    Consent other({.store = store});
    other.remember("server", tool("removes").definition, ConsentDecision::never);
    EXPECT_EQ(Permissions(store).known(tool("removes")), ConsentDecision::never);
}

TEST(Permissions, a_decision_of_an_earlier_run_is_listed_when_its_tool_is_seen) {
    const auto store = std::make_shared<Memory>();
    Permissions(store).remember(tool("removes"), ConsentDecision::always, 5);
    Permissions permissions(store);
    EXPECT_TRUE(permissions.list().empty());
    EXPECT_EQ(permissions.known_and_listed(tool("reads")), std::nullopt);
    EXPECT_TRUE(permissions.list().empty()) << "only what was decided";
    for (int i = 0; i < 2; ++i) EXPECT_EQ(permissions.known_and_listed(tool("removes")), ConsentDecision::always);
    const json::array list = permissions.list();
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].at("at"), json::value(0.0)) << "the time is not known";
    EXPECT_EQ(list[0].at("uses"), json::value(0));
    EXPECT_TRUE(permissions.changed(tool("removes all")));
    EXPECT_TRUE(permissions.revoke(std::string(list[0].at("decision_id").as_string())));
    EXPECT_EQ(Permissions(store).known(tool("removes")), std::nullopt);
}

TEST(Permissions, decisions_are_listed_and_can_be_taken_back) {
    const auto store = std::make_shared<Memory>();
    Permissions permissions(store);
    permissions.remember(tool("removes"), ConsentDecision::always, 5);
    permissions.use(tool("removes"), 6);
    const json::array list = permissions.list();
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list[0].at("subject"), json::value("rm"));
    EXPECT_EQ(list[0].at("decision"), json::value("always"));
    EXPECT_EQ(list[0].at("uses"), json::value(1));
    EXPECT_TRUE(permissions.revoke(std::string(list[0].at("decision_id").as_string())));
    EXPECT_EQ(permissions.known(tool("removes")), std::nullopt);
    EXPECT_EQ(Permissions(store).known(tool("removes")), std::nullopt) << "also in the store";
    EXPECT_TRUE(permissions.list().empty());
    EXPECT_FALSE(permissions.revoke("1"));
}

TEST(Permissions, a_decision_for_once_is_not_remembered) {
    Permissions permissions(nullptr);
    permissions.remember(tool("removes"), ConsentDecision::once, 1);
    permissions.remember(tool("removes"), ConsentDecision::refuse, 1);
    EXPECT_EQ(permissions.known(tool("removes")), std::nullopt);
    EXPECT_TRUE(permissions.list().empty());
}

// ---- asking on the page

class DeskTest : public testing::Test {
 protected:
    std::string ask(const std::string& description = "removes") {
        ConsentDesk::Request request;
        request.subject = tool(description);
        return desk_.ask(std::move(request), [this](bool allowed) { answers_.push_back(allowed); });
    }
    Permissions permissions_{nullptr};
    Recorder recorder_{[] {}};
    ConsentDesk desk_{permissions_, recorder_};
    std::vector<bool> answers_;
};

TEST_F(DeskTest, nothing_happens_before_the_decision) {
    const std::string id = ask();
    EXPECT_FALSE(id.empty());
    EXPECT_TRUE(answers_.empty());
    EXPECT_EQ(desk_.open().size(), 1u);
    EXPECT_TRUE(desk_.decide(id, ConsentDecision::once).found);
    EXPECT_EQ(answers_, std::vector{true});
    EXPECT_FALSE(desk_.decide(id, ConsentDecision::once).found) << "a decision is used once";
    EXPECT_FALSE(ask().empty()) << "once is not twice";
}

TEST_F(DeskTest, a_refusal_holds_for_this_call_and_never_for_all) {
    desk_.decide(ask(), ConsentDecision::refuse);
    desk_.decide(ask(), ConsentDecision::never);
    EXPECT_EQ(ask(), "");
    EXPECT_EQ(answers_, (std::vector{false, false, false}));
}

TEST_F(DeskTest, a_changed_definition_asks_again) {
    desk_.decide(ask(), ConsentDecision::session);
    EXPECT_EQ(ask(), "");
    EXPECT_FALSE(ask("removes everything").empty());
    EXPECT_EQ(desk_.open().front().at("changed"), json::value(true));
    EXPECT_EQ(answers_, (std::vector{true, true}));
}

TEST_F(DeskTest, too_many_open_requests_are_refused) {
    for (int i = 0; i < 64; ++i) ask(std::to_string(i));
    EXPECT_EQ(ask("one more"), "");
    EXPECT_EQ(answers_, std::vector{false});
    desk_.drop_all();
    EXPECT_EQ(answers_.size(), 65u);
    EXPECT_TRUE(desk_.open().empty());
}

}  // namespace
}  // namespace tenon::inspect
