// Tests of the parts of the checker that judge texts, schemas and conversations.
#include <gtest/gtest.h>

#include "check/server/accident_words.hpp"
#include "check/server/judge_questions.hpp"
#include "check/server/portable_schema.hpp"
#include "check/server/secret_text.hpp"
#include "check/server/unsafe_text.hpp"

namespace tenon::check {
namespace {

json::object parsed(std::string_view text) { return json::parse(text)->get_object(); }

TEST(PortableSchema, a_composition_at_the_root_is_not_portable) {
    EXPECT_EQ(unportable_root(parsed(R"({"type":"object","oneOf":[{}]})")), "oneOf");
    EXPECT_EQ(unportable_root(parsed(R"({"type":"object","properties":{"a":{"oneOf":[{}]}}})")), "");
    EXPECT_EQ(unportable_root(parsed(R"({"type":"object","if":{},"then":{}})")), "");
}

TEST(PortableSchema, an_array_without_items_is_found_at_any_depth) {
    EXPECT_EQ(unportable_part(parsed(R"({"properties":{"a":{"items":{"properties":{"b":{"type":"array"}}}}}})")),
              "the array `b` has no `items`");
    EXPECT_EQ(unportable_part(parsed(R"({"properties":{"a":{"anyOf":[{"type":"array","items":true}]}}})")), "");
    EXPECT_EQ(unportable_part(parsed(R"({"properties":{"a":{"type":["array","null"]}}})")), "");
}

TEST(PortableSchema, examples_and_defaults_are_not_schemas) {
    EXPECT_EQ(unportable_part(parsed(R"({"properties":{"a":{"default":{"type":"array"},"enum":[{"type":"array"}]}}})")),
              "");
}

TEST(PortableSchema, a_remote_reference_is_found_and_a_local_one_is_not) {
    EXPECT_NE(unportable_part(parsed(R"({"properties":{"a":{"$ref":"https://example.com/a.json"}}})")), "");
    EXPECT_EQ(unportable_part(parsed(R"({"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{}}})")), "");
    EXPECT_EQ(unportable_part(parsed(
                  R"({"$id":"https://example.com/s","properties":{"a":{"$ref":"https://example.com/s#/$defs/a"}}})")),
              "");
}

TEST(PortableSchema, names_of_arguments_have_plain_characters) {
    EXPECT_NE(unportable_part(parsed(R"({"properties":{"a b":{}}})")), "");
    EXPECT_EQ(unportable_part(parsed(R"({"properties":{"a.b-c_D1":{}}})")), "");
}

TEST(PortableSchema, deep_schemas_end) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += R"({"items":)";
    text += "{\"type\":\"array\"}" + std::string(100, '}');
    EXPECT_EQ(unportable_part(parsed(text)), "");
}

TEST(SecretText, random_keys_are_found_and_not_repeated) {
    const std::string key = "Zk7Qm2VxW9pLrT4bNc8DhJ5sFy3GeKu6AaRr";
    EXPECT_EQ(secret_in("use ghp_" + key + "."), "ghp_Zk7Q...");
    EXPECT_EQ(secret_in("Bearer sk-ant-" + key + "Ww1Vv"), "sk-ant-Zk7Q...");
    EXPECT_NE(secret_in("-----BEGIN PRIVATE KEY-----\n" + key + key + "\n-----END PRIVATE KEY-----"), "");
}

TEST(SecretText, examples_and_words_are_not_keys) {
    for (const std::string& text : {"ghp_" + std::string(36, 'x'), std::string("AKIAIOSFODNN7EXAMPLE"),
                                    std::string("glpat-your-token-here-12345"), std::string("sk-ant-..."),
                                    std::string("the prefix ghp_ begins a token"),
                                    std::string("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"),
                                    std::string("npm_config_registry_and_other_variables_of_the_environment")})
        EXPECT_EQ(secret_in(text), "") << text;
}

TEST(AccidentWords, messages_of_runtimes_are_accidents) {
    EXPECT_NE(accident_in("TypeError: Cannot read properties of undefined (reading 'split')"), "");
    EXPECT_NE(accident_in("'NoneType' object has no attribute 'lower'"), "");
    EXPECT_NE(accident_in("getaddrinfo ENOTFOUND undefined"), "");
}

TEST(AccidentWords, refusals_are_no_accidents) {
    for (const std::string_view text :
         {"TypeError: echo() missing 1 required positional argument: 'message'",
          "Input validation error: 'a' is undefined",
          "MCP error -32602: Invalid arguments: expected string, received undefined",
          "Missing required parameter: city", "KeyError: 'city'", "connect ECONNREFUSED 127.0.0.1:5432",
          "city must be a function of the state", ""})
        EXPECT_EQ(accident_in(text), "") << text;
}

TEST(UnsafeText, marks_of_scripts_and_flags_are_not_hidden_text) {
    EXPECT_FALSE(has_hidden_text("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D\xE2\x80\x8F!"));  // Hebrew, right-to-left mark
    EXPECT_FALSE(has_hidden_text("\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3\xA0\x81\xBF"));  // a flag
    EXPECT_FALSE(has_hidden_text("\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB"));  // emoji with a joiner
    EXPECT_FALSE(has_hidden_text("\xE0\xB8\x81\xE2\x80\x8B\xE0\xB8\x82"));          // Thai, the end of a word
    EXPECT_TRUE(has_hidden_text("plain\xE2\x80\x8B"));
    EXPECT_TRUE(has_hidden_text("plain\xE2\x80\x8F"));
    EXPECT_TRUE(has_hidden_text("tag \xF3\xA0\x81\xA7"));
    EXPECT_TRUE(has_hidden_text("\xF0\x9F\x8F\xB4 tag \xF3\xA0\x81\xA7"));
    EXPECT_TRUE(has_hidden_text("\xD7\xA9\xE2\x80\xAE override"));
}

json::array turns(std::string_view text) { return json::parse(text)->get_array(); }

TEST(ToolTurns, each_tool_use_needs_its_result_in_the_next_message) {
    EXPECT_EQ(unbalanced_turns(turns(R"([{"role":"user","content":{"type":"text","text":"a"}}])")), "");
    EXPECT_EQ(unbalanced_turns(turns(R"([{"role":"assistant","content":[{"type":"tool_use","id":"a"}]},
        {"role":"user","content":{"type":"tool_result","toolUseId":"a"}}])")),
              "");
    EXPECT_NE(unbalanced_turns(turns(R"([{"role":"assistant","content":{"type":"tool_use","id":"a"}}])")), "");
    EXPECT_NE(unbalanced_turns(turns(R"([{"role":"user","content":{"type":"tool_result","toolUseId":"a"}}])")), "");
    EXPECT_NE(unbalanced_turns(turns(R"([{"role":"assistant","content":[{"type":"tool_use","id":"a"}]},
        {"role":"user","content":[{"type":"tool_result","toolUseId":"a"},{"type":"text","text":"b"}]}])")),
              "");
}

}  // namespace
}  // namespace tenon::check
