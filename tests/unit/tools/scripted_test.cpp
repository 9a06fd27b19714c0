// Forms that --answer fills in, and the folders of --root.
#include "tools/tenon/scripted.hpp"

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include "tools/tenon/roots.hpp"
#include "tools/tenon/status.hpp"

namespace tenon::program {
namespace {

const ElicitRequest question{
    "Who?", json::parse(R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},)"
                        R"("color":{"type":"string","default":"red"}},"required":["name","age","color"]})")
                .value()
                .as_object()};

TEST(ScriptedAnswers, get_the_types_of_the_form) {
    const ElicitResult out = scripted_answer({"name=5", "age=5", "other=x"}, question);
    EXPECT_EQ(out.action, ElicitAction::accept);
    EXPECT_EQ(json::write(out.content), R"({"name":"5","age":5,"color":"red"})");
}

TEST(ScriptedAnswers, a_required_field_without_an_answer_is_named) {
    try {
        scripted_answer({"name=Ada"}, question);
        ADD_FAILURE();
    } catch (const Failure& failure) {
        EXPECT_NE(std::string(failure.what()).find("`age`"), std::string::npos) << failure.what();
    }
    EXPECT_THROW(scripted_answer({"name=Ada", "age=old"}, question), Failure);
}

TEST(Roots, are_absolute_and_encoded) {
    const test::TemporaryFolder folder;
    folder.write("a b#c/file", "x");
    const Root root = root_of((folder / "a b#c").string() + "/../a b#c");
    EXPECT_TRUE(root.uri.starts_with("file:///")) << root.uri;
    EXPECT_TRUE(root.uri.ends_with("/a%20b%23c")) << root.uri;
    EXPECT_EQ(root.name, "a b#c");
    EXPECT_THROW(root_of((folder / "a b#c/file").string()), Failure);
    EXPECT_THROW(root_of((folder / "none").string()), Failure);
}

}  // namespace
}  // namespace tenon::program
