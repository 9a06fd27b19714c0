#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::compiled;
using testing::complaint;
using testing::parsed;

TEST(Messages, name_the_value_the_rule_and_the_found_value) {
    EXPECT_EQ(complaint(R"({"properties":{"days":{"maximum":7}}})", R"({"days":9})"),
              "`arguments.days` must be ≤ 7, got 9");
    EXPECT_EQ(complaint(R"({"required":["city"]})", "{}"), "`arguments` is missing the required property `city`");
    EXPECT_EQ(complaint(R"({"properties":{"unit":{"enum":["c","f"]}}})", R"({"unit":"k"})"),
              "`arguments.unit` must be one of \"c\", \"f\", got \"k\"");
    EXPECT_EQ(complaint(R"({"type":"object"})", "[1]"), "`arguments` must be an object, got an array of 1 element");
    EXPECT_EQ(complaint(R"({"properties":{"n":{"type":["integer","null"]}}})", R"({"n":"x"})"),
              "`arguments.n` must be an integer or null, got the string \"x\"");
    EXPECT_EQ(complaint(R"({"properties":{"a":true,"b":true},"additionalProperties":false})", R"({"c":1})"),
              "`arguments.c` is not a property that is allowed here; the allowed ones are `a`, `b`");
    EXPECT_EQ(complaint(R"({"properties":{"s":{"minLength":2}}})", R"({"s":"x"})"),
              "`arguments.s` must have at least 2 characters, got \"x\"");
    EXPECT_EQ(complaint(R"({"properties":{"s":{"maxLength":1}}})", R"({"s":"xyz"})"),
              "`arguments.s` must have at most 1 character, got 3");
    EXPECT_EQ(complaint(R"({"properties":{"s":{"pattern":"^a"}}})", R"({"s":"x"})"),
              "`arguments.s` must match the regular expression `^a`, got \"x\"");
    EXPECT_EQ(complaint(R"({"items":{"minimum":0.5}})", "[1,0]"), "`arguments[1]` must be ≥ 0.5, got 0");
    EXPECT_EQ(complaint(R"({"properties":{"a b":{"const":{"x":1}}}})", R"({"a b":2})"),
              "`arguments[\"a b\"]` must be {\"x\":1}, got 2");
    EXPECT_EQ(complaint(R"({"uniqueItems":true})", "[1,1]"), "`arguments` must not have the same element twice");
    EXPECT_EQ(complaint(R"({"minItems":2})", "[1]"), "`arguments` must have at least 2 elements, got 1");
    EXPECT_EQ(complaint(R"({"contains":{"const":1}})", "[2]"),
              "`arguments` must have at least 1 element of the kind that `contains` asks for, got 0");
    EXPECT_EQ(complaint(R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})"),
              "`arguments` has the property `a` and so must have `b`");
    EXPECT_EQ(complaint(R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})"),
              "`arguments` has a property with a name that is not allowed, `ab`: `the name` must have at most 1 "
              "character, got 2");
    EXPECT_EQ(complaint(R"({"format":"ipv4"})", "\"x\"", {.assert_formats = true, .resolver = {}, .limits = {}}),
              "`arguments` must be a valid ipv4, got \"x\"");
    EXPECT_EQ(complaint(R"({"multipleOf":0.5,"not":{"const":3}})", "3"),
              "`arguments` is a value that the schema's `not` excludes: the number 3");
    EXPECT_EQ(complaint(R"({"properties":{"a":false}})", R"({"a":1})"), "`arguments.a` is not allowed here");
    EXPECT_EQ(complaint(R"({"properties":{"a":true},"unevaluatedProperties":false})", R"({"b":1})"),
              "`arguments.b` is not allowed: no part of the schema describes it");
}

TEST(Messages, explain_why_no_alternative_matches) {
    EXPECT_EQ(complaint(R"({"anyOf":[{"type":"string"},{"minimum":5}]})", "4"),
              "`arguments` must match one of the 2 alternatives; alternative 1: `arguments` must be a string, got the "
              "number 4; alternative 2: `arguments` must be ≥ 5, got 4");
    EXPECT_EQ(complaint(R"({"oneOf":[{"multipleOf":2},{"multipleOf":3}]})", "6"),
              "`arguments` matches 2 of the alternatives, but must match exactly one");
}

TEST(Messages, name_the_value_without_a_root_name) {
    EXPECT_EQ(compiled(R"({"type":"string"})").check(json::value(1)).at(0).message,
              "the value must be a string, got the number 1");
    EXPECT_EQ(compiled(R"({"properties":{"a":{"type":"string"}}})").check(parsed(R"({"a":1})")).at(0).message,
              "`a` must be a string, got the number 1");
}

TEST(Messages, carry_both_paths_and_the_keyword) {
    const auto v = compiled(R"({"properties":{"a/b":{"items":{"$ref":"#/$defs/n"}}},"$defs":{"n":{"maximum":1}}})")
                       .check(parsed(R"({"a/b":[1,2]})"));
    ASSERT_EQ(v.size(), 1u);
    EXPECT_EQ(v[0].instance_path, "/a~1b/1");
    EXPECT_EQ(v[0].schema_path, "/$defs/n/maximum");
    EXPECT_EQ(v[0].keyword, "maximum");
}

TEST(Messages, the_number_of_violations_is_limited) {
    const Schema s = compiled(R"({"items":{"type":"string"},"minItems":30})");
    const json::value many = json::array(20, json::value(1));
    EXPECT_EQ(s.check(many, 100).size(), 21u);
    EXPECT_EQ(s.check(many, 3).size(), 3u);
    EXPECT_EQ(s.check(many).size(), 10u);
    EXPECT_EQ(s.check(many, 0).size(), 1u);
}

TEST(Messages, stay_short_for_long_values) {
    const std::string long_text(100'000, 'x');
    const json::value instance = json::object{{long_text, long_text}};
    for (const auto& v : compiled(R"({"additionalProperties":{"type":"number"}})").check(instance, 10, "arguments"))
        EXPECT_LT(v.message.size(), 400u);
    json::value schema = json::object{{"enum", json::array(30, json::value(long_text))}};
    EXPECT_LT(Schema::compile(schema).value().check(instance).at(0).message.size(), 400u);
    schema = json::object{{"const", long_text}};
    EXPECT_LT(Schema::compile(schema).value().check(instance).at(0).message.size(), 400u);
}

}  // namespace
}  // namespace tenon::schema
