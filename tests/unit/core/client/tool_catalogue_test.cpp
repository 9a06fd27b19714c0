// Output schemas that a hostile server sends.
#include <gtest/gtest.h>

#include "core/client/tool_catalogue.hpp"
#include "support/client_world.hpp"

namespace tenon::core {
namespace {

const ClientLimits limits;

// Returns the error of the check, or an empty string.
std::string complaint(const json::object& output, const json::value& structured) {
    ToolCatalogue catalogue(limits);
    json::value listed = json::object{{"tools", json::array{json::object{{"name", "t"}, {"outputSchema", output}}}}};
    catalogue.learn(listed, false);
    const auto fits = catalogue.output_of("t")->check(json::object{{"structuredContent", structured}});
    return fits ? "" : fits.error().message;
}

json::object with_pattern(std::string_view pattern) {
    return {{"properties", json::object{{"s", json::object{{"pattern", pattern}}}}}};
}

TEST(ToolCatalogue, an_output_schema_with_a_pattern_that_is_too_complex_fails_the_call_with_the_reason) {
    EXPECT_EQ(
        complaint(with_pattern("(a{0,1000}){0,1000}"), json::object{{"s", "a"}}),
        "the result of the tool `t` breaks its output schema: the schema itself cannot be used: Invalid schema at "
        "/properties/s/pattern: the pattern is too complex: it needs more than 10000 states (max_pattern_states); "
        "simplify it");
}

TEST(ToolCatalogue, a_result_that_takes_too_long_to_check_fails_the_call_with_the_reason) {
    EXPECT_EQ(
        complaint(with_pattern("((a?){30}){30}b"), json::object{{"s", std::string(1'000'000, 'a')}}),
        "the result of the tool `t` breaks its output schema: checking `structuredContent` takes more work than is "
        "allowed; send a smaller or simpler value");
}

TEST(ToolCatalogue, a_pattern_that_repeats_the_empty_text_is_accepted) {
    EXPECT_EQ(complaint(with_pattern("((){1000000}){10000}"), json::object{{"s", "a"}}), "");
}

TEST(ToolCatalogue, tools_without_an_output_schema_have_none) {
    ToolCatalogue catalogue(limits);
    json::value listed = json::object{{"tools", json::array{json::object{{"name", "t"}}}}};
    catalogue.learn(listed, false);
    EXPECT_EQ(catalogue.output_of("t"), nullptr);
    EXPECT_EQ(catalogue.output_of("u"), nullptr);
}

// The engine runs behind the lock of the client, where compiling would make other calls wait.
TEST(ToolCatalogue, the_engine_leaves_the_output_schema_to_a_caller_that_asks_for_it) {
    test::ClientWorld world;
    world.connect_legacy();
    world.call("tools/list");
    world.answer(R"({"tools":[{"name":"t","inputSchema":{},"outputSchema":{"required":["n"]}}]})");
    ClientCall call;
    call.method = "tools/call";
    call.params = {{"name", "t"}};
    const auto slot = call.schema = std::make_shared<OutputSchemaPtr>();
    const CallId id = world.call(std::move(call));
    world.answer(R"({"content":[],"structuredContent":{}})");
    ASSERT_EQ(world.error_of(id), 0) << world.why(id);
    ASSERT_NE(*slot, nullptr);
    EXPECT_FALSE((*slot)->is_compiled());
    EXPECT_FALSE(checked(world.answers.at(id), *slot)) << "the result lacks `n`";
    EXPECT_TRUE((*slot)->is_compiled());
}

}  // namespace
}  // namespace tenon::core
