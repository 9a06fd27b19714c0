// Every tool of the server that returns a result without asking the client.
#include "everything_fixture.hpp"

namespace tenon::test {

struct Weather {
    double temperature;
    std::string conditions;
    double humidity;
};
BOOST_DESCRIBE_STRUCT(Weather, (), (temperature, conditions, humidity))

namespace {

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view gzip_signature = "\x1f\x8b\x08";

void check_texts(Client& c) {
    EXPECT_EQ(text_of(c.call_tool("echo", {{"message", "Grüße, 世界 \U0001F600\n\"quoted\""}})),
              "Echo: Grüße, 世界 \U0001F600\n\"quoted\"");
    EXPECT_EQ(text_of(c.call_tool("get-sum", {{"a", 2}, {"b", 40}})), "The sum of 2 and 40 is 42.");
    EXPECT_EQ(text_of(c.call_tool("get-sum", {{"a", 0.5}, {"b", -2.25}})), "The sum of 0.5 and -2.25 is -1.75.");
    EXPECT_TRUE(json::parse(text_of(c.call_tool("get-env"))).value().as_object().contains("PATH"));
    const std::string long_text(1'000'000, 'x');
    EXPECT_EQ(text_of(c.call_tool("echo", {{"message", long_text}})), "Echo: " + long_text);
}

void check_structured_content(Client& c) {
    for ([[maybe_unused]] const Tool& tool : c.list_tools()) {
    }  // listing the tools makes the client check results against their output schemas
    const ToolResult result = c.call_tool("get-structured-content", {{"location", "Chicago"}});
    EXPECT_EQ(result.structuredContent.value().at("conditions"), json::value("Light rain / drizzle"));
    EXPECT_EQ(json::parse(text_of(result)).value(), *result.structuredContent);

    const auto weather = c.call_tool_as<Weather>("get-structured-content", {{"location", "Los Angeles"}});
    EXPECT_EQ(weather.temperature, 73);
    EXPECT_EQ(weather.conditions, "Sunny / Clear");
    EXPECT_EQ(weather.humidity, 48);
    EXPECT_TRUE(contains(error_of([&] {
                             c.call_tool_as<Weather>("get-structured-content", {{"location", "Oslo"}});
                         }).message,
                         "location"));
}

void check_annotations(Client& c) {
    const auto annotated = [&](const std::string& type, bool image) {
        return c.call_tool("get-annotated-message", {{"messageType", type}, {"includeImage", image}}).content;
    };
    const auto error = annotated("error", false);
    ASSERT_EQ(error.size(), 1u);
    EXPECT_EQ(std::get<TextContent>(error[0]).annotations.priority, 1.0);
    EXPECT_EQ(std::get<TextContent>(error[0]).annotations.audience, (std::vector{Role::user, Role::assistant}));
    const auto debug = annotated("debug", true);
    ASSERT_EQ(debug.size(), 2u);
    EXPECT_EQ(std::get<TextContent>(debug[0]).annotations.priority, 0.3);
    EXPECT_EQ(std::get<TextContent>(debug[0]).annotations.audience, std::vector{Role::assistant});
    EXPECT_EQ(std::get<ImageContent>(debug[1]).annotations.audience, std::vector{Role::user});
}

void check_images_links_and_references(Client& c) {
    const auto image = c.call_tool("get-tiny-image").content;
    ASSERT_EQ(image.size(), 3u);
    EXPECT_EQ(std::get<ImageContent>(image[1]).mimeType, "image/png");
    EXPECT_TRUE(std::get<ImageContent>(image[1]).bytes.starts_with(png_signature));

    const auto links = c.call_tool("get-resource-links", {{"count", 4}}).content;
    ASSERT_EQ(links.size(), 5u);
    const auto& link = std::get<ResourceLink>(links[2]);
    EXPECT_EQ(link.name, "Text Resource 2");
    EXPECT_TRUE(c.read_resource(link.uri).contents.at(0).text.starts_with("Resource 2"));
    EXPECT_EQ(c.call_tool("get-resource-links").content.size(), 4u);  // the schema's default count

    const auto reference = c.call_tool("get-resource-reference", {{"resourceType", "Blob"}, {"resourceId", 5}}).content;
    ASSERT_EQ(reference.size(), 3u);
    const auto& resource = std::get<EmbeddedResource>(reference[1]).resource;
    EXPECT_EQ(resource.uri, "demo://resource/dynamic/blob/5");
    EXPECT_TRUE(resource.blob.value().starts_with("Resource 5"));
}

void check_refusals(Client& c) {
    // For an unknown tool the SDK returns a tool result where the protocol wants an error.
    const ToolResult unknown = c.call_tool("no-such-tool");
    EXPECT_TRUE(unknown.isError);
    EXPECT_EQ(text_of(unknown), "MCP error -32602: Tool no-such-tool not found");
    const ToolResult bad = c.call_tool("get-sum", {{"a", "two"}, {"b", 40}});
    EXPECT_TRUE(bad.isError);
    EXPECT_TRUE(contains(text_of(bad), "Input validation error")) << text_of(bad);
    EXPECT_EQ(error_of([&] { c.request("no/such/method"); }).code, code::method_not_found);
}

TEST_P(Everything, tools_return_each_kind_of_content) {
    Client c = connected();
    check_texts(c);
    check_structured_content(c);
    check_annotations(c);
    check_images_links_and_references(c);
    check_refusals(c);
}

TEST_P(Everything, a_tool_can_add_a_resource_to_the_session) {
    Gathered<int> changes;
    ClientOptions o;
    o.on_resources_changed = [&] { changes.put(1); };
    Client c = listening(std::move(o));
    const json::object file = {{"name", "hello.gz"}, {"data", "data:text/plain,hello"}};
    const auto link = std::get<ResourceLink>(c.call_tool("gzip-file-as-resource", file).content.at(0));
    EXPECT_EQ(link.uri, "demo://resource/session/hello.gz");
    EXPECT_EQ(link.mimeType, "application/gzip");
    const auto stored = c.read_resource(link.uri).contents.at(0);
    EXPECT_TRUE(stored.blob.value().starts_with(gzip_signature));
    EXPECT_EQ(c.list_resources().all().size(), 8u);

    json::object whole = file;
    whole["outputType"] = "resource";
    const auto embedded = std::get<EmbeddedResource>(c.call_tool("gzip-file-as-resource", whole).content.at(0));
    EXPECT_EQ(embedded.resource.blob, stored.blob);
    changes.take();
}

}  // namespace
}  // namespace tenon::test
