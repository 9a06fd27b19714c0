#include "json/members.hpp"

#include <gtest/gtest.h>

namespace tenon::json {
namespace {

const object sample{{"text", "t"}, {"flag", true},          {"integer", -3},
                    {"real", 1.5}, {"list", {"a", 1, "b"}}, {"object", object{{"x", 1}}},
                    {"empty", ""}};

TEST(Members, are_read_when_they_have_the_right_type) {
    EXPECT_EQ(text_member(sample, "text"), "t");
    EXPECT_TRUE(flag_member(sample, "flag"));
    EXPECT_EQ(integer_member(sample, "integer"), -3);
    EXPECT_EQ(list_member(sample, "list"), (std::vector<std::string>{"a", "b"}));
    EXPECT_TRUE(object_member(sample, "object").contains("x"));
}

TEST(Members, of_another_type_count_as_missing) {
    for (const char* name : {"real", "nothing"}) {
        EXPECT_EQ(text_member(sample, name), "") << name;
        EXPECT_FALSE(flag_member(sample, name)) << name;
        EXPECT_EQ(integer_member(sample, name), std::nullopt) << name;
        EXPECT_EQ(list_member(sample, name), std::nullopt) << name;
        EXPECT_TRUE(object_member(sample, name).empty()) << name;
    }
}

}  // namespace
}  // namespace tenon::json
