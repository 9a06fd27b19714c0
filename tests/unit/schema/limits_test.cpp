// Hostile schemas and instances. Each reaches a limit. Without the limits these tests would take hours, and the time
// limit of ctest would end them.
#include "unit/schema/testing.hpp"

namespace tenon::schema {
namespace {

using testing::compiled;
using testing::parsed;
using testing::refusal;

void expect_budget(const Schema& s, const json::value& instance) {
    EXPECT_FALSE(s.accepts(instance));
    const auto violations = s.check(instance, 10, "arguments");
    ASSERT_EQ(violations.size(), 1u);
    EXPECT_EQ(violations[0].keyword, "$budget");
    EXPECT_EQ(violations[0].message,
              "checking `arguments` takes more work than is allowed; send a smaller or simpler value");
}

// Each definition refers to the next one twice.
std::string tower(std::string_view keyword, int height) {
    std::string defs;
    for (int i = 0; i < height; ++i) {
        const std::string next = R"({"$ref":"#/$defs/d)" + std::to_string(i + 1) + R"("})";
        defs += R"("d)" + std::to_string(i) + R"(":{")" + std::string(keyword) + R"(":[)" + next + "," + next + "]},";
    }
    return R"({"$ref":"#/$defs/d0","$defs":{)" + defs + R"("d)" + std::to_string(height) + R"(":{"type":"string"}}})";
}

TEST(Limits, exponential_references_stop_at_the_budget) {
    expect_budget(compiled(tower("allOf", 60)), json::value("x"));
    expect_budget(compiled(tower("oneOf", 60)), json::value("x"));
    expect_budget(compiled(tower("anyOf", 60)), json::value(1));
    EXPECT_FALSE(compiled(tower("allOf", 60)).accepts(json::value(1)));
    EXPECT_FALSE(
        compiled(R"({"not":)" + tower("anyOf", 60).insert(1, R"("$id":"http://x/",)") + "}").accepts(json::value(1)));
}

TEST(Limits, explaining_exponential_references_stops_at_the_budget) {
    const auto violations = compiled(tower("allOf", 60)).check(json::value(1));
    EXPECT_FALSE(violations.empty());
}

TEST(Limits, schemas_over_the_size_depth_or_subschema_limit_are_refused) {
    json::array many(100'000, json::value(json::object{{"type", "string"}}));
    const auto too_many = Schema::compile(json::object{{"anyOf", many}});
    ASSERT_FALSE(too_many);
    EXPECT_NE(too_many.error().message.find("more subschemas than the limit of 20000"), std::string::npos);

    const auto too_large = Schema::compile(json::object{{"const", std::string(5 << 20, 'x')}});
    ASSERT_FALSE(too_large);
    EXPECT_NE(too_large.error().message.find("larger than the limit"), std::string::npos);

    std::string deep = "true";
    for (int i = 0; i < 1000; ++i) deep = R"({"not":)" + deep + "}";
    EXPECT_NE(refusal(deep).find("nested deeper than the limit of 128 levels"), std::string::npos);
}

TEST(Limits, endless_resolvers_are_stopped) {
    Options options;
    int n = 0;
    options.resolver = [&n](std::string_view) -> std::optional<json::value> {
        return json::object{{"$ref", "http://x/" + std::to_string(++n)}};
    };
    EXPECT_NE(refusal(R"({"$ref":"http://x/0"})", options).find("limit"), std::string::npos);
    options.resolver = [&n](std::string_view) -> std::optional<json::value> {
        return json::object{{"$schema", "http://x/" + std::to_string(++n)}};
    };
    EXPECT_NE(refusal(R"({"$schema":"http://x/0"})", options).find("unknown"), std::string::npos);
}

TEST(Limits, deep_instances_stop_at_the_budget) {
    const Schema s = compiled(R"({"items":{"$ref":"#"},"uniqueItems":true})");
    json::value deep = json::array{};
    for (int i = 0; i < 3000; ++i) deep = json::array{std::move(deep)};
    expect_budget(s, deep);
    const Schema pairs = compiled(R"({"uniqueItems":true})");
    expect_budget(pairs, json::array{deep, deep});
}

TEST(Limits, large_arrays_with_unique_items_stop_at_the_budget) {
    const Schema s = compiled(R"({"uniqueItems":true})");
    json::array a;
    for (int i = 0; i < 1'000'000; ++i) a.push_back(i);
    EXPECT_TRUE(s.accepts(a));
    json::array large;
    for (int i = 0; i < 1000; ++i) large.push_back(json::array(20'000, json::value(i)));
    expect_budget(s, large);
}

TEST(Limits, numbers_with_equal_hashes_are_compared_in_bounded_time) {
    // Integers above 2^53 that have the same value as a double. Their hashes are equal, so the budget must end the
    // comparison.
    json::array a;
    for (std::int64_t i = 0; i < 500'000; ++i) a.push_back((std::int64_t{1} << 62) + i % 500 + (i / 500) * 1024);
    expect_budget(compiled(R"({"uniqueItems":true})"), a);
}

TEST(Limits, many_patterns_on_many_names_stop_at_the_budget) {
    json::object patterns;
    for (int i = 0; i < 1000; ++i) patterns["(x+)+" + std::to_string(i) + "$"] = true;
    const Schema s = Schema::compile(json::object{{"patternProperties", patterns}}).value();
    json::object o;
    for (int i = 0; i < 100'000; ++i) o[std::string(20, 'x') + std::to_string(i)] = i;
    expect_budget(s, o);
}

TEST(Limits, too_long_or_too_large_patterns_are_refused) {
    EXPECT_NE(refusal(R"({"pattern":")" + std::string(5000, 'a') + "\"}").find("longer than 4096 bytes"),
              std::string::npos);
    json::object patterns;
    for (int i = 0; i < 15'000; ++i)
        patterns["(\\p{L}{20}x){" + std::to_string(i % 40 + 1) + "}" + std::to_string(i)] = true;
    const auto r = Schema::compile(json::object{{"patternProperties", patterns}});
    ASSERT_FALSE(r);
    EXPECT_NE(r.error().message.find("memory"), std::string::npos) << r.error().message;
}

TEST(Limits, unevaluated_properties_with_many_branches_take_bounded_time) {
    std::string branches;
    for (int i = 0; i < 2000; ++i) branches += R"({"properties":{"a)" + std::to_string(i) + R"(":true}},)";
    const Schema s = compiled(R"({"anyOf":[)" + branches + R"(true],"unevaluatedProperties":false})");
    json::object o;
    for (int i = 0; i < 50'000; ++i) o["a" + std::to_string(i)] = i;
    EXPECT_FALSE(s.accepts(o));
    EXPECT_FALSE(s.check(o).empty());
}

}  // namespace
}  // namespace tenon::schema
