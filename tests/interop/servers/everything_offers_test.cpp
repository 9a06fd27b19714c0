// What the server declares and lists: capabilities, tools, resources, prompts, completion.
#include <algorithm>

#include "everything_fixture.hpp"

namespace tenon::test {
namespace {

using Names = std::vector<std::string>;

TEST_P(Everything, server_info_and_capabilities_are_read) {
    Client c = connected();
    const ServerInfo server = c.connect();
    EXPECT_EQ(server.info.name, "mcp-servers/everything");
    EXPECT_EQ(server.info.title, "Everything Reference Server");
    EXPECT_EQ(server.info.version, "2.0.0");
    EXPECT_EQ(server.protocolVersion, "2025-11-25");
    EXPECT_EQ(c.era(), Era::legacy);
    EXPECT_TRUE(contains(server.instructions, "Everything Server")) << server.instructions;
    const ServerCapabilities& can = server.capabilities;
    EXPECT_TRUE(can.tools && can.tools_list_changed);
    EXPECT_TRUE(can.resources && can.resources_list_changed && can.resources_subscribe);
    EXPECT_TRUE(can.prompts && can.prompts_list_changed);
    EXPECT_TRUE(can.completions && can.logging && can.tasks);
    c.ping();
}

TEST_P(Everything, each_legacy_revision_can_be_negotiated) {
    for (const std::string revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
        ClientOptions o;
        o.era = Era::legacy;
        o.revision = revision;
        Client c = connected(std::move(o));
        EXPECT_EQ(c.connect().protocolVersion, revision);
        EXPECT_EQ(text_of(c.call_tool("echo", {{"message", "hi"}})), "Echo: hi") << revision;
    }
}

TEST_P(Everything, tools_are_listed_with_their_details) {
    Client c = connected();
    const auto tools = c.list_tools().all();
    EXPECT_EQ(names_of(tools), (Names{"echo", "get-annotated-message", "get-env", "get-resource-links",
                                      "get-resource-reference", "get-structured-content", "get-sum", "get-tiny-image",
                                      "gzip-file-as-resource", "toggle-simulated-logging", "toggle-subscriber-updates",
                                      "trigger-long-running-operation", "simulate-research-query"}));
    const Tool& echo = tools.front();
    EXPECT_EQ(echo.title, "Echo Tool");
    EXPECT_EQ(echo.description, "Echoes back the input string");
    EXPECT_EQ(echo.inputSchema.at("required"), json::value(json::array{"message"}));
    EXPECT_EQ(echo.annotations.readOnlyHint, true);
    EXPECT_EQ(echo.annotations.openWorldHint, false);
    EXPECT_FALSE(echo.outputSchema);
    EXPECT_TRUE(std::ranges::find(tools, "get-structured-content", &Tool::name)->outputSchema);
    EXPECT_EQ(tools.back().task, TaskSupport::required);
}

TEST_P(Everything, more_client_capabilities_add_tools) {
    ClientOptions o;
    o.on_roots = [](std::stop_token) { return std::vector<Root>(); };
    o.on_sample = [](const SampleRequest&, std::stop_token) { return SampleResult(); };
    o.on_elicit = [](const ElicitRequest&, std::stop_token) { return ElicitResult(); };
    o.on_elicit_url = [](const ElicitUrlRequest&, std::stop_token) { return ElicitResult(); };
    Client c = connected(std::move(o));
    const Names tools = names_of(c.list_tools().all());
    // The two tools whose names end in `-async` are only for clients that run tasks themselves.
    EXPECT_EQ(Names(tools.begin() + 12, tools.end()),
              (Names{"get-roots-list", "trigger-elicitation-request", "trigger-url-elicitation",
                     "trigger-sampling-request", "simulate-research-query"}));
}

void check_resources(Client& c) {
    const auto resources = c.list_resources().all();
    ASSERT_EQ(resources.size(), 7u);
    for (const Resource& r : resources) {
        EXPECT_EQ(r.mimeType, "text/markdown");
        const auto contents = c.read_resource(r.uri).contents;
        ASSERT_EQ(contents.size(), 1u);
        EXPECT_EQ(contents[0].uri, r.uri);
        EXPECT_FALSE(contents[0].text.empty());
        EXPECT_FALSE(contents[0].blob);
    }
    const auto templates = c.list_resource_templates().all();
    EXPECT_EQ(names_of(templates), (Names{"Dynamic Text Resource", "Dynamic Blob Resource"}));
    EXPECT_EQ(templates[1].uriTemplate, "demo://resource/dynamic/blob/{resourceId}");

    const auto text = c.read_resource("demo://resource/dynamic/text/7").contents.at(0);
    EXPECT_TRUE(text.text.starts_with("Resource 7: This is a plaintext resource")) << text.text;
    const auto blob = c.read_resource("demo://resource/dynamic/blob/8").contents.at(0);
    EXPECT_TRUE(blob.blob.value().starts_with("Resource 8: This is a base64 blob")) << *blob.blob;

    // 2025-11-25 specifies -32002 for an unknown resource, but the TypeScript SDK sends -32602.
    const Error unknown = error_of([&] { c.read_resource("demo://resource/none"); });
    EXPECT_EQ(unknown.code, code::invalid_params);
    EXPECT_TRUE(contains(unknown.message, "demo://resource/none not found")) << unknown.message;
    const Error no_number = error_of([&] { c.read_resource("demo://resource/dynamic/text/x"); });
    EXPECT_EQ(no_number.code, code::internal_error);
    EXPECT_TRUE(contains(no_number.message, "Unknown resource")) << no_number.message;
}

void check_prompts(Client& c) {
    const auto prompts = c.list_prompts().all();
    ASSERT_EQ(names_of(prompts), (Names{"simple-prompt", "args-prompt", "completable-prompt", "resource-prompt"}));
    EXPECT_TRUE(prompts[0].arguments.empty());
    EXPECT_EQ(prompts[1].title, "Arguments Prompt");
    ASSERT_EQ(names_of(prompts[1].arguments), (Names{"city", "state"}));
    EXPECT_TRUE(prompts[1].arguments[0].required);
    EXPECT_FALSE(prompts[1].arguments[1].required);
    EXPECT_EQ(prompts[1].arguments[0].description, "Name of the city");

    const auto first = [&](const std::string& name, PromptArguments arguments) {
        return text_of(c.get_prompt(name, std::move(arguments)).messages.at(0).content);
    };
    EXPECT_EQ(first("simple-prompt", {}), "This is a simple prompt without arguments.");
    EXPECT_EQ(first("args-prompt", {{"city", "Oslo"}}), "What's weather in Oslo?");
    EXPECT_EQ(first("args-prompt", {{"city", "Paris"}, {"state", "Texas"}}), "What's weather in Paris, Texas?");
    EXPECT_EQ(first("completable-prompt", {{"department", "Sales"}, {"name", "Eve"}}),
              "Please promote Eve to the head of the Sales team.");

    const auto messages = c.get_prompt("resource-prompt", {{"resourceType", "Blob"}, {"resourceId", "3"}}).messages;
    ASSERT_EQ(messages.size(), 2u);
    const auto& embedded = std::get<EmbeddedResource>(messages[1].content).resource;
    EXPECT_EQ(embedded.uri, "demo://resource/dynamic/blob/3");
    EXPECT_TRUE(embedded.blob.value().starts_with("Resource 3")) << *embedded.blob;

    EXPECT_EQ(error_of([&] { c.get_prompt("args-prompt"); }).code, code::invalid_params);
    EXPECT_EQ(error_of([&] { c.get_prompt("no-such-prompt"); }).code, code::invalid_params);
}

void check_completion(Client& c) {
    const auto prompt = CompletionTarget::prompt("completable-prompt");
    const Completion all = c.complete(prompt, {.argument = "department", .value = ""});
    EXPECT_EQ(all.values, (Names{"Engineering", "Sales", "Marketing", "Support"}));
    EXPECT_EQ(all.total, 4u);
    EXPECT_FALSE(all.hasMore);
    EXPECT_EQ(c.complete(prompt, {.argument = "department", .value = "S"}).values, (Names{"Sales", "Support"}));
    EXPECT_EQ(c.complete(prompt, {.argument = "name", .value = "", .context = {{"department", "Support"}}}).values,
              (Names{"John", "Kim", "Lee"}));
    EXPECT_EQ(c.complete(prompt, {.argument = "name", .value = ""}).values, Names());

    const auto resource = CompletionTarget::resource("demo://resource/dynamic/text/{resourceId}");
    EXPECT_EQ(c.complete(resource, {.argument = "resourceId", .value = "12"}).values, Names{"12"});
    EXPECT_EQ(c.complete(resource, {.argument = "resourceId", .value = "x"}).values, Names());
    EXPECT_EQ(
        error_of([&] { c.complete(CompletionTarget::prompt("no-such-prompt"), {.argument = "a", .value = ""}); }).code,
        code::invalid_params);
}

TEST_P(Everything, resources_prompts_and_completions_work) {
    Client c = connected();
    check_resources(c);
    check_prompts(c);
    check_completion(c);
}

INSTANTIATE_TEST_SUITE_P(Ways, Everything, ::testing::Values(Way::stdio, Way::http, Way::old_sse),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
