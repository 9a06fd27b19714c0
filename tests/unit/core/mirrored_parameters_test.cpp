#include "core/mirrored_parameters.hpp"

#include <gtest/gtest.h>

#include "core/server/features.hpp"

namespace tenon::core {
namespace {

std::vector<MirroredParameter> found(std::string_view schema) {
    auto out = mirrored_parameters(json::parse(schema).value().get_object());
    EXPECT_TRUE(out) << out.error().message;
    return out ? *out : std::vector<MirroredParameter>();
}

std::string refusal(std::string_view schema) {
    const auto out = mirrored_parameters(json::parse(schema).value().get_object());
    return out ? "" : out.error().message;
}

std::string with_property(std::string_view property) {
    return R"({"type":"object","properties":{"p":)" + std::string(property) + "}}";
}

#define EXPECT_REFUSED(schema, words) \
    EXPECT_NE(refusal(schema).find(words), std::string::npos) << schema << " said: " << refusal(schema)

TEST(MirroredParameters, a_schema_without_x_mcp_header_has_no_mirrored_parameters) {
    EXPECT_TRUE(found(R"({"type":"object"})").empty());
}

TEST(MirroredParameters, strings_integers_and_booleans_can_be_mirrored) {
    EXPECT_EQ(found(R"({"type":"object","properties":{
        "region":{"type":"string","x-mcp-header":"Region"},
        "query":{"type":"string"},
        "count":{"type":"integer","x-mcp-header":"Count"},
        "dry":{"type":"boolean","x-mcp-header":"Method"}}})"),
              (std::vector<MirroredParameter>{
                  {"Mcp-Param-Region", {"region"}}, {"Mcp-Param-Count", {"count"}}, {"Mcp-Param-Method", {"dry"}}}));
}

TEST(MirroredParameters, nested_properties_have_a_path) {
    EXPECT_EQ(found(with_property(R"({"type":"object","properties":{"q":{"type":"string","x-mcp-header":"Q"}}})")),
              (std::vector<MirroredParameter>{{"Mcp-Param-Q", {"p", "q"}}}));
}

TEST(MirroredParameters, a_header_name_must_be_a_token) {
    for (const char* name : {R"("")", R"("My Region")", R"("Region:Primary")", R"("Région")", R"("Region\t1")",
                             R"("a\r\nb")", "7", "null", "[]"})
        EXPECT_REFUSED(with_property(R"({"type":"string","x-mcp-header":)" + std::string(name) + "}"),
                       "is not a valid header name");
}

TEST(MirroredParameters, header_names_must_be_unique_case_insensitively) {
    for (const char* other : {"Region", "REGION"})
        EXPECT_REFUSED(R"({"properties":{"a":{"type":"string","x-mcp-header":"Region"},
                                         "b":{"type":"object","properties":{
                                              "c":{"type":"string","x-mcp-header":")" +
                           std::string(other) + R"("}}}}})",
                       "is used twice");
}

TEST(MirroredParameters, other_types_are_refused) {
    for (const char* type : {R"("number")", R"("array")", R"("object")", R"("null")", R"(["string","null"])"})
        EXPECT_REFUSED(with_property(R"({"x-mcp-header":"A","type":)" + std::string(type) + "}"), "needs \"type\"");
    EXPECT_REFUSED(with_property(R"({"x-mcp-header":"A"})"), "needs \"type\"");
}

TEST(MirroredParameters, x_mcp_header_is_refused_outside_of_properties) {
    const std::string marked = R"({"type":"string","x-mcp-header":"A"})";
    EXPECT_REFUSED(marked, "must be at a property");
    for (const char* keyword : {"items", "additionalProperties", "contains", "not", "if", "then", "else",
                                "propertyNames", "unevaluatedItems", "unevaluatedProperties", "additionalItems"})
        EXPECT_REFUSED(with_property("{\"" + std::string(keyword) + "\":" + marked + "}"), "must be at a property");
    for (const char* keyword : {"allOf", "anyOf", "oneOf", "prefixItems", "items"})
        EXPECT_REFUSED(with_property("{\"" + std::string(keyword) + "\":[" + marked + "]}"), "must be at a property");
    for (const char* keyword : {"$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"})
        EXPECT_REFUSED("{\"" + std::string(keyword) + "\":{\"x\":" + marked + "}}", "must be at a property");
    EXPECT_REFUSED(R"({"anyOf":[{"properties":{"p":)" + marked + "}}]}", "must be at a property");
}

TEST(MirroredParameters, x_mcp_header_inside_of_data_is_ignored) {
    EXPECT_TRUE(found(with_property(R"({"default":{"x-mcp-header":"A"},"enum":[{"x-mcp-header":"A"}],
                                       "const":{"x-mcp-header":"A"},"examples":[{"x-mcp-header":"A"}]})"))
                    .empty());
    EXPECT_TRUE(found(R"({"properties":{"x-mcp-header":{"type":"string"}}})").empty());
}

TEST(MirroredParameters, the_registry_keeps_mirrored_parameters_with_the_tool) {
    Registry registry;
    const auto schema = json::parse(R"({"type":"object","properties":{"r":{"type":"string","x-mcp-header":"R"}}})");
    ASSERT_TRUE(registry.add(ToolEntry{.definition = {"a", "d", schema->get_object()}, .handler = {}}));
    EXPECT_EQ(registry.snapshot()->tools.find("a")->mirrored, (std::vector<MirroredParameter>{{"Mcp-Param-R", {"r"}}}));
}

TEST(MirroredParameters, the_registry_names_the_refused_tool) {
    Registry registry;
    const auto schema = json::parse(R"({"type":"object","properties":{"r":{"type":"number","x-mcp-header":"R"}}})");
    const auto ok = registry.add(ToolEntry{.definition = {"a", "d", schema->get_object()}, .handler = {}});
    ASSERT_FALSE(ok);
    EXPECT_EQ(ok.error().message,
              "In the inputSchema of the tool `a`, the `x-mcp-header` \"R\" needs \"type\": \"string\", \"integer\" or "
              "\"boolean\": a header carries nothing else.");
}

}  // namespace
}  // namespace tenon::core
