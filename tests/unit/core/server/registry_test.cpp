// rules: TOOL-1, TOOL-2, RES-1, RES-3, PROMPT-1, ANTI-3, ANTI-4
#include <gtest/gtest.h>

#include "core/server/features.hpp"

namespace tenon::core {
namespace {

json::object parsed(std::string_view text) { return json::parse(text).value().get_object(); }

ToolEntry tool(std::string name, std::string description = "Does something",
               std::string_view input = R"({"type":"object"})") {
    return {.definition = {std::move(name), std::move(description), parsed(input)}, .handler = {}};
}
ResourceEntry resource(std::string uri, std::string name = "r") {
    return {.definition = {std::move(uri), std::move(name)}, .handler = {}};
}
TemplateEntry resource_template(std::string uri, std::string name = "t") {
    return {.definition = {std::move(uri), std::move(name)}, .handler = {}};
}
PromptEntry prompt(std::string name) { return {.definition = {std::move(name)}, .handler = {}}; }

/// Returns why the registry refuses the entry, or an empty string.
template <class Entry>
std::string refusal(Entry entry) {
    Registry registry;
    const auto ok = registry.add(std::move(entry));
    return ok ? "" : ok.error().message;
}

#define EXPECT_REFUSED(entry, words) \
    EXPECT_NE(refusal(entry).find(words), std::string::npos) << "the message was: " << refusal(entry)

TEST(Registry, accepts_valid_entries) {
    EXPECT_EQ(refusal(tool("a.B-c_9")), "");
    EXPECT_EQ(refusal(tool(std::string(128, 'x'))), "");
    EXPECT_EQ(refusal(resource("file:///a%20b")), "");
    EXPECT_EQ(refusal(resource("urn:isbn:0451450523")), "");
    EXPECT_EQ(refusal(resource_template("note://{day}{?page}")), "");
    EXPECT_EQ(refusal(prompt("greet")), "");
}

TEST(Registry, a_tool_needs_a_name_that_every_client_accepts) {
    EXPECT_REFUSED(tool(""), "A tool needs a name");
    EXPECT_REFUSED(tool(std::string(129, 'x')), "longer than 128 characters");
    for (const char* name : {"a b", "a/b", "é", "a\n", "a:b"}) EXPECT_REFUSED(tool(name), "may only use");
}

TEST(Registry, a_tool_needs_a_description) { EXPECT_REFUSED(tool("a", ""), "The tool `a` needs a description"); }

TEST(Registry, a_tool_needs_a_valid_object_schema) {
    EXPECT_REFUSED(tool("a", "d", "{}"), "must have \"type\": \"object\" at its root");
    EXPECT_REFUSED(tool("a", "d", R"({"type":"string"})"), "must have \"type\": \"object\"");
    EXPECT_REFUSED(tool("a", "d", R"({"type":"object","properties":[]})"),
                   "The inputSchema of the tool `a` is not a valid JSON Schema");
    EXPECT_REFUSED(tool("a", "d", R"({"type":"object","properties":{"x":{"type":"strin"}}})"),
                   "is not a valid JSON Schema");
    EXPECT_REFUSED(tool("a", "d", R"({"type":"object","properties":{"x":{"$ref":"#/$defs/nowhere"}}})"),
                   "is not a valid JSON Schema");
    EXPECT_REFUSED(tool("a", "d", R"({"type":"object","properties":{"x":{"pattern":"("}}})"),
                   "is not a valid JSON Schema");
}

// rules: TOOL-2, TOOL-6
TEST(Registry, an_output_schema_must_be_valid_and_may_have_any_type) {
    ToolEntry bad = tool("a");
    bad.definition.outputSchema = parsed(R"({"type":"arra"})");
    EXPECT_REFUSED(bad, "The outputSchema of the tool `a` is not a valid JSON Schema");
    ToolEntry good = tool("a");
    good.definition.outputSchema = parsed(R"({"type":"array"})");
    EXPECT_TRUE(Registry().add(good));
}

TEST(Registry, names_are_unique) {
    Registry registry;
    ASSERT_TRUE(registry.add(tool("a")));
    const auto again = registry.add(tool("a"));
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().message.find("There is already a tool `a`: remove it first"), std::string::npos);
    ASSERT_TRUE(registry.add(resource("a:b")));
    EXPECT_FALSE(registry.add(resource("a:b", "another name")));
    ASSERT_TRUE(registry.add(resource_template("a:{b}")));
    EXPECT_FALSE(registry.add(resource_template("a:{b}")));
    ASSERT_TRUE(registry.add(prompt("a")));
    EXPECT_FALSE(registry.add(prompt("a")));
    ASSERT_TRUE(registry.remove_tool("a"));
    EXPECT_TRUE(registry.add(tool("a")));
}

TEST(Registry, a_resource_needs_a_name_and_a_uri) {
    EXPECT_REFUSED(resource("a:b", ""), "needs a name");
    for (const char* uri : {"", "notes", "/a/b", "a b:c", "file:///a b", "1a:b", "file:///%zz"})
        EXPECT_REFUSED(resource(uri), "is not a URI with a scheme (RFC 3986)");
    for (const char* uri : {"file:///a/../b", "file:///a/%2e%2e/b", "file:///./a"})
        EXPECT_REFUSED(resource(uri), "segment: write it without");
}

TEST(Registry, a_template_needs_a_name_and_a_valid_uri_template) {
    EXPECT_REFUSED(resource_template("a:{b}", ""), "needs a name");
    for (const char* uri : {"a:{b", "a:b}", "a:{}", "a:{b c}", "a:{|b}"})
        EXPECT_REFUSED(resource_template(uri), "is not a URI template (RFC 6570)");
}

TEST(Registry, a_completer_needs_an_existing_variable_or_argument) {
    TemplateEntry t = resource_template("a:{b}");
    t.completers["c"] = [](const CompletionRequest&) { return Completion{}; };
    EXPECT_REFUSED(t, "has no variable `c` to complete");
    PromptEntry p = prompt("a");
    p.completers["c"] = [](const CompletionRequest&) { return Completion{}; };
    EXPECT_REFUSED(p, "has no argument `c` to complete");
}

TEST(Registry, a_prompt_and_its_arguments_need_unique_names) {
    EXPECT_REFUSED(prompt(""), "A prompt needs a name");
    PromptEntry p = prompt("a");
    p.definition.arguments = {{"x"}, {"x"}};
    EXPECT_REFUSED(p, "two arguments `x`");
    p.definition.arguments = {{""}};
    EXPECT_REFUSED(p, "needs a name");
}

TEST(Registry, a_refused_entry_changes_nothing) {
    Registry registry;
    ASSERT_TRUE(registry.add(tool("a")));
    const auto before = registry.snapshot();
    EXPECT_FALSE(registry.add(tool("a")));
    EXPECT_FALSE(registry.remove_tool("b"));
    EXPECT_EQ(registry.snapshot(), before);
}

TEST(Registry, a_snapshot_never_changes) {
    Registry registry;
    ASSERT_TRUE(registry.add(tool("a")));
    const auto before = registry.snapshot();
    ASSERT_TRUE(registry.add(tool("b")));
    ASSERT_TRUE(registry.remove_tool("a"));
    EXPECT_TRUE(before->tools.find("a"));
    EXPECT_FALSE(before->tools.find("b"));
    EXPECT_FALSE(registry.snapshot()->tools.find("a"));
}

}  // namespace
}  // namespace tenon::core
