#include "tools/tenon/typed_arguments.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"
#include "tools/tenon/schema_words.hpp"

namespace tenon::program {
namespace {

json::object object(std::string_view text) { return json::parse(text).value().as_object(); }

// A schema with one argument of each kind.
const json::object& schema() {
    static const json::object s = object(R"({
        "type": "object", "additionalProperties": false, "required": ["city"],
        "properties": {
            "city": {"type": "string", "description": "City name"},
            "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 1},
            "price": {"type": "number"},
            "dry": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "counts": {"type": "array", "items": {"type": "integer"}},
            "place": {"type": "object"},
            "unit": {"enum": ["celsius", "fahrenheit"]},
            "size": {"enum": [1, 2, "auto", null]},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "limit": {"type": ["integer", "string"]},
            "ref": {"$ref": "#/$defs/level"},
            "any": {}
        },
        "$defs": {"level": {"type": "string", "enum": ["low", "high"]}}
    })");
    return s;
}

std::string typed(std::vector<std::string> words) { return json::write(typed_arguments(words, schema())); }
std::string complaint(std::vector<std::string> words) {
    return failure_of([&] { check_arguments(typed_arguments(words, schema()), schema()); });
}

TEST(TypedArguments, are_converted_by_the_schema) {
    EXPECT_EQ(typed({"city=5"}), R"({"city":"5"})");
    EXPECT_EQ(typed({"city=a=b"}), R"({"city":"a=b"})");
    EXPECT_EQ(typed({"city="}), R"({"city":""})");
    EXPECT_EQ(typed({"days=3"}), R"({"days":3})");
    EXPECT_EQ(typed({"price=3"}), R"({"price":3})");
    EXPECT_EQ(typed({"price=-1.5e2"}), R"({"price":-150})");
    EXPECT_EQ(typed({"dry=true"}), R"({"dry":true})");
    EXPECT_EQ(typed({"place={\"lat\":1}"}), R"({"place":{"lat":1}})");
}

TEST(TypedArguments, lists_come_from_json_commas_or_repetition) {
    EXPECT_EQ(typed({"tags=a,b"}), R"({"tags":["a","b"]})");
    EXPECT_EQ(typed({"tags=a"}), R"({"tags":["a"]})");
    EXPECT_EQ(typed({"tags="}), R"({"tags":[]})");
    EXPECT_EQ(typed({"tags=[\"a,b\"]"}), R"({"tags":["a,b"]})");
    EXPECT_EQ(typed({"tags=a,b", "tags=c"}), R"({"tags":["a,b","c"]})")
        << "repeated values must not be split at commas";
    EXPECT_EQ(typed({"counts=1,2"}), R"({"counts":[1,2]})");
    EXPECT_EQ(typed({"counts=1", "counts:=2"}), R"({"counts":[1,2]})");
}

TEST(TypedArguments, support_enums_and_unions) {
    EXPECT_EQ(typed({"unit=celsius"}), R"({"unit":"celsius"})");
    EXPECT_EQ(typed({"size=2"}), R"({"size":2})");
    EXPECT_EQ(typed({"size=auto"}), R"({"size":"auto"})");
    EXPECT_EQ(typed({"size=null"}), R"({"size":null})");
    EXPECT_EQ(typed({"note=null"}), R"({"note":null})");
    EXPECT_EQ(typed({"note=5"}), R"({"note":"5"})");
    EXPECT_EQ(typed({"limit=5"}), R"({"limit":5})");
    EXPECT_EQ(typed({"limit=all"}), R"({"limit":"all"})");
    EXPECT_EQ(typed({"ref=high"}), R"({"ref":"high"})");
    EXPECT_EQ(typed({"any=5"}), R"({"any":5})");
    EXPECT_EQ(typed({"any=text"}), R"({"any":"text"})");
}

TEST(TypedArguments, colon_equals_takes_the_value_as_json) {
    EXPECT_EQ(typed({"note:=\"null\""}), R"({"note":"null"})");
    EXPECT_EQ(typed({"days:=3"}), R"({"days":3})");
    EXPECT_NE(complaint({"city:=oslo"}).find("`city` is not JSON"), std::string::npos);
}

TEST(TypedArguments, errors_name_the_problem_and_the_fix) {
    EXPECT_EQ(complaint({"city=x", "days=three"}), "`days` must be of type integer, got `three` | write days=3");
    EXPECT_EQ(complaint({"city=x", "dry=maybe"}), "`dry` must be of type boolean, got `maybe` | write dry=true");
    EXPECT_EQ(complaint({"city=x", "price=1,5"}), "`price` must be of type number, got `1,5` | write price=1.5");
    EXPECT_EQ(complaint({"city=x", "counts=1,x"}), "`counts` must be of type integer, got `x` | write counts=3");
    EXPECT_EQ(complaint({"city=x", "place=here"}),
              "`place` must be of type object, got `here` | write place='{\"...\": ...}'");
    EXPECT_EQ(complaint({"city=x", "unit=celsus"}),
              "`unit` must be celsius or fahrenheit, got `celsus` | did you mean `celsius`?");
    EXPECT_EQ(complaint({"city=x", "ref=hihg"}), "`ref` must be low or high, got `hihg` | did you mean `high`?");
    EXPECT_EQ(complaint({"ciyt=x"}), "there is no argument `ciyt` | did you mean `city`?");
    EXPECT_EQ(complaint({"days=1"}), "the argument `city` (string) is missing: City name | add city=STRING");
    EXPECT_EQ(complaint({"city=x", "days=9"}),
              "`arguments.days` must be ≤ 7, got 9 | days: integer, 1 to 7, default 1");
    EXPECT_EQ(complaint({"city=x", "city=y"}), "`city` is given 2 times, but takes one string | give it once");
    EXPECT_EQ(
        complaint({"Oslo"}),
        "`Oslo` is not KEY=VALUE | write KEY=VALUE or KEY:=JSON, or all arguments as one JSON object, @FILE or -");
    EXPECT_EQ(complaint({"=x"}).substr(0, 22), "`=x` is not KEY=VALUE ");
}

TEST(TypedArguments, nested_values_are_explained_with_an_example) {
    const json::object nested = object(R"({
        "type": "object", "required": ["item"], "additionalProperties": false,
        "properties": {
            "item": {"type": "object", "required": ["name", "size"],
                     "properties": {"name": {"type": "string"}, "count": {"type": "integer"},
                                    "size": {"type": "object", "properties": {"w": {"type": "number"}}}}},
            "parts": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}
        }})");
    const auto fix = [&](std::vector<std::string> words) {
        return failure_of([&] { check_arguments(typed_arguments(words, nested), nested); });
    };
    const std::string example = R"(item='{"name":"TEXT","size":{"w":1.5}}')";
    EXPECT_NE(fix({"item=x"}).find("write " + example), std::string::npos) << fix({"item=x"});
    EXPECT_NE(fix({"item.name=x"}).find("a nested value is JSON: " + example), std::string::npos);
    EXPECT_NE(fix({"parts[0].id=1"}).find(R"(a nested value is JSON: parts='[{"id":3}]')"), std::string::npos);
    EXPECT_NE(fix({}).find("add " + example), std::string::npos) << fix({});
}

TEST(TypedArguments, schemas_that_repeat_themselves_end_soon) {
    json::array many(10, json::object{{"$ref", "#/$defs/a"}});
    json::object fields;
    for (int i = 0; i < 30; ++i) fields["f" + std::to_string(i)] = json::object{{"$ref", "#/$defs/o"}};
    json::array names;
    for (const auto& field : fields) names.emplace_back(field.key());
    const json::object root{
        {"type", "object"},
        {"properties", json::object{{"a", json::object{{"$ref", "#/$defs/a"}}}}},
        {"$defs", json::object{{"a", json::object{{"anyOf", many}}},
                               {"l", json::object{{"type", "array"}, {"items", json::object{{"$ref", "#/$defs/l"}}}}},
                               {"o", json::object{{"type", "object"}, {"properties", fields}, {"required", names}}}}}};
    const auto ref = [](const char* name) { return json::value(json::object{{"$ref", name}}); };
    EXPECT_EQ(type_words(ref("#/$defs/a"), root), "anything");
    EXPECT_EQ(type_words(ref("#/$defs/l"), root), "list of list of list of list of list");
    EXPECT_LT(json::write(sample_of(ref("#/$defs/o"), root)).size(), 1000U);
    EXPECT_THROW(typed_arguments({"a.b=1"}, root), Failure);
}

TEST(TypedArguments, allow_unknown_keys_if_the_schema_does) {
    const auto key = [](std::string_view s) { return failure_of([&] { typed_arguments({"x=1"}, object(s)); }); };
    EXPECT_EQ(key(R"({"type":"object"})"), "");
    EXPECT_EQ(key(R"({"type":"object","properties":{},"additionalProperties":true})"), "");
    EXPECT_EQ(key(R"({"type":"object","properties":{}})"), "there is no argument `x` | the tool takes no arguments");
    EXPECT_EQ(json::write(typed_arguments({"x=1"}, object(R"({"additionalProperties":{"type":"integer"}})"))),
              R"({"x":1})");
    EXPECT_EQ(json::write(typed_arguments({"x=1"}, object(R"({"additionalProperties":{"type":"string"}})"))),
              R"({"x":"1"})");
}

TEST(TypedArguments, survive_malformed_schemas) {
    for (const std::string_view s : {R"({"properties": 5})", R"({"properties": {"x": 5}})", R"({"required": "x"})",
                                     R"({"properties": {"x": {"$ref": "#/properties/x"}}})",
                                     R"({"properties": {"x": {"$ref": "http://elsewhere/"}}})",
                                     R"({"properties": {"x": {"type": "array", "items": {"$ref": "#"}}}})",
                                     R"({"properties": {"x": {"anyOf": [{"$ref": "#/properties/x"}]}}})"})
        failure_of([&] { check_arguments(typed_arguments({"x=1"}, object(s)), object(s)); });
}

TEST(SchemaWords, describe_types_and_bounds) {
    const auto words = [](std::string_view text) {
        const json::value s = json::parse(text).value();
        std::string out = type_words(s, {});
        for (const std::string& phrase : bound_words(s, {})) out += ", " + phrase;
        return out;
    };
    EXPECT_EQ(words(R"({"type":"integer","minimum":1,"maximum":7,"default":1})"), "integer, 1 to 7, default 1");
    EXPECT_EQ(words(R"({"type":"number","exclusiveMinimum":0,"multipleOf":0.5})"),
              "number, more than 0, a multiple of 0.5");
    EXPECT_EQ(words(R"({"type":"string","minLength":1,"pattern":"^a","format":"email"})"),
              "string, at least 1 character, format email, matching ^a");
    EXPECT_EQ(words(R"({"type":"string","maxLength":3})"), "string, at most 3 characters");
    EXPECT_EQ(words(R"({"type":["string","null"]})"), "string or null");
    EXPECT_EQ(words(R"({"type":"array","items":{"enum":["a","b"]},"minItems":1,"uniqueItems":true})"),
              "list of a or b, at least 1 item, no two alike");
    EXPECT_EQ(words(R"({"oneOf":[{"const":"a","title":"A"},{"const":"b"}]})"), "a or b");
    EXPECT_EQ(words(R"({"anyOf":[{"enum":["a"]},{"type":"null"}]})"), "a or null");
    EXPECT_EQ(words("{}"), "anything");
    EXPECT_EQ(words("true"), "anything");
}

}  // namespace
}  // namespace tenon::program
