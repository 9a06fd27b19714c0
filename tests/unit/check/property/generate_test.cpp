// The checker's generators: arguments from schemas, cases, and the shrinking of failing cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "check/property/generate_arguments.hpp"
#include "check/property/generate_case.hpp"
#include "check/property/generate_json.hpp"
#include "check/property/shrink.hpp"

namespace tenon::check {
namespace {

KnownSchema known(std::string_view text) {
    auto schema = json::parse(text).value();
    auto compiled = schema::Schema::compile(schema).value();
    return {std::move(schema), std::move(compiled)};
}

constexpr std::string_view schemas[] = {
    R"({"type":"object"})",
    R"({"type":"object","properties":{"a":{"type":"integer","minimum":3,"maximum":7}},"required":["a"],"additionalProperties":false})",
    R"({"type":"object","properties":{"s":{"type":"string","minLength":2,"maxLength":4}},"required":["s"]})",
    R"({"type":"object","properties":{"e":{"enum":["x","y"]},"c":{"const":5}},"required":["e","c"]})",
    R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"number","exclusiveMinimum":0},"minItems":1,"maxItems":3}},"required":["l"]})",
    R"({"type":"object","properties":{"n":{"type":["string","null"]},"m":{"type":"number","multipleOf":0.5}},"required":["n","m"]})",
    R"({"$defs":{"p":{"type":"object","properties":{"x":{"type":"integer"}},"required":["x"]}},"type":"object","properties":{"p":{"$ref":"#/$defs/p"}},"required":["p"]})",
    R"({"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"properties":{"a":{"type":"boolean"},"b":{"type":"string"}}})",
    R"({"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}},"required":["b"]}]})",
    R"({"type":"object","properties":{"d":{"type":"string","format":"date"},"t":{"type":"string","pattern":"^[a-z]+$"}},"required":["d","t"]})",
    R"({"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}})",
};

TEST(GenerateArguments, generated_arguments_match_the_schema) {
    for (const auto text : schemas) {
        const auto schema = known(text);
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Choices choices(seed);
            const auto made = conforming(schema, choices);
            ASSERT_TRUE(made) << text << " with seed " << seed;
            EXPECT_TRUE(schema.compiled.accepts(*made)) << text << ": " << json::write(*made);
        }
    }
}

TEST(GenerateArguments, broken_arguments_violate_exactly_one_keyword) {
    std::set<std::string> broken_keywords;
    for (const auto text : schemas) {
        const auto schema = known(text);
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Choices choices(seed);
            const auto broken = breaking(schema, choices);
            if (!broken) continue;
            const auto violations = schema.compiled.check(broken->arguments);
            ASSERT_EQ(violations.size(), 1U) << text << ": " << json::write(broken->arguments);
            EXPECT_EQ(violations[0].keyword, broken->keyword);
            broken_keywords.insert(broken->keyword);
        }
    }
    for (const auto* keyword :
         {"type", "required", "minimum", "maximum", "minLength", "maxLength", "enum", "const", "minItems", "maxItems",
          "exclusiveMinimum", "multipleOf", "pattern", "additionalProperties"})
        EXPECT_TRUE(broken_keywords.contains(keyword)) << keyword;
}

TEST(GenerateArguments, gives_up_when_no_value_is_possible) {
    Choices choices(1);
    EXPECT_FALSE(conforming(known(R"({"type":"object","required":["a"],"properties":{"a":false}})"), choices));
    EXPECT_FALSE(breaking(known("true"), choices));
}

TEST(GenerateArguments, gives_up_on_an_endlessly_recursive_schema) {
    const auto schema = known(R"({"type":"object","properties":{"next":{"$ref":"#"}},"required":["next"]})");
    Choices choices(1);
    EXPECT_FALSE(conforming(schema, choices));
}

TEST(Choices, are_reproducible_from_the_seed_or_the_recorded_choices) {
    Choices first(7);
    const auto made = any_value(first, 4);
    Choices second(7), again(first.taken());
    EXPECT_EQ(any_value(second, 4), made);
    EXPECT_EQ(any_value(again, 4), made);
}

TEST(Choices, empty_choices_give_the_simplest_values) {
    Choices none(std::vector<std::uint32_t>{});
    EXPECT_EQ(any_value(none), nullptr);
    EXPECT_EQ(any_string(none), "");
}

TEST(Shrink, finds_the_smallest_sum) {
    const std::vector<std::uint32_t> failing = {9, 0, 4, 8, 3, 7, 1, 250, 6};
    const auto fails = [](const std::vector<std::uint32_t>& c) {
        return std::accumulate(c.begin(), c.end(), std::uint32_t{0}) >= 17;
    };
    const auto small = shrink(failing, fails, 1000);
    EXPECT_EQ(small, (std::vector<std::uint32_t>{17}));
}

TEST(Shrink, drops_a_part_together_with_its_count) {
    // The first number is the count of the pairs that follow. A list fails when all its pairs are complete and one of
    // them contains a 7.
    const auto fails = [](const std::vector<std::uint32_t>& c) {
        if (c.empty() || c.size() != 1 + 2 * c[0]) return false;
        return std::find(c.begin() + 1, c.end(), 7U) != c.end();
    };
    EXPECT_EQ(shrink({3, 1, 2, 7, 7, 4, 9}, fails, 1000), (std::vector<std::uint32_t>{1, 0, 7}));
}
TEST(Shrink, stops_after_the_allowed_number_of_tries) {
    std::size_t tries = 0;
    const auto fails = [&](const auto&) { return ++tries, false; };
    shrink(std::vector<std::uint32_t>(1000, 5), fails, 3);
    EXPECT_EQ(tries, 3U);
}

Vocabulary vocabulary() {
    Vocabulary known_things;
    known_things.methods = {"ping", "tools/list"};
    known_things.notifications = {"notifications/progress"};
    known_things.resources = {"note://a"};
    known_things.prompts = {"letter"};
    known_things.tools.push_back({"add", known(schemas[1]), true});
    known_things.tools.push_back({"erase", known(schemas[2]), false});
    return known_things;
}

TEST(GenerateCase, ids_are_unique_and_lines_have_no_line_break) {
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        Choices choices(seed);
        std::set<std::string> ids;
        for (const auto& test_message : any_case(Property::integrity, vocabulary(), choices)) {
            EXPECT_EQ(test_message.bytes.find('\n'), std::string::npos);
            if (!test_message.id.is_null()) {
                EXPECT_TRUE(ids.insert(json::write(test_message.id)).second) << seed;
            }
        }
    }
}

TEST(GenerateCase, a_forgotten_handler_is_not_run_again) {
    std::set<std::string> before, after;
    Vocabulary things = vocabulary();
    for (std::set<std::string>* handlers : {&before, &after}) {
        for (std::uint64_t seed = 0; seed < 1000; ++seed) {
            Choices choices(seed);
            for (const auto& test_message : any_case(Property::one_answer, things, choices))
                if (!test_message.handler.empty()) handlers->insert(test_message.handler);
        }
        for (const std::string_view slow : {"add", "note://a", "letter"}) things.forget(slow);
    }
    EXPECT_EQ(before, (std::set<std::string>{"add", "note://a", "letter"}));
    EXPECT_EQ(after, std::set<std::string>{});
}

TEST(GenerateCase, never_calls_a_tool_that_must_not_run) {
    const auto things = vocabulary();
    std::size_t calls = 0;
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        Choices choices(seed);
        for (const auto& test_message : any_case(Property::one_answer, things, choices)) {
            const auto message = json::parse(test_message.bytes);
            if (!message || !message->is_object() || test_message.kind != TestMessage::Kind::request) continue;
            const auto* params = message->as_object().if_contains("params");
            if (!params || !params->is_object() || !params->as_object().contains("name")) continue;
            if (message->at("method") != "tools/call") continue;
            ++calls;
            EXPECT_NE(params->at("name"), "erase") << test_message.bytes;
        }
    }
    EXPECT_GT(calls, 100U);
}

TEST(GenerateCase, classifies_bytes_by_the_response_they_need) {
    using Kind = TestMessage::Kind;
    const auto kind = [](std::string bytes, bool batches = false) {
        return classified(std::move(bytes), Vocabulary{.batches = batches}).kind;
    };
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"), Kind::request);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":"a","method":"ping","params":[1]})"), Kind::request);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","method":"ping"})"), Kind::notification);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.1","id":1,"method":"ping"})"), Kind::malformed);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"), Kind::malformed);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), Kind::unclear);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"})"), Kind::unclear);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"ping"})"), Kind::unclear);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":1,"result":{}})"), Kind::unclear);
    EXPECT_EQ(kind(R"({"jsonrpc":"2.0","id":")" + std::string(257, 'x') + R"(","method":"ping"})"), Kind::unclear);
    EXPECT_EQ(kind("[]"), Kind::malformed);
    EXPECT_EQ(kind("[]", true), Kind::unclear);
    EXPECT_EQ(kind("{"), Kind::malformed);
}

}  // namespace
}  // namespace tenon::check
