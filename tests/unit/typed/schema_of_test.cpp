#include <gtest/gtest.h>

#include <deque>
#include <tenon/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "unit/typed/sample_types.hpp"

namespace tenon {
namespace {

using namespace sample;

template <class T>
std::string schema_text() {
    return json::write(schema_of<T>());
}

TEST(SchemaOf, scalars_have_the_matching_type) {
    EXPECT_EQ(schema_text<bool>(), R"({"type":"boolean"})");
    EXPECT_EQ(schema_text<double>(), R"({"type":"number"})");
    EXPECT_EQ(schema_text<float>(), R"({"type":"number"})");
    EXPECT_EQ(schema_text<std::string>(), R"({"type":"string"})");
    EXPECT_EQ(schema_text<std::string_view>(), R"({"type":"string"})");
    EXPECT_EQ(schema_text<std::monostate>(), R"({"type":"null"})");
    EXPECT_EQ(schema_text<Sky>(), R"({"type":"string","enum":["clear","cloudy","rain"]})");
}

TEST(SchemaOf, integers_have_their_range) {
    EXPECT_EQ(schema_text<std::int8_t>(), R"({"type":"integer","minimum":-128,"maximum":127})");
    EXPECT_EQ(schema_text<std::uint16_t>(), R"({"type":"integer","minimum":0,"maximum":65535})");
    EXPECT_EQ(schema_text<int>(), R"({"type":"integer","minimum":-2147483648,"maximum":2147483647})");
    // Bounds of 64 bits are left out: clients whose numbers are doubles cannot express them.
    EXPECT_EQ(schema_text<std::int64_t>(), R"({"type":"integer"})");
    EXPECT_EQ(schema_text<unsigned long long>(), R"({"type":"integer","minimum":0})");
}

TEST(SchemaOf, dates_are_formatted_strings) {
    EXPECT_EQ(schema_text<std::chrono::year_month_day>(), R"({"type":"string","format":"date"})");
    EXPECT_EQ(schema_text<std::chrono::sys_days>(), R"({"type":"string","format":"date"})");
    EXPECT_EQ(schema_text<std::chrono::sys_seconds>(), R"({"type":"string","format":"date-time"})");
    EXPECT_EQ(schema_text<std::chrono::system_clock::time_point>(), R"({"type":"string","format":"date-time"})");
}

TEST(SchemaOf, containers_describe_their_elements) {
    EXPECT_EQ(schema_text<std::vector<bool>>(), R"({"type":"array","items":{"type":"boolean"}})");
    EXPECT_EQ(schema_text<std::deque<double>>(), R"({"type":"array","items":{"type":"number"}})");
    EXPECT_EQ((schema_text<std::array<bool, 2>>()),
              R"({"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2})");
    EXPECT_EQ(schema_text<std::unordered_set<std::string>>(),
              R"({"type":"array","items":{"type":"string"},"uniqueItems":true})");
    EXPECT_EQ((schema_text<std::unordered_map<std::string, bool>>()),
              R"({"type":"object","additionalProperties":{"type":"boolean"}})");
    EXPECT_EQ((schema_text<std::pair<bool, double>>()),
              R"({"type":"array","prefixItems":[{"type":"boolean"},{"type":"number"}],"items":false,"minItems":2})");
    EXPECT_EQ(schema_text<std::tuple<>>(), R"({"type":"array","maxItems":0})");
}

TEST(SchemaOf, optionals_and_variants_are_alternatives) {
    EXPECT_EQ(schema_text<std::optional<bool>>(), R"({"anyOf":[{"type":"boolean"},{"type":"null"}]})");
    EXPECT_EQ((schema_text<std::variant<bool, std::string>>()), R"({"anyOf":[{"type":"boolean"},{"type":"string"}]})");
}

TEST(SchemaOf, json_values_are_unrestricted) {
    EXPECT_EQ(schema_text<json::value>(), "{}");
    EXPECT_EQ(schema_text<json::object>(), R"({"type":"object"})");
    EXPECT_EQ(schema_text<json::array>(), R"({"type":"array"})");
}

TEST(SchemaOf, structs_use_the_descriptions_of_their_fields) {
    EXPECT_EQ(schema_text<Box>(),
              R"({"type":"object","properties":{"width":{"type":"number"},"height":{"type":"number"}},)"
              R"("required":["width","height"]})");
    EXPECT_EQ(schema_text<Forecast>(),
              R"({"type":"object","properties":{)"
              R"("city":{"type":"string","description":"City name","minLength":1,"maxLength":80},)"
              R"("celsius":{"type":"number","description":"At noon","minimum":-90,"maximum":60.5,"default":20},)"
              R"("sky":{"type":"string","enum":["clear","cloudy","rain"]}},"required":["city"],"title":"A forecast"})");
}

TEST(SchemaOf, members_of_bases_come_first_with_their_fields) {
    EXPECT_EQ(schema_text<Derived>(),
              R"({"type":"object","properties":{)"
              R"("id":{"type":"integer","minimum":-2147483648,"maximum":2147483647,"description":"A number"},)"
              R"("name":{"type":"string"}},"required":["id","name"]})");
}

TEST(SchemaOf, a_recursive_struct_becomes_a_definition) {
    EXPECT_EQ(schema_text<Node>(),
              R"({"type":"object","properties":{"name":{"type":"string"},"next":{"$ref":"#/$defs/Node"}},)"
              R"("required":["name"],"$defs":{"Node":)"
              R"({"type":"object","properties":{"name":{"type":"string"},"next":{"$ref":"#/$defs/Node"}},)"
              R"("required":["name"]}}})");
    EXPECT_EQ(json::write(schema_of<std::vector<Node>>().at("items")), R"({"$ref":"#/$defs/Node"})");
}

namespace other {
struct Tree {
    std::vector<Tree> subtrees;
    sample::Tree tree;
};
BOOST_DESCRIBE_STRUCT(Tree, (), (subtrees, tree))
}  // namespace other

TEST(SchemaOf, definitions_with_the_same_name_are_distinguished) {
    const json::object schema = schema_of<std::pair<other::Tree, Tree>>();
    EXPECT_EQ(json::write(schema.at("prefixItems")), R"([{"$ref":"#/$defs/Tree"},{"$ref":"#/$defs/Tree.2"}])");
    EXPECT_EQ(schema.at("$defs").as_object().size(), 2u);
}

template <class T>
struct Page {
    std::vector<T> items;
    std::unique_ptr<Page<T>> next;
};
BOOST_DESCRIBE_STRUCT(Page<Box>, (), (items, next))

TEST(SchemaOf, definition_names_of_templates_need_no_escaping) {
    EXPECT_EQ(json::write(schema_of<std::vector<Page<Box>>>().at("items")).find_first_of("<> ~%"), std::string::npos);
}

TEST(Concepts, describable_and_flat_form_accept_the_right_types) {
    struct Opaque {};
    EXPECT_TRUE(Describable<Rich>);
    EXPECT_TRUE(Describable<const std::string&>);
    EXPECT_FALSE(Describable<Opaque>);
    EXPECT_FALSE(Describable<int*>);
    EXPECT_FALSE(Describable<char>);
    EXPECT_FALSE((Describable<std::map<int, int>>));
    EXPECT_FALSE((Describable<std::vector<std::optional<std::optional<int>>>>));
    EXPECT_FALSE((Describable<std::variant<int, double>>));
    EXPECT_FALSE(Describable<std::chrono::seconds>);
    EXPECT_TRUE(FlatForm<Forecast>);
    EXPECT_TRUE(FlatForm<Times>);
    EXPECT_TRUE(FlatForm<Derived>);
    EXPECT_FALSE(FlatForm<Tree>);
    EXPECT_FALSE(FlatForm<Rich>);
    EXPECT_FALSE(FlatForm<std::string>);
}

}  // namespace
}  // namespace tenon
