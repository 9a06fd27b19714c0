#include "check/server/arguments.hpp"

#include <gtest/gtest.h>

namespace tenon::check {
namespace {

json::object tool(std::string_view input_schema) {
    return {{"name", "t"}, {"inputSchema", json::parse(input_schema).value()}};
}

std::string valid(std::string_view schema) {
    const auto arguments = valid_arguments(tool(schema));
    return arguments ? json::write(*arguments) : "none";
}

TEST(Arguments, are_the_simplest_valid_ones) {
    EXPECT_EQ(valid(R"({"type":"object"})"), "{}");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"type":"string"}}})"), "{}");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"]})"), R"({"a":"text"})");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"type":"string","minLength":6}},"required":["a"]})"),
              R"({"a":"textxx"})");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"type":"integer","minimum":5}},"required":["a"]})"),
              R"({"a":5})");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"type":"integer","maximum":-3}},"required":["a"]})"),
              R"({"a":-3})");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"enum":["x","y"]}},"required":["a"]})"), R"({"a":"x"})");
    EXPECT_EQ(
        valid(
            R"({"type":"object","properties":{"a":{"type":"array","minItems":2,"items":{"type":"boolean"}}},"required":["a"]})"),
        R"({"a":[false,false]})");
}

TEST(Arguments, are_missing_when_they_cannot_be_guessed) {
    EXPECT_EQ(
        valid(R"({"type":"object","properties":{"a":{"type":"string","pattern":"^[0-9]{9}$"}},"required":["a"]})"),
        "none");
    EXPECT_EQ(valid(R"({"type":"object","properties":{"a":{"type":"nonsense"}},"required":["a"]})"), "none");
    EXPECT_FALSE(valid_arguments(json::object{{"name", "t"}}));
}

TEST(Arguments, can_have_one_member_missing_or_of_the_wrong_type) {
    const json::object echo = tool(R"({"type":"object","properties":{"m":{"type":"string"}},"required":["m"]})");
    std::string which;
    EXPECT_EQ(json::write(*arguments_with_one_missing(echo, which)), "{}");
    EXPECT_EQ(which, "m");
    EXPECT_EQ(json::write(*arguments_of_wrong_type(echo, which)), R"({"m":{"tenon":"check"}})");
    const json::object anything = tool(R"({"type":"object"})");
    EXPECT_FALSE(arguments_with_one_missing(anything, which));
    EXPECT_FALSE(arguments_of_wrong_type(anything, which));
}

}  // namespace
}  // namespace tenon::check
