// The program against servers that ask, that start tasks, and whose lists or output are faulty.
#include <gtest/gtest.h>

#include "integration/program_run.hpp"

namespace tenon::test {
namespace {

using namespace program_run;

TEST(TenonCall, forms_can_be_answered_on_the_command_line) {
    const Ran ran =
        with_everything({"call", "--yes", "ask_user", "--answer", "name=Ada", "--answer", "age=36", "--answer", "x=y"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(ran.out, "Ada is 36\n");
    EXPECT_EQ(with_everything({"call", "--yes", "ask_user", "--answer", "nonsense"}).status, 2);
}

TEST(TenonCall, a_form_that_cannot_be_filled_in_is_reported_once) {
    for (const char* era : {"legacy", "modern"}) {
        const Ran missing = with_everything({"call", "--yes", "ask_user", "--answer", "age=36", "--era", era});
        EXPECT_EQ(missing.status, 2) << era;
        EXPECT_EQ(missing.out, "") << era;
        EXPECT_EQ(missing.err,
                  "tenon: the server's form is not filled in: the argument `name` (string) is missing: Your name\n"
                  "  --answer KEY=VALUE answers a field\n")
            << era;
        const Ran wrong = with_everything({"call", "--yes", "ask_user", "--answer", "age=old", "--era", era});
        EXPECT_EQ(wrong.status, 2) << era;
        EXPECT_EQ(wrong.err.find("tenon: "), wrong.err.rfind("tenon: ")) << wrong.err;
    }
}

TEST(TenonCall, a_missing_capability_names_the_option_that_gives_it) {
    const auto hint = [](const char* tool) { return with_everything({"call", "--yes", tool, "--era", "modern"}).err; };
    EXPECT_TRUE(has(hint("ask_user"), "--answer KEY=VALUE")) << hint("ask_user");
    EXPECT_TRUE(has(hint("ask_page"), "call it on a terminal")) << hint("ask_page");
    EXPECT_TRUE(has(hint("ask_roots"), "--root DIR")) << hint("ask_roots");
    const Ran model = with_everything({"call", "--yes", "ask_model", "prompt=hi", "--era", "modern"});
    EXPECT_TRUE(has(model.err, "--sample-command COMMAND")) << model.err;
}

TEST(TenonCall, roots_are_told_to_the_server) {
    const Folder folder;
    EXPECT_TRUE(has(with_everything({"call", "--yes", "ask_roots", "--root", folder.path.string()}).out,
                    "file://" + folder.path.string()));
    EXPECT_EQ(with_everything({"call", "--yes", "ask_roots", "--root", folder / "none"}).status, 2);
}

TEST(TenonCall, a_task_is_followed_or_started) {
    if (!std::filesystem::exists(tasks)) GTEST_SKIP() << "the examples are not built";
    for (const char* era : {"legacy", "modern"}) {
        const Ran ran = with(tasks, {"call", "--yes", "compute", "seconds=0", "--era", era});
        EXPECT_EQ(ran.out, "computed for 0 s\n") << ran.err;
        const Ran started = with(tasks, {"call", "--yes", "--detach", "compute", "seconds=0", "--era", era});
        EXPECT_EQ(started.status, 0) << started.err;
        EXPECT_GT(started.out.size(), 20u) << started.out;
    }
    EXPECT_EQ(with(tasks, {"tasks", "--era", "legacy"}).status, 0);
    const Ran modern = with(tasks, {"tasks", "--era", "modern"});
    EXPECT_EQ(modern.status, 4);
    EXPECT_TRUE(has(modern.err, "has no tasks/list")) << modern.err;
    EXPECT_EQ(with(tasks, {"tasks", "cancel", "unknown"}).status, 4);
    EXPECT_EQ(with(tasks, {"tasks", "cancel"}).status, 2);
    EXPECT_EQ(with(tasks, {"tasks", "destroy"}).status, 2);
}

TEST(TenonList, shows_the_lists_that_work_and_names_those_that_fail) {
    const Ran ran = with_odd("broken-lists", {"list"});
    EXPECT_EQ(ran.status, 4);
    EXPECT_TRUE(has(ran.out, "does it")) << ran.out;
    EXPECT_TRUE(has(ran.err, "cannot list resources: no resources today; cannot list prompts: no prompts today"))
        << ran.err;
    const Ran as_json = with_odd("broken-lists", {"list", "-j"});
    EXPECT_EQ(as_json.document().at("tools").as_array().size(), 1u);
    EXPECT_EQ(as_json.document().at("failed").at("prompts").as_string(), "no prompts today");
    EXPECT_EQ(as_json.error().at("kind").as_string(), "protocol");
}

TEST(TenonList, quotes_text_on_standard_output_that_is_not_a_message) {
    const Ran ran = with_odd("noise", {"list"});
    EXPECT_EQ(ran.status, 0);
    EXPECT_TRUE(has(ran.err, "warning: ")) << ran.err;
    EXPECT_TRUE(has(ran.err, "Server started on port")) << ran.err;
    EXPECT_FALSE(has_escapes(ran.err));
    EXPECT_EQ(with_odd("noise", {"list", "--quiet"}).err, "");
}

}  // namespace
}  // namespace tenon::test
