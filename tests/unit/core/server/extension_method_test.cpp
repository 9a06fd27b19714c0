// Methods of extensions: which names are accepted, and which extension they belong to.
#include "core/server/extension_method.hpp"

#include <gtest/gtest.h>

#include "core/server/uses.hpp"

namespace tenon::core {
namespace {

const json::object declared{{"com.example/sums", json::object()},
                            {"com.example/sums/big", json::object()},
                            {"org.example/search", json::object()},
                            {"weather", json::object()}};

std::string extension(std::string_view method, std::string_view asked = "") {
    const auto found = extension_of_method(method, asked, declared);
    return found ? *found : "refused: " + found.error().message;
}
std::string refusal(std::string_view method, std::string_view asked = "") {
    const std::string text = extension(method, asked);
    return text.starts_with("refused: ") ? text : "accepted";
}
bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ExtensionMethod, belongs_to_the_extension_that_begins_its_name) {
    EXPECT_EQ(extension("com.example/sums/add"), "com.example/sums");
    EXPECT_EQ(extension("com.example/sums/big/add"), "com.example/sums/big");
    EXPECT_EQ(extension("com.example/sums"), "com.example/sums");
    EXPECT_EQ(extension("weather/today"), "weather");
}

TEST(ExtensionMethod, belongs_to_the_only_extension_of_its_vendor) {
    EXPECT_EQ(extension("org.example/find"), "org.example/search");
    EXPECT_TRUE(says(refusal("com.example/summary"), "could belong to several extensions"));
    EXPECT_EQ(extension("com.example/summary", "com.example/sums"), "com.example/sums");
    EXPECT_EQ(extension("net.example/add", "com.example/sums"), "com.example/sums");
}

TEST(ExtensionMethod, needs_a_declared_extension) {
    EXPECT_TRUE(says(refusal("net.example/add"), "belongs to no extension: declare one"));
    EXPECT_TRUE(says(refusal("com.example/sums/add", "com.example/none"), "which is not declared"));
}

TEST(ExtensionMethod, must_not_be_a_method_of_the_protocol) {
    for (const char* name : {"tools/call", "ping", "tasks/result", "notifications/message", "sampling/createMessage"})
        EXPECT_TRUE(says(refusal(name), "is a method of the protocol")) << name;
}

TEST(ExtensionMethod, needs_the_prefix_of_a_vendor) {
    for (const char* name :
         {"", "add", "/add", "sums/add", "com.example", "tools/launch", "notifications/mine", "weatherman/today"})
        EXPECT_TRUE(says(refusal(name), "needs a prefix of its vendor")) << name << " " << refusal(name);
    EXPECT_TRUE(says(refusal("sums/add", "com.example/sums"), "needs a prefix of its vendor"));
}

TEST(ExtensionMethod, must_fit_into_a_header_and_leave_the_names_of_json_rpc_alone) {
    for (const std::string& name : {std::string("com.example/sums/ä"), std::string("com.example/sums/a b"),
                                    std::string("com.example/sums/a\n"), "com.example/sums/" + std::string(128, 'x')})
        EXPECT_TRUE(says(refusal(name), "at most 128 characters")) << name;
    EXPECT_TRUE(says(refusal("rpc.example/add"), "JSON-RPC reserves"));
}

struct MethodRegistry : testing::Test {
    Result<void> add(std::string name, json::object schema = {{"type", "object"}}) {
        return registry.add(MethodEntry{.name = std::move(name), .params_schema = std::move(schema), .handler = {}},
                            declared);
    }
    Registry registry;
};

TEST_F(MethodRegistry, refuses_duplicates_and_invalid_schemas) {
    ASSERT_TRUE(add("com.example/sums/add"));
    EXPECT_TRUE(says(add("com.example/sums/add").error().message, "already a method `com.example/sums/add`"));
    EXPECT_TRUE(says(add("com.example/sums/sub", {{"type", "string"}}).error().message, "\"type\": \"object\""));
    EXPECT_EQ(registry.snapshot()->methods.all().size(), 1U);
}

TEST_F(MethodRegistry, finds_a_declared_extension_without_methods) {
    const json::object two{{"com.example/sums", json::object()}, {"weather", json::object()}};
    EXPECT_TRUE(registry.check_extensions({}));
    EXPECT_TRUE(says(registry.check_extensions(two).error().message, "`com.example/sums` has no methods"));
    ASSERT_TRUE(add("com.example/sums/add"));
    EXPECT_TRUE(says(registry.check_extensions(two).error().message, "`weather` has no methods"));
    ASSERT_TRUE(add("weather/today"));
    EXPECT_TRUE(registry.check_extensions(two));
}

TEST_F(MethodRegistry, a_request_of_an_extension_uses_its_method) {
    ASSERT_TRUE(add("com.example/sums/add"));
    const auto uses = uses_of("com.example/sums/add", {}, *registry.snapshot());
    ASSERT_EQ(uses.size(), 1U);
    EXPECT_EQ(uses[0].kind, UseKind::method);
    EXPECT_EQ(uses[0].key, "com.example/sums/add");
    EXPECT_TRUE(uses_of("com.example/sums/sub", {}, *registry.snapshot()).empty());
}

}  // namespace
}  // namespace tenon::core
