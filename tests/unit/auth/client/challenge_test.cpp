// rules: HTTP-14
#include "auth/client/challenge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace tenon::auth::client {
namespace {

TEST(Challenge, parses_parameters) {
    const auto all = parse_challenges(R"(Bearer realm="a b", scope="x y",resource_metadata="https://h/p?q=1,2")");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_TRUE(all[0].is("bearer"));
    EXPECT_EQ(all[0].parameter("REALM"), "a b");
    EXPECT_EQ(all[0].parameter("scope"), "x y");
    EXPECT_EQ(all[0].parameter("resource_metadata"), "https://h/p?q=1,2");
    EXPECT_EQ(all[0].parameter("error"), "");
}

TEST(Challenge, parses_several_challenges_in_one_field) {
    const auto all = parse_challenges(
        R"(Negotiate, Basic realm="r", Negotiate YWJj==, DPoP algs="ES256 EdDSA" , error=use_dpop_nonce,, Bearer)");
    ASSERT_EQ(all.size(), 5u);
    EXPECT_TRUE(all[0].parameters.empty());
    EXPECT_EQ(all[1].parameter("realm"), "r");
    EXPECT_EQ(all[2].token68, "YWJj==");
    EXPECT_EQ(all[3].parameter("algs"), "ES256 EdDSA");
    EXPECT_EQ(all[3].parameter("error"), "use_dpop_nonce");
    EXPECT_TRUE(all[4].is("Bearer"));
}

TEST(Challenge, quoted_values_may_contain_commas_and_challenges) {
    const auto all = parse_challenges(R"(Bearer error_description="say \"hi\", Bearer scope=\"all\"", scope=one)");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].parameter("error_description"), R"(say "hi", Bearer scope="all")");
    EXPECT_EQ(all[0].parameter("scope"), "one");
}

TEST(Challenge, spaces_around_the_equals_sign_are_allowed) {
    const auto all = parse_challenges("Bearer scope = \"a\" ,\terror\t=\tx");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].parameter("scope"), "a");
    EXPECT_EQ(all[0].parameter("error"), "x");
}

TEST(Challenge, challenges_before_a_syntax_error_are_kept) {
    for (const char* text : {"Bearer scope=a, @", "Bearer scope=a, Basic realm=\"open", "Bearer scope=a, x y z"}) {
        const auto all = parse_challenges(text);
        ASSERT_EQ(all.size(), 1u) << text;
        EXPECT_EQ(all[0].parameter("scope"), "a");
    }
    for (const char* text : {"", ",,", "\"x\"", "=x", "Bearer scope=\"a"})
        EXPECT_TRUE(parse_challenges(text).empty()) << text;
}

TEST(Challenge, the_first_of_two_equal_parameters_is_used) {
    EXPECT_EQ(parse_challenges("Bearer scope=a, scope=b").at(0).parameter("scope"), "a");
}

TEST(Challenge, the_number_of_challenges_and_parameters_is_limited) {
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "Bearer,";
    EXPECT_EQ(parse_challenges(many).size(), max_challenges);
    std::string wide = "Bearer a=b";
    for (int i = 0; i < 1000; ++i) wide += ",a=b";
    EXPECT_TRUE(parse_challenges(wide).empty());
}

TEST(Challenge, parsing_any_bytes_is_safe) {
    rc::check([] {
        const auto text = *rc::gen::container<std::string>(rc::gen::weightedOneOf<char>(
            {{6, rc::gen::elementOf(std::string("Bearer scope=\"a,\\ b\""))}, {1, rc::gen::arbitrary<char>()}}));
        RC_ASSERT(parse_challenges(text).size() <= max_challenges);
    });
}

TEST(Challenge, quoted_values_are_unquoted_correctly) {
    rc::check([] {
        const auto value = *rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7f));
        std::string quoted;
        for (const char c : value) (c == '"' || c == '\\') ? quoted += '\\', quoted += c : quoted += c;
        const auto all = parse_challenges("Basic x=y, Bearer a=1, scope=\"" + quoted + "\", b=2");
        RC_ASSERT(all.size() == 2);
        RC_ASSERT(all[1].parameter("scope") == value);
        RC_ASSERT(all[1].parameter("b") == "2");
    });
}

}  // namespace
}  // namespace tenon::auth::client
