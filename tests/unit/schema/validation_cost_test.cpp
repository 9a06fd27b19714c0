// The cost of hostile schemas and instances, in counted steps. It is linear in their size, or they are refused.
#include <rapidcheck.h>

#include "schema/compiler.hpp"
#include "schema/explainer.hpp"
#include "schema/idna.hpp"
#include "schema/validator.hpp"
#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::parsed;

constexpr std::size_t plenty = std::size_t{1} << 40;

// Returns how many steps one validation takes when there is no limit.
std::size_t steps(const json::value& schema, const json::value& instance) {
    Options options;
    options.assert_formats = true;
    options.limits.max_work = plenty;
    Program program;
    program.limits = options.limits;
    const auto error = Compiler(options, program).compile(schema);
    EXPECT_FALSE(error) << error->message;
    Validator validator(program);
    validator.run(program.root, instance, nullptr);
    return plenty - validator.steps_left();
}

json::array copies(std::size_t count, const json::value& v) { return json::array(count, v); }

TEST(ValidationCost, every_branch_costs_a_step) {
    const json::object fits{{"type", "integer"}}, fails{{"type", "string"}};
    for (const std::string keyword : {"allOf", "anyOf", "oneOf"}) {
        json::array branches = copies(500, keyword == "allOf" ? fits : fails);
        branches.push_back(fits);
        const json::object schema{{"items", json::object{{keyword, branches}}}};
        EXPECT_GE(steps(schema, copies(100, 1)), 500u * 100u) << keyword;
    }
}

TEST(ValidationCost, names_and_texts_cost_steps_by_their_length) {
    const std::string name(100'000, 'n');
    const json::object long_key{{name, 1}};
    const auto repeated = [](json::object schema) { return json::object{{"allOf", copies(10, schema)}}; };
    const std::size_t least = 10 * name.size() / 16;
    EXPECT_GE(steps(repeated({{"properties", json::object{{name, true}}}}), long_key), least);
    EXPECT_GE(steps(repeated({{"patternProperties", json::object{{"^x", true}}}}), long_key), least);
    EXPECT_GE(steps(repeated({{"propertyNames", json::object{{"minLength", 1}}}}), long_key), least);
    EXPECT_GE(steps(repeated({{"dependentRequired", json::object{{name, json::array{}}}}}), json::object{}), least);
    EXPECT_GE(steps(repeated({{"dependentSchemas", json::object{{name, true}}}}), json::object{}), least);
    EXPECT_GE(steps(repeated({{"enum", json::array{name}}}), json::value(name)), least);
    EXPECT_GE(steps(repeated({{"const", long_key}}), long_key), least);
    EXPECT_GE(steps(json::object{{"uniqueItems", true}}, json::array(10, json::value(long_key))), least);
}

TEST(ValidationCost, marks_of_evaluated_items_cost_steps_in_every_branch) {
    const json::object schema{{"anyOf", copies(50, json::object{{"minItems", 1}})}, {"unevaluatedItems", true}};
    EXPECT_GE(steps(schema, copies(64'000, 1)), 50u * 64'000u / 64u / 4u);
}

// A schema with one dynamic reference and many resources that have its anchor.
json::object many_targets(int count) {
    json::object defs;
    for (int i = 0; i < count; ++i)
        defs["d" + std::to_string(i)] =
            json::object{{"$id", "http://x/" + std::to_string(i)}, {"$dynamicAnchor", "a"}, {"type", "integer"}};
    return {{"$id", "http://x/root"},
            {"$dynamicAnchor", "a"},
            {"items", json::object{{"$dynamicRef", "#a"}}},
            {"$defs", defs}};
}

TEST(ValidationCost, the_cost_of_a_dynamic_reference_does_not_grow_with_its_targets) {
    const json::value instance = copies(100, json::array{});
    const std::size_t few = steps(many_targets(10), instance), many = steps(many_targets(5000), instance);
    EXPECT_LE(many, 5 * few);
}

TEST(ValidationCost, a_dynamic_reference_finds_the_outermost_anchor) {
    EXPECT_TRUE(Schema::compile(many_targets(100)).value().accepts(parsed("[[],[[]]]")));
}

TEST(ValidationCost, copies_of_long_base_uris_are_limited) {
    json::array references(1000, json::value(json::object{{"$ref", "#/$defs/a"}}));
    const json::object schema{
        {"$id", "http://x/" + std::string(100'000, 'u')}, {"allOf", references}, {"$defs", json::object{{"a", true}}}};
    const auto compiled = Schema::compile(schema);
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().message.find("the URIs of all references together are longer than the limit"),
              std::string::npos)
        << compiled.error().message;
}

TEST(ValidationCost, format_checks_cost_steps_by_the_length_of_the_text) {
    for (const char* format : {"uri", "iri", "uri-template", "regex", "json-pointer", "date-time", "email"}) {
        const std::size_t spent = steps(json::object{{"format", format}}, json::value(std::string(100'000, '/')));
        EXPECT_GE(spent, 100'000u / 16) << format;
        EXPECT_LE(spent, 200'000u) << format;
    }
}

TEST(ValidationCost, an_overlong_host_name_is_refused_before_it_is_decoded) {
    std::string label;
    for (int i = 0; i < 64; ++i) label += "・";
    EXPECT_FALSE(is_international_host(label + "語", 253));
    EXPECT_TRUE(is_international_host("語・・・語", 253));
    EXPECT_FALSE(is_international_host("a・・・b", 253));
    EXPECT_FALSE(is_international_host(std::string(5000, 'a'), 253));
}

// A tower of branches: each level refers to the level below twice.
json::object tower(const std::string& keyword, int height, const json::object& ground) {
    json::object defs;
    for (int i = 0; i < height; ++i) {
        const json::object next{{"$ref", "#/$defs/d" + std::to_string(i + 1)}};
        defs["d" + std::to_string(i)] = json::object{{keyword, json::array{next, next}}};
    }
    defs["d" + std::to_string(height)] = ground;
    return {{"$ref", "#/$defs/d0"}, {"$defs", defs}};
}

TEST(ValidationCost, accepts_and_check_agree_when_the_budget_is_small) {
    EXPECT_TRUE(rc::check("the counter stops every run", [] {
        const auto keyword = *rc::gen::element<std::string>("allOf", "anyOf", "oneOf");
        const auto height = *rc::gen::inRange(1, 40);
        const auto ground = *rc::gen::element<json::object>(
            json::object{{"type", "integer"}}, json::object{{"uniqueItems", true}},
            json::object{{"contains", json::object{{"const", 5}}}}, json::object{{"minItems", 3}});
        Options options;
        options.limits.max_work = 20'000;
        const auto schema = Schema::compile(tower(keyword, height, ground), options).value();
        json::array instance;
        const auto size = *rc::gen::inRange(0, 50);
        for (int i = 0; i < size; ++i) instance.push_back(i % 7);
        const bool valid = schema.accepts(instance);
        RC_ASSERT(valid == schema.check(instance).empty());
    }));
}

}  // namespace
}  // namespace tenon::schema
