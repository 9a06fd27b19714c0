// Asks before a tool is called.
#include "tools/tenon/permission.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "failure.hpp"

namespace tenon::program {
namespace {

class Scripted final : public Asker {
 public:
    explicit Scripted(std::deque<std::string> answers) : answers_(std::move(answers)) {}
    void say(const std::vector<Styled>& line) override {
        for (const Styled& part : line) shown += std::string(part.text.view());
        shown += "\n";
    }
    std::optional<std::string> ask(const std::vector<Styled>&) override {
        ++questions;
        if (answers_.empty()) return std::nullopt;
        std::string answer = answers_.front();
        answers_.pop_front();
        return answer;
    }
    using Asker::ask;
    using Asker::say;
    std::string shown;
    int questions = 0;

 private:
    std::deque<std::string> answers_;
};

class Memory final : public ConsentStore {
 public:
    std::optional<std::string> load(const std::string& key) override {
        const auto found = saved.find(key);
        return found == saved.end() ? std::nullopt : std::optional(found->second);
    }
    void save(const std::string& key, const std::string& decision) override { saved[key] = decision; }
    std::map<std::string, std::string> saved;
};

class PermissionTest : public testing::Test {
 protected:
    PermissionTest() {
        target.command = {"weather", "--fast"};
        tool.name = "read";
        tool.description = "Reads a file.";
        tool.annotations.readOnlyHint = true;
    }
    Permission permission(const std::vector<std::string>& options = {}) const {
        std::vector<std::string> words = {"call", "read"};
        words.insert(words.end(), options.begin(), options.end());
        return Permission(read_command_line(words), target, store);
    }
    Target target;
    Tool tool;
    std::shared_ptr<Memory> store = std::make_shared<Memory>();
};

// rules: SEC-1, TOOL-13, TOOL-15
TEST_F(PermissionTest, read_only_tools_need_consent_too) {
    EXPECT_FALSE(permission().given(tool));
    EXPECT_TRUE(permission({"--yes"}).given(tool));
    EXPECT_TRUE(permission({"--allow", "read"}).given(tool));
    EXPECT_FALSE(permission({"--allow", "write"}).given(tool));
}

// rules: SEC-1, TOOL-15
TEST_F(PermissionTest, shows_the_description_the_claim_and_the_arguments) {
    Scripted user({"y"});
    Permission asks = permission();
    asks.ask(tool, {{"path", "/etc/passwd"}}, user);
    for (const char* part : {"Reads a file.", "claims that it changes nothing", "/etc/passwd"})
        EXPECT_NE(user.shown.find(part), std::string::npos) << user.shown;
    EXPECT_FALSE(asks.given(tool)) << "yes is for one call";
}

// rules: SEC-1
TEST_F(PermissionTest, always_and_never_hold_for_this_definition) {
    Scripted user({"what?", "always"});
    permission().ask(tool, {}, user);
    EXPECT_EQ(user.questions, 2);
    EXPECT_TRUE(permission().given(tool));
    Tool changed = tool;
    changed.description = "Reads a file and sends it away.";
    EXPECT_FALSE(permission().given(changed));
    target.command = {"weather"};
    EXPECT_FALSE(permission().given(tool)) << "another server";
    Scripted refuses({"never"});
    Permission never = permission();
    EXPECT_THROW(never.ask(tool, {}, refuses), Failure);
    EXPECT_THROW(permission().given(tool), Failure);
    EXPECT_TRUE(permission({"--yes"}).given(tool));
}

// rules: SEC-1
TEST_F(PermissionTest, no_answer_is_a_refusal) {
    for (const std::deque<std::string>& answers : {std::deque<std::string>{}, {""}, {"n"}, {"no"}}) {
        Scripted user(answers);
        Permission asks = permission();
        EXPECT_THROW(asks.ask(tool, {}, user), Failure);
        EXPECT_FALSE(asks.given(tool)) << "it may be asked again";
    }
    EXPECT_TRUE(store->saved.empty());
}

}  // namespace
}  // namespace tenon::program
