#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::expect;

Options draft(Dialect d) { return {.default_dialect = d, .resolver = {}, .limits = {}}; }
const Options draft7 = draft(Dialect::draft7);
const Options draft2019 = draft(Dialect::draft2019_09);

TEST(Keywords, boolean_schemas_accept_or_refuse_everything) {
    expect("true", {"1", "{}", "null"}, {});
    expect("false", {}, {"1", "{}", "null"});
    expect("{}", {"1", "[]"}, {});
}

TEST(Keywords, type_checks_the_json_type) {
    expect(R"({"type":"null"})", {"null"}, {"0", "false", "\"\""});
    expect(R"({"type":"boolean"})", {"true", "false"}, {"0", "null"});
    expect(R"({"type":"integer"})", {"1", "1.0", "-3", "18446744073709551615", "1e300"}, {"1.5", "\"1\""});
    expect(R"({"type":"number"})", {"1", "1.5"}, {"\"1\"", "null"});
    expect(R"({"type":"string"})", {"\"\""}, {"1"});
    expect(R"({"type":"array"})", {"[]"}, {"{}"});
    expect(R"({"type":"object"})", {"{}"}, {"[]"});
    expect(R"({"type":["string","null"]})", {"\"a\"", "null"}, {"1"});
}

TEST(Keywords, const_and_enum_compare_by_value) {
    expect(R"({"const":1})", {"1", "1.0"}, {"true", "\"1\"", "2"});
    expect(R"({"const":{"a":[1,{"b":2}],"c":null}})", {R"({"c":null,"a":[1.0,{"b":2}]})"},
           {R"({"a":[1,{"b":2}]})", R"({"a":[1,{"b":3}],"c":null})"});
    expect(R"({"enum":["a",1,null,[1],false]})", {"\"a\"", "1.0", "null", "[1]", "false"},
           {"\"b\"", "0", "[2]", "true", "{}"});
    expect(R"({"const":9007199254740993})", {"9007199254740993"}, {"9007199254740992", "9007199254740992.0"});
}

TEST(Keywords, bounds_are_exact) {
    expect(R"({"minimum":1.5})", {"1.5", "2", "\"x\""}, {"1", "1.4"});
    expect(R"({"maximum":9007199254740993})", {"9007199254740993", "9007199254740992.0"},
           {"9007199254740994", "1e300"});
    expect(R"({"exclusiveMinimum":-1})", {"-0.5", "0"}, {"-1", "-1.0"});
    expect(R"({"exclusiveMaximum":18446744073709551615})", {"18446744073709551614", "-1"},
           {"18446744073709551615", "1e20"});
    expect(R"({"minimum":-9223372036854775808})", {"-9223372036854775808"}, {"-1e19"});
}

TEST(Keywords, multiple_of_is_decimal) {
    expect(R"({"multipleOf":0.01})", {"0.07", "19.99", "1e10", "0", "-4.35"}, {"0.075"});
    expect(R"({"multipleOf":3})", {"9", "9.0", "-3", "18446744073709551615"}, {"10", "0.5"});
    expect(R"({"multipleOf":1e-8})", {"12391239123", "1e308"}, {"1e-9"});
    expect(R"({"multipleOf":0.5})", {"1e308", "2.5"}, {"0.25"});
    expect(R"({"multipleOf":1e300})", {"0", "1e300", "3e301"}, {"1", "1e299"});
}

TEST(Keywords, lengths_count_code_points) {
    expect(R"({"minLength":2,"maxLength":3})", {"\"ab\"", "\"äöü\"", "\"\\ud83d\\ude00\\ud83d\\ude00\"", "7"},
           {"\"a\"", "\"abcd\"", "\"ä\""});
}

TEST(Keywords, pattern_matches_anywhere_unless_anchored) {
    expect(R"({"pattern":"b+"})", {"\"abc\"", "1"}, {"\"ac\""});
    expect(R"({"pattern":"^a$"})", {"\"a\""}, {"\"a\\n\"", "\"ba\""});
}

TEST(Keywords, items_and_prefix_items) {
    expect(R"({"items":{"type":"integer"}})", {"[]", "[1,2]", "{}"}, {"[1,\"a\"]"});
    expect(R"({"prefixItems":[{"type":"string"},true],"items":false})", {"[]", "[\"a\"]", "[\"a\",1]"},
           {"[1]", "[\"a\",1,2]"});
    for (const auto& old : {draft7, draft2019}) {
        expect(R"({"items":[{"type":"string"}],"additionalItems":{"type":"null"}})", {"[\"a\",null]"},
               {"[\"a\",1]", "[1]"}, old);
        expect(R"({"items":{"type":"string"},"additionalItems":false})", {"[\"a\",\"b\"]"}, {"[1]"}, old);
        expect(R"({"prefixItems":[false]})", {"[1]"}, {}, old);
    }
}

TEST(Keywords, contains_counts_matching_items) {
    expect(R"({"contains":{"const":1}})", {"[0,1]", "{}"}, {"[]", "[0]"});
    expect(R"({"contains":{"const":1},"minContains":2,"maxContains":3})", {"[1,1]", "[1,0,1,1]"}, {"[1]", "[1,1,1,1]"});
    expect(R"({"contains":{"const":1},"minContains":0})", {"[]", "[0]"}, {});
    expect(R"({"contains":{"const":1},"minContains":2})", {"[1]"}, {"[]"}, draft7);
    expect(R"({"minContains":2})", {"[]"}, {});
}

TEST(Keywords, array_sizes_and_unique_items) {
    expect(R"({"minItems":1,"maxItems":2})", {"[1]", "[1,2]", "\"\""}, {"[]", "[1,2,3]"});
    expect(R"({"uniqueItems":true})", {"[1,2,\"1\",true,null,[1],{\"a\":1}]", "[]"},
           {"[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2.0,\"a\":1}]", "[0,-0.0]", "[[1],[1]]"});
    expect(R"({"uniqueItems":false})", {"[1,1]"}, {});
}

TEST(Keywords, unique_items_of_long_arrays) {
    const Schema s = testing::compiled(R"({"uniqueItems":true})");
    for (const std::size_t size : {9u, 100u, 5000u}) {
        json::array a;
        for (std::size_t i = 0; i < size; ++i) a.push_back(json::value(i));
        EXPECT_TRUE(s.accepts(a));
        a[size / 2] = static_cast<double>(size - 1);
        EXPECT_FALSE(s.accepts(a));
    }
}

TEST(Keywords, properties_names_and_counts_are_checked) {
    expect(R"({"properties":{"a":{"type":"string"},"b":false}})", {"{}", R"({"a":"x","c":1})", "[]"},
           {R"({"a":1})", R"({"b":1})"});
    expect(R"({"patternProperties":{"^x":{"type":"integer"},"y$":{"minimum":2}}})",
           {R"({"x":1,"z":"a"})", R"({"xy":2})"}, {R"({"x":"a"})", R"({"xy":1})"});
    expect(R"({"properties":{"a":true},"patternProperties":{"^b":true},"additionalProperties":{"type":"null"}})",
           {R"({"a":1,"b1":2,"c":null})"}, {R"({"c":1})"});
    expect(R"({"propertyNames":{"pattern":"^[a-z]+$"}})", {R"({"abc":1})", "{}"}, {R"({"A":1})", R"({"":1})"});
    const std::string long_name = "{\"" + std::string(301, 'a') + "\":1}";
    expect(R"({"propertyNames":{"maxLength":300}})", {}, {long_name});
    expect(R"({"required":["a","b"]})", {R"({"a":1,"b":2})", "[]"}, {"{}", R"({"a":1})"});
    expect(R"({"minProperties":1,"maxProperties":2})", {R"({"a":1})"}, {"{}", R"({"a":1,"b":2,"c":3})"});
}

TEST(Keywords, many_properties_with_similar_names) {
    json::object properties;
    for (int i = 0; i < 500; ++i)
        properties["prefix_" + std::to_string(i) + "_long_common_suffix"] = json::object{{"const", i}};
    const auto s = Schema::compile(json::object{{"properties", properties}, {"additionalProperties", false}}).value();
    for (int i = 0; i < 500; ++i) {
        const std::string name = "prefix_" + std::to_string(i) + "_long_common_suffix";
        EXPECT_TRUE(s.accepts(json::object{{name, i}}));
        EXPECT_FALSE(s.accepts(json::object{{name, i + 1}}));
    }
    EXPECT_FALSE(s.accepts(json::object{{"prefix_500_long_common_suffix", 1}}));
}

TEST(Keywords, dependent_required_and_dependent_schemas) {
    expect(R"({"dependentRequired":{"a":["b","c"]}})", {"{}", R"({"b":1})", R"({"a":1,"b":1,"c":1})"},
           {R"({"a":1,"b":1})"});
    expect(R"({"dependentSchemas":{"a":{"required":["b"]},"c":false}})", {"{}", R"({"a":1,"b":1})"},
           {R"({"a":1})", R"({"c":1})"});
    expect(R"({"dependencies":{"a":["b"],"c":{"minProperties":2}}})", {R"({"a":1,"b":1})"},
           {R"({"a":1})", R"({"c":1})"}, draft7);
    expect(R"({"dependentRequired":{"a":["b"]}})", {R"({"a":1})"}, {}, draft7);
}

TEST(Keywords, all_of_any_of_one_of_not_and_if) {
    expect(R"({"allOf":[{"minimum":1},{"maximum":3}]})", {"2"}, {"0", "4"});
    expect(R"({"anyOf":[{"type":"string"},{"minimum":5}]})", {"\"a\"", "5"}, {"4"});
    expect(R"({"oneOf":[{"multipleOf":2},{"multipleOf":3}]})", {"2", "3"}, {"1", "6"});
    expect(R"({"not":{"type":"string"}})", {"1"}, {"\"a\""});
    expect(R"({"not":{"not":{"type":"string"}}})", {"\"a\""}, {"1"});
    expect(R"({"if":{"minimum":10},"then":{"multipleOf":10},"else":{"maximum":5}})", {"20", "5"}, {"15", "7"});
    expect(R"({"then":false,"else":false})", {"1"}, {});
}

TEST(Keywords, unevaluated_properties) {
    expect(R"({"properties":{"a":true},"unevaluatedProperties":false})", {R"({"a":1})"}, {R"({"b":1})"});
    expect(
        R"({"allOf":[{"properties":{"a":true}}],"anyOf":[{"properties":{"b":{"const":1}}},{"patternProperties":{"^c":true}}],"unevaluatedProperties":false})",
        {R"({"a":1,"b":1,"c":1})", R"({"a":1,"c1":3})"}, {R"({"d":1})", R"({"b":2,"a":1})"});
    expect(
        R"({"if":{"required":["a"],"properties":{"a":true}},"else":{"properties":{"b":true}},"unevaluatedProperties":{"type":"null"}})",
        {R"({"a":1,"x":null})", R"({"b":1})"}, {R"({"a":1,"b":1})"});
    expect(R"({"$ref":"#/$defs/d","$defs":{"d":{"properties":{"a":true}}},"unevaluatedProperties":false})",
           {R"({"a":1})"}, {R"({"b":1})"});
    expect(
        R"({"dependentSchemas":{"a":{"properties":{"b":true}}},"properties":{"a":true},"unevaluatedProperties":false})",
        {R"({"a":1,"b":1})"}, {R"({"b":1})"});
    expect(R"({"not":{"not":{"properties":{"a":true}}},"unevaluatedProperties":false})", {"{}"}, {R"({"a":1})"});
    expect(R"({"allOf":[{"unevaluatedProperties":true}],"unevaluatedProperties":false})", {R"({"a":1})"}, {});
    expect(R"({"additionalProperties":true,"unevaluatedProperties":false})", {R"({"a":1})"}, {});
    expect(
        R"({"oneOf":[{"properties":{"a":{"const":1}},"required":["a"]},{"properties":{"b":true},"required":["b"]}],"unevaluatedProperties":false})",
        {R"({"a":1})", R"({"b":1})"}, {R"({"a":2,"b":1})"});
}

TEST(Keywords, unevaluated_items) {
    expect(R"({"prefixItems":[true],"unevaluatedItems":false})", {"[1]", "[]"}, {"[1,2]"});
    expect(R"({"contains":{"const":1},"unevaluatedItems":{"type":"string"}})", {"[1,\"a\"]"}, {"[1,2]"});
    expect(R"({"contains":{"const":1},"unevaluatedItems":{"type":"string"}})", {}, {"[\"a\"]", "[1,\"a\"]"}, draft2019);
    expect(R"({"anyOf":[{"prefixItems":[true,{"const":2}]},{"prefixItems":[{"const":1}]}],"unevaluatedItems":false})",
           {"[1,2]", "[1]"}, {"[1,3]", "[1,2,3]"});
    expect(R"({"items":[true],"unevaluatedItems":false})", {"[1]"}, {"[1,2]"}, draft2019);
    expect(R"({"items":true,"unevaluatedItems":false})", {"[1,2,3]"}, {});
}

TEST(Keywords, unevaluated_properties_of_a_large_object) {
    const Schema s = testing::compiled(
        R"({"anyOf":[{"patternProperties":{"^a":true}},{"required":["zz"]}],"unevaluatedProperties":false})");
    json::object o;
    for (int i = 0; i < 10'000; ++i) o["a" + std::to_string(i)] = i;
    EXPECT_TRUE(s.accepts(o));
    o["b"] = 1;
    EXPECT_FALSE(s.accepts(o));
}

TEST(Keywords, annotations_assert_nothing) {
    expect(
        R"({"title":"t","description":"d","default":1,"examples":[1],"deprecated":true,"readOnly":true,"writeOnly":false,"$comment":"c",
              "contentEncoding":"base64","contentMediaType":"application/json","contentSchema":{"type":"object"},"format":"email","x-mine":{"type":"string"}})",
        {"1", "\"x\""}, {});
}

}  // namespace
}  // namespace tenon::schema
