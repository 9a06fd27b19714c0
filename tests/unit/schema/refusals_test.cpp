#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::refusal;

TEST(Refusals, errors_name_the_place_in_the_schema) {
    EXPECT_EQ(refusal(R"({"properties":{"query":"string"}})"),
              "Invalid schema at /properties/query: a schema must be an object or a boolean, got a string; did you "
              "mean {\"type\": \"string\"}?");
    EXPECT_EQ(refusal("1"), "Invalid schema at its root: a schema must be an object or a boolean, got a number");
    EXPECT_EQ(refusal(R"({"minLength":-1})"), "Invalid schema at /minLength: must be an integer of at least 0, got -1");
    EXPECT_EQ(refusal(R"({"type":"strin"})"),
              "Invalid schema at /type: \"strin\" is not a type; use null, boolean, integer, number, string, array or "
              "object");
    EXPECT_EQ(refusal(R"({"properties":[]})"),
              "Invalid schema at /properties: must be an object whose values are schemas, got an array");
}

TEST(Refusals, a_repeated_type_is_named) {
    EXPECT_EQ(refusal(R"({"type":["string","string"]})"),
              "Invalid schema at /type: must not name the same type twice, got \"string\" again");
    EXPECT_EQ(refusal(R"({"type":["number","integer"]})"), "");
    EXPECT_EQ(refusal(R"({"type":["integer","number","null","string","boolean","array","object"]})"), "");
}

TEST(Refusals, invalid_keyword_values_are_refused) {
    for (const char* schema : {
             R"({"type":[]})",
             R"({"type":1})",
             R"({"type":["string",1]})",
             R"({"type":["string","string"]})",
             R"({"type":["null","string","object","null"]})",
             R"({"enum":1})",
             R"({"minimum":"1"})",
             R"({"maximum":null})",
             R"({"exclusiveMinimum":true})",
             R"({"exclusiveMaximum":true})",
             R"({"multipleOf":0})",
             R"({"multipleOf":-1})",
             R"({"multipleOf":"1"})",
             R"({"maxLength":1.5})",
             R"({"minItems":"1"})",
             R"({"maxItems":-1})",
             R"({"uniqueItems":1})",
             R"({"minContains":-1})",
             R"({"maxContains":[]})",
             R"({"minProperties":{}})",
             R"({"maxProperties":0.5})",
             R"({"required":"a"})",
             R"({"required":true})",
             R"({"required":[1]})",
             R"({"dependentRequired":[]})",
             R"({"dependentRequired":{"a":"b"}})",
             R"({"dependentSchemas":{"a":1}})",
             R"({"dependencies":{"a":1}})",
             R"({"pattern":1})",
             R"({"pattern":"("})",
             R"({"patternProperties":{"[":true}})",
             R"({"patternProperties":[]})",
             R"({"format":1})",
             R"({"items":1})",
             R"({"items":[{}]})",
             R"({"prefixItems":{}})",
             R"({"prefixItems":[]})",
             R"({"contains":1})",
             R"({"additionalProperties":"no"})",
             R"({"propertyNames":[]})",
             R"({"allOf":{}})",
             R"({"allOf":[]})",
             R"({"anyOf":[1]})",
             R"({"oneOf":true})",
             R"({"not":null})",
             R"({"if":1})",
             R"({"then":1})",
             R"({"else":1})",
             R"({"unevaluatedItems":1})",
             R"({"unevaluatedProperties":"x"})",
             R"({"$ref":1})",
             R"({"$dynamicRef":1})",
             R"({"$id":1})",
             R"({"$id":"http://x/#frag"})",
             R"({"$anchor":"#a"})",
             R"({"$anchor":1})",
             R"({"$dynamicAnchor":""})",
             R"({"$defs":[]})",
             R"({"$defs":{"a":1}})",
             R"({"$defs":{"unused":{"type":"strin"}}})",
         })
        EXPECT_NE(refusal(schema), "") << schema;
}

TEST(Refusals, duplicate_anchors_and_ids_are_refused) {
    EXPECT_NE(refusal(R"({"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}})").find("`x`"), std::string::npos);
    EXPECT_NE(refusal(R"({"$defs":{"a":{"$id":"http://x/"},"b":{"$id":"http://x/"}}})").find("`http://x/`"),
              std::string::npos);
}

TEST(Refusals, unsupported_regex_features_are_named) {
    EXPECT_EQ(refusal(R"j({"pattern":"^(?=a)"})j"),
              "Invalid schema at /pattern: the regular expression has lookahead (?=, which cannot be matched in linear "
              "time; rewrite it without");
    EXPECT_NE(refusal(R"j({"pattern":"(a)\\1"})j").find("backreference \\1"), std::string::npos);
    EXPECT_NE(refusal(R"j({"pattern":"(?<=a)b"})j").find("lookbehind (?<="), std::string::npos);
    EXPECT_NE(refusal(R"j({"patternProperties":{"(?!a)":true}})j").find("lookahead (?!"), std::string::npos);
    EXPECT_NE(refusal(R"({"pattern":"(?<n>a)\\k<n>"})").find("backreference \\k"), std::string::npos);
    EXPECT_NE(refusal(R"({"pattern":"[a-z]{1,5000}"})").find("repetition above 1000"), std::string::npos);
}

}  // namespace
}  // namespace tenon::schema
