// The real program in a folder with an .mcp.json that it found without --config.
#include <gtest/gtest.h>

#include "support/child.hpp"
#include "support/folders.hpp"
#include "support/pty_child.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::test {
namespace {

const std::string program = test_folders::bin() + "/tenon";

struct TenonTrust : testing::Test {
    TenonTrust() {
        ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
        ::setenv("NO_COLOR", "1", 1);
        name_command("everything");
    }
    ~TenonTrust() override { ::unsetenv("XDG_STATE_HOME"); }

    // The server's command creates a file, so the test can see that it was started.
    void name_command(const std::string& server) const {
        folder.write("project/.mcp.json", R"({"mcpServers":{"s":{"command":"/bin/sh","args":["-c",")"
                                          "touch " +
                                              (folder / "started").string() + "; exec " + test_folders::bin() + "/" + server +
                                              R"("],"env":{"SECRET":"s3cret"}}}})");
    }
    std::vector<std::string> words(const std::string& arguments) const {
        return {"/bin/sh", "-c", "cd " + (folder / "project").string() + " && exec " + program + " " + arguments};
    }
    bool was_started() const { return std::filesystem::remove(folder / "started"); }

    TemporaryFolder folder;
};

TEST_F(TenonTrust, without_a_terminal_no_command_of_the_projects_file_is_started) {
    Child child(words("list s tools"));
    EXPECT_EQ(child.finish().value_or(-1000), 2);
    EXPECT_NE(child.errors().find("--trust"), std::string::npos) << child.errors();
    EXPECT_FALSE(was_started());
}

TEST_F(TenonTrust, the_trust_or_config_option_allows_the_command) {
    for (const char* arguments : {"list s tools --trust", "list s tools --config .mcp.json"}) {
        Child child(words(arguments));
        EXPECT_EQ(child.finish().value_or(-1000), 0) << child.errors();
        EXPECT_TRUE(was_started()) << arguments;
    }
}

TEST_F(TenonTrust, a_fleet_starts_nothing_that_was_not_allowed) {
    Child refused(words("check --fleet .mcp.json --only RPC-1"));
    EXPECT_EQ(refused.finish().value_or(-1000), 2);
    EXPECT_NE(refused.errors().find("never allowed here"), std::string::npos) << refused.errors();
    EXPECT_FALSE(was_started());
    {
        PtyChild declined(words("check --fleet .mcp.json --only RPC-1"), 200);
        ASSERT_TRUE(declined.shows("[y/N] ")) << declined.output();
        declined.type("n\n");
        EXPECT_EQ(declined.finish(), 3) << declined.output();
        EXPECT_NE(declined.output().find("not allowed"), std::string::npos) << declined.output();
        EXPECT_FALSE(was_started());
    }
    Child allowed(words("check --fleet .mcp.json --trust --only RPC-1"));
    EXPECT_EQ(allowed.finish().value_or(-1000), 0) << allowed.errors();
    EXPECT_TRUE(was_started());
}

TEST_F(TenonTrust, asks_for_trust_once_and_again_after_the_entry_changed) {
    {
        PtyChild child(words("list s tools"), 200);
        ASSERT_TRUE(child.shows("wants to start a command")) << child.output();
        ASSERT_TRUE(child.shows("touch"));
        ASSERT_TRUE(child.shows("[y/N] "));
        child.type("n\n");
        EXPECT_EQ(child.finish(), 130) << child.output();
        EXPECT_EQ(child.output().find("s3cret"), std::string::npos);
        EXPECT_FALSE(was_started());
    }
    {
        PtyChild child(words("list s tools"), 200);
        ASSERT_TRUE(child.shows("[y/N] "));
        child.type("y\n");
        EXPECT_EQ(child.finish(), 0) << child.output();
        EXPECT_TRUE(was_started());
    }
    Child again(words("list s tools"));
    EXPECT_EQ(again.finish().value_or(-1000), 0) << again.errors();
    EXPECT_TRUE(was_started());
    name_command("program_child");
    Child changed(words("list s tools"));
    EXPECT_EQ(changed.finish().value_or(-1000), 2);
    EXPECT_FALSE(was_started());
}

}  // namespace
}  // namespace tenon::test
