// How a client reads a server's answers: written values are read back, and errors name the path.
#include "protocol/read_server.hpp"

#include <gtest/gtest.h>

#include "protocol/write.hpp"
#include "protocol/write_client.hpp"

namespace tenon::protocol {
namespace {

json::value parsed(std::string_view text) { return json::parse(text).value(); }

const Rules newest(modern_revision());

template <class T>
json::value list_of(std::string_view member, const T& item) {
    return json::object{{member, json::array{parsed(encode(item, newest).json)}}, {"nextCursor", "more"}};
}

template <class T>
std::string again(const T& item) {
    return encode(item, newest).json;
}

TEST(ReadServer, a_written_tool_is_read_back) {
    const Tool tool{.name = "t",
                    .description = "d",
                    .inputSchema = {{"type", "object"}},
                    .outputSchema = json::object{{"type", "object"}},
                    .title = "T",
                    .annotations = {.title = "A", .readOnlyHint = true, .openWorldHint = false},
                    .icons = {{"https://e/i.png", "image/png", {"48x48"}, "dark"}},
                    .meta = {{"k", 1}}};
    const auto page = read_tools(list_of("tools", tool));
    ASSERT_TRUE(page);
    EXPECT_EQ(page->nextCursor, "more");
    EXPECT_EQ(again(page->items.at(0)), again(tool));
}

TEST(ReadServer, written_resources_templates_and_prompts_are_read_back) {
    const Resource resource{"a://b", "n",       "T", "d", "text/plain", 12, {{Role::user}, 0.5, "2026-01-01"},
                            {},      {{"k", 1}}};
    EXPECT_EQ(again(read_resources(list_of("resources", resource)).value().items.at(0)), again(resource));
    const ResourceTemplate pattern{"a://{b}", "n", "T", "d", "text/plain"};
    EXPECT_EQ(again(read_resource_templates(list_of("resourceTemplates", pattern)).value().items.at(0)),
              again(pattern));
    const Prompt prompt{"p", "d", {{"a", "x", true, "A"}}, "T"};
    EXPECT_EQ(again(read_prompts(list_of("prompts", prompt)).value().items.at(0)), again(prompt));
}

// rules: TOOL-16
TEST(ReadServer, every_kind_of_written_content_is_read_back) {
    ToolResult result;
    result.content = {TextContent{"t", {{Role::assistant}, 1.0, ""}, {{"k", 1}}},
                      ImageContent{"\x01\x02", "image/png"},
                      AudioContent{"\x03", "audio/wav"},
                      ResourceLink{"a://b", "n", "T", "d", "text/plain", 3},
                      EmbeddedResource{{"a://c", "text/plain", "text"}},
                      EmbeddedResource{{"a://d", "x/y", "", std::string("\0\1", 2)}}};
    result.structuredContent = json::array{1, 2};
    result.isError = true;
    const auto read = read_tool_result(parsed(again(result)));
    ASSERT_TRUE(read);
    EXPECT_EQ(again(*read), again(result));
}

TEST(ReadServer, written_results_are_read_back) {
    const ReadResult contents{{{"a://b", "text/plain", "hello"}}, CacheHints{std::chrono::seconds(5), true}};
    const auto read = read_read_result(parsed(again(contents))).value();
    EXPECT_EQ(again(read), again(contents));
    const PromptResult prompt{"d", {user("u"), assistant("a")}};
    EXPECT_EQ(again(read_prompt_result(parsed(again(prompt))).value()), again(prompt));
    const Completion completion{{"a", "b"}, 7, true};
    EXPECT_EQ(again(read_completion(parsed(again(completion))).value()), again(completion));
}

TEST(ReadServer, an_error_names_the_path) {
    const auto why = [](const auto& result) { return result ? std::string("none") : result.error().message; };
    EXPECT_EQ(why(read_tools(parsed(R"({"tools":[{"name":"a","inputSchema":{}},{"name":3,"inputSchema":{}}]})"))),
              "The server's answer is invalid: `result.tools[1].name` must be a string");
    EXPECT_EQ(why(read_tools(parsed("[]"))), "The server's answer is invalid: `result` must be an object");
    EXPECT_EQ(why(read_tool_result(parsed(R"({"content":[{"type":"image","data":"*","mimeType":"x/y"}]})"))),
              "The server's answer is invalid: `result.content[0].data` must be base64");
    EXPECT_EQ(why(read_tool_result(parsed(R"({"content":[{"type":"hologram"}]})"))),
              "The server's answer is invalid: `result.content[0].type` must be text, image, audio, resource_link or "
              "resource");
    EXPECT_EQ(why(read_prompt_result(parsed(R"({"messages":[{"role":"user"}]})"))),
              "The server's answer is invalid: `result.messages[0].content` is missing; it must be an object");
    EXPECT_EQ(why(read_resources(parsed(R"({"resources":[{"uri":"a:b","name":"n","annotations":{"priority":"x"}}]})"))),
              "The server's answer is invalid: `result.resources[0].annotations.priority` must be a number");
    EXPECT_EQ(why(read_completion(parsed(R"({"completion":{"values":[1]}})"))),
              "The server's answer is invalid: `result.completion.values[0]` must be a string");
    EXPECT_EQ(why(read_introduction(parsed(R"({"protocolVersion":"x","capabilities":{},"serverInfo":{"name":"a"}})"))),
              "The server's answer is invalid: `result.serverInfo.version` is missing; it must be a string");
}

TEST(ReadServer, unknown_members_are_ignored) {
    EXPECT_TRUE(read_tools(parsed(R"({"tools":[{"name":"a","inputSchema":{},"new":1}],"new":{}})")));
    EXPECT_TRUE(read_tool_result(parsed(R"({"content":[],"later":[1]})")));
}

TEST(ReadServer, capabilities_are_read) {
    const auto info = read_introduction(parsed(
        R"({"protocolVersion":"2025-06-18","serverInfo":{"name":"a","version":"1"},"instructions":"i",
            "capabilities":{"tools":{},"resources":{"subscribe":true,"listChanged":true},"logging":{},
                            "extensions":{"e/x":{}}}})"));
    ASSERT_TRUE(info);
    EXPECT_TRUE(info->capabilities.tools && !info->capabilities.tools_list_changed);
    EXPECT_TRUE(info->capabilities.resources_subscribe && info->capabilities.resources_list_changed);
    EXPECT_TRUE(info->capabilities.logging && !info->capabilities.prompts && !info->capabilities.completions);
    EXPECT_TRUE(info->capabilities.has_extension("e/x"));
    EXPECT_EQ(info->instructions, "i");
}

TEST(ReadServer, a_written_sampling_request_is_read_back) {
    SampleRequest request;
    request.messages = {{Role::user, {TextContent{"hi"}}},
                        {Role::assistant, {ToolUse{"1", "t", {{"a", 1}}}, TextContent{"x"}}},
                        {Role::user, {ToolUseResult{"1", {TextContent{"r"}}, json::value(1), true}}}};
    request.maxTokens = 5;
    request.systemPrompt = "s";
    request.temperature = 0.5;
    request.stopSequences = {"a"};
    request.modelPreferences = ModelPreferences{{"m"}, 0.1, 0.2, 0.3};
    request.includeContext = "none";
    request.metadata = {{"k", 1}};
    request.tools = {Tool{"t", "d"}};
    request.toolChoice = "auto";
    const auto read = read_sample_request(parsed(again(request)).as_object());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(again(*read), again(request));
}

// rules: LIFE-12
TEST(WriteClient, capabilities_are_written_in_the_form_of_each_revision) {
    const ClientIdentity all{{"c", "1"}, {true, true, true, true, true, {{"e/x", json::object()}}}};
    const auto capabilities = [&](std::string_view name) {
        const auto sent = parsed(encode_introduction(all, Rules(*revision(name))).json);
        return json::write(sent.at("capabilities"));
    };
    EXPECT_EQ(capabilities("2025-03-26"), R"({"roots":{"listChanged":true},"sampling":{}})");
    EXPECT_EQ(capabilities("2025-06-18"), R"({"roots":{"listChanged":true},"sampling":{},"elicitation":{}})");
    EXPECT_EQ(capabilities("2025-11-25"),
              R"({"roots":{"listChanged":true},"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}},)"
              R"("extensions":{"e/x":{}}})");
    const json::object meta = request_meta(all, newest);
    EXPECT_EQ(json::write(meta.at("io.modelcontextprotocol/clientCapabilities").at("roots")), "{}");
    EXPECT_TRUE(request_meta(all, Rules(legacy_revisions().front())).empty());
}

}  // namespace
}  // namespace tenon::protocol
