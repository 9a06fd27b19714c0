// What every server offers, over every transport.
#include "typescript_fixture.hpp"

namespace tenon::test {

struct Sum {
    double sum;
};
BOOST_DESCRIBE_STRUCT(Sum, (), (sum))

namespace {

using Names = std::vector<std::string>;

void check_tools(Client& c) {
    const auto tools = c.list_tools().all();
    EXPECT_EQ(tools.at(0).name, "add");
    EXPECT_TRUE(tools.at(0).outputSchema);
    const ToolResult result = c.call_tool("add", {{"a", 1}, {"b", 2.5}});
    EXPECT_EQ(text_of(result), "3.5");
    EXPECT_EQ(result.structuredContent, json::value({{"sum", 3.5}}));
    EXPECT_EQ(c.call_tool_as<Sum>("add", {{"a", 40}, {"b", 2}}).sum, 42);

    const ToolResult failed = c.call_tool("fail");
    EXPECT_TRUE(failed.isError);
    EXPECT_EQ(text_of(failed), "it failed");
    const ToolResult bad = c.call_tool("add", {{"a", "one"}, {"b", 2}});
    EXPECT_TRUE(bad.isError);
    EXPECT_TRUE(contains(text_of(bad), "Input validation error")) << text_of(bad);
}

void check_resources_of_several_pages(Client& c) {
    Names uris;
    for (const Resource& note : c.list_resources()) uris.push_back(note.uri);
    EXPECT_EQ(uris, (Names{"test://note/1", "test://note/2", "test://note/3", "test://note/4", "test://note/5"}));
    EXPECT_EQ(c.read_resource("test://note/3").contents.at(0).text, "the text of note 3");
    EXPECT_EQ(c.list_resource_templates().all().at(0).uriTemplate, "test://square/{n}");
    EXPECT_EQ(c.read_resource("test://square/12").contents.at(0).text, "144");
    EXPECT_EQ(error_of([&] { c.read_resource("test://none"); }).code, code::invalid_params);
}

void check_prompts_and_completion(Client& c) {
    const auto prompts = c.list_prompts().all();
    EXPECT_EQ(prompts.at(0).name, "greet");
    EXPECT_TRUE(prompts.at(0).arguments.at(0).required);
    const auto messages = c.get_prompt("greet", {{"language", "french"}}).messages;
    EXPECT_EQ(text_of(messages.at(0).content), "Greet in french");
    EXPECT_EQ(messages.at(1).role, Role::assistant);
    EXPECT_EQ(error_of([&] { c.get_prompt("greet"); }).code, code::invalid_params);

    EXPECT_EQ(c.complete(CompletionTarget::prompt("greet"), {.argument = "language", .value = "e"}).values,
              (Names{"english", "estonian"}));
    EXPECT_EQ(c.complete(CompletionTarget::resource("test://square/{n}"), {.argument = "n", .value = "1"}).values,
              (Names{"10", "11"}));
}

void check_many_calls_at_once(Client& c) {
    Gathered<double> sums;
    constexpr int calls = 40;
    for (int i = 0; i < calls; ++i)
        c.async_call_tool("add", {{"a", i}, {"b", 0}}, make_reply<ToolResult>([&](Result<ToolResult> result) {
                              sums.put(result ? result->structuredContent->at("sum").to_number<double>() : -1);
                          }));
    std::set<double> different;
    for (int i = 0; i < calls; ++i) different.insert(sums.take());
    EXPECT_EQ(different.size(), static_cast<std::size_t>(calls));
    EXPECT_FALSE(different.contains(-1));
}

TEST_P(TypeScript, server_info_tools_resources_and_prompts_are_the_same_over_every_transport) {
    Client c = connected();
    const ServerInfo server = c.connect();
    EXPECT_EQ(server.info.name, is_v2() ? "v2" : "v1");
    EXPECT_EQ(server.info.version, "1.2.3");
    EXPECT_EQ(server.instructions, is_v2() ? "by version 2" : "by version 1");
    EXPECT_EQ(server.protocolVersion, is_modern() ? "2026-07-28" : "2025-11-25");
    EXPECT_EQ(c.era(), GetParam().era);
    EXPECT_TRUE(server.capabilities.tools && server.capabilities.resources && server.capabilities.prompts);
    c.ping();
    check_tools(c);
    check_resources_of_several_pages(c);
    check_prompts_and_completion(c);
    check_many_calls_at_once(c);
}

INSTANTIATE_TEST_SUITE_P(Ways, TypeScript,
                         ::testing::Values(typescript::v1_stdio, typescript::v1_http, typescript::v1_http_json,
                                           typescript::v2_stdio, typescript::v2_stdio_legacy, typescript::v2_http,
                                           typescript::v2_http_legacy),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
