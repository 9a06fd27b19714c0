#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::compiled;
using testing::expect;
using testing::parsed;
using testing::refusal;

TEST(References, resolve_pointers_anchors_and_identifiers) {
    expect(R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", {"\"x\""}, {"1"});
    expect(R"({"$ref":"#a","$defs":{"b":{"$anchor":"a","type":"string"}}})", {"\"x\""}, {"1"});
    expect(R"({"$id":"http://x/root","$ref":"other","$defs":{"b":{"$id":"other","type":"string"}}})", {"\"x\""}, {"1"});
    expect(R"({"$ref":"#/$defs/a~1b~0c%25","$defs":{"a/b~c%":{"type":"string"}}})", {"\"x\""}, {"1"});
    expect(R"({"properties":{"a":{"$ref":"#/x-unknown/0"}},"x-unknown":[{"type":"string"}]})", {R"({"a":"x"})"},
           {R"({"a":1})"});
}

TEST(References, may_be_recursive) {
    const char* tree =
        R"({"type":"object","properties":{"value":{"type":"integer"},"children":{"type":"array","items":{"$ref":"#"}}},"required":["value"]})";
    expect(tree, {R"({"value":1,"children":[{"value":2,"children":[{"value":3}]}]})"},
           {R"({"value":1,"children":[{"value":2,"children":[{}]}]})"});
}

TEST(References, combine_with_other_keywords_except_in_draft_7) {
    const char* schema = R"({"$ref":"#/definitions/a","maxLength":1,"definitions":{"a":{"type":"string"}}})";
    expect(schema, {"\"x\""}, {"\"xx\""});
    expect(schema, {"\"xx\""}, {"1"}, {.default_dialect = Dialect::draft7, .resolver = {}, .limits = {}});
}

TEST(References, in_draft_7_a_fragment_id_is_an_anchor) {
    expect(R"({"$ref":"#a","definitions":{"b":{"$id":"#a","type":"string"}}})", {"\"x\""}, {"1"},
           {.default_dialect = Dialect::draft7, .resolver = {}, .limits = {}});
}

TEST(References, dynamic_references_use_the_outermost_anchor_in_scope) {
    expect(R"({"$id":"http://x/root","$ref":"list","$defs":{"foo":{"$dynamicAnchor":"items","type":"string"},
              "list":{"$id":"list","type":"array","items":{"$dynamicRef":"#items"},"$defs":{"items":{"$dynamicAnchor":"items"}}}}})",
           {"[\"a\"]"}, {"[1]"});
    expect(
        R"({"$id":"http://x/strict","$recursiveAnchor":true,"$ref":"tree","unevaluatedProperties":false,"$defs":{"tree":{"$id":"tree","$recursiveAnchor":true,
              "properties":{"data":true,"children":{"items":{"$recursiveRef":"#"}}}}}})",
        {R"({"children":[{"data":1}]})"}, {R"({"children":[{"daat":1}]})"},
        {.default_dialect = Dialect::draft2019_09, .resolver = {}, .limits = {}});
}

TEST(References, can_refer_to_the_metaschemas) {
    for (const char* uri :
         {"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema",
          "http://json-schema.org/draft-07/schema#"}) {
        const std::string schema = R"({"$ref":")" + std::string(uri) + R"("})";
        expect(schema,
               {"true", "{}", R"({"minLength":1,"properties":{"a":{"type":["string","null"]}},"items":{"enum":[1]}})"},
               {"1", R"({"minLength":-1})", R"({"properties":{"a":{"type":"strin"}}})", R"({"allOf":[]})",
                R"({"required":"a"})", R"({"not":[]})"});
    }
}

TEST(References, every_metaschema_accepts_core_keywords) {
    for (const char* uri : {"https://json-schema.org/draft/2020-12/schema",
                            "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema"}) {
        json::value copy;
        const Schema s = compiled(R"({"$ref":")" + std::string(uri) + R"("})");
        EXPECT_TRUE(s.accepts(parsed(
            R"({"$id":"http://x","$schema":"http://y","$comment":"c","definitions":{"a":{}},"dependencies":{"a":["b"],"c":{}}})")));
    }
}

TEST(References, other_documents_come_only_from_the_resolver) {
    std::vector<std::string> asked;
    Options options;
    options.resolver = [&asked](std::string_view uri) -> std::optional<json::value> {
        asked.emplace_back(uri);
        if (uri == "http://x/a.json") return parsed(R"({"$defs":{"n":{"$ref":"b.json"}}})");
        if (uri == "http://x/b.json") return parsed(R"({"type":"integer"})");
        return std::nullopt;
    };
    expect(R"({"$ref":"http://x/a.json#/$defs/n"})", {"1"}, {"\"x\""}, options);
    EXPECT_EQ(asked, (std::vector<std::string>{"http://x/a.json", "http://x/b.json"}));
    EXPECT_NE(refusal(R"({"$ref":"http://x/c.json"})", options).find("`http://x/c.json`"), std::string::npos);
    EXPECT_NE(refusal(R"({"$ref":"http://x/a.json"})").find("give a resolver"), std::string::npos);
}

TEST(References, unresolved_or_endless_references_are_refused) {
    EXPECT_NE(refusal(R"({"properties":{"a":{"$ref":"#/$defs/b"}}})")
                  .find("at /properties/a: refers to `#/$defs/b`, which is not there"),
              std::string::npos);
    EXPECT_NE(refusal(R"({"$ref":"#b"})").find("anchor `#b`"), std::string::npos);
    EXPECT_NE(refusal(R"({"$ref":"#/%zz"})").find("not a URI"), std::string::npos);
    EXPECT_NE(refusal(R"({"$ref":"#"})").find("never end"), std::string::npos);
    EXPECT_NE(
        refusal(R"({"allOf":[{"anyOf":[{"$ref":"#/$defs/a"}]}],"$defs":{"a":{"not":{"$ref":"#"}}}})").find("never end"),
        std::string::npos);
}

TEST(References, an_endless_dynamic_reference_stops_at_the_budget) {
    const Schema s = compiled(R"({"$dynamicAnchor":"a","$dynamicRef":"#a"})");
    EXPECT_FALSE(s.accepts(json::value(1)));
    EXPECT_EQ(s.check(json::value(1)).at(0).keyword, "$budget");
}

}  // namespace
}  // namespace tenon::schema
