// Recognising the SDK of a server by its messages.
#include "check/server/sdk.hpp"

#include <gtest/gtest.h>

namespace tenon::check {
namespace {

std::string_view sdk_of(std::initializer_list<std::string_view> texts) {
    SdkSigns signs;
    for (const std::string_view text : texts) {
        Received received{.text = std::string(text)};
        received.reading = read_patiently(text);
        signs.see(received);
    }
    return signs.sdk().name;
}

constexpr std::string_view sdk_pong = R"({"result":{},"jsonrpc":"2.0","id":2})";
constexpr std::string_view sdk_issues =
    R"([{\"expected\":\"string\",\"code\":\"invalid_type\",\"path\":[\"params\",\"name\"],\"message\":\"no\"}])";
const std::string sdk_bare =
    R"({"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":")" + std::string(sdk_issues) + "\"}}";
const std::string sdk_named =
    R"({"jsonrpc":"2.0","id":5,"error":{"code":-32602,"message":"Invalid tools/call request: )" +
    std::string(sdk_issues) + "\"}}";

TEST(Sdk, is_recognised_by_two_signs_together) {
    EXPECT_EQ(sdk_of({sdk_pong, sdk_bare}), "@modelcontextprotocol/sdk 1.x");
    EXPECT_EQ(sdk_of({sdk_pong, sdk_bare, sdk_named}), "@modelcontextprotocol/server 2.x");
}

TEST(Sdk, is_unknown_when_a_sign_is_missing) {
    EXPECT_EQ(sdk_of({}), "");
    EXPECT_EQ(sdk_of({sdk_pong}), "");
    EXPECT_EQ(sdk_of({sdk_bare}), "");
    EXPECT_EQ(sdk_of({R"({"jsonrpc":"2.0","id":2,"result":{}})", sdk_bare}), "");
    EXPECT_EQ(sdk_of({sdk_pong, R"({"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"[1]"}})"}), "");
    EXPECT_EQ(sdk_of({sdk_pong, R"({"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"Internal error"}})"}), "");
}

TEST(Sdk, explains_a_finding_only_on_its_transport_and_with_its_mark) {
    const Finding batch{.rule = find_rule("RPC-12.served"), .outcome = Outcome::fail, .revision = "", .detail = ""};
    EXPECT_TRUE(is_known_of_sdk({"@modelcontextprotocol/sdk 1.x"}, "stdio", batch));
    EXPECT_FALSE(is_known_of_sdk({"@modelcontextprotocol/sdk 1.x"}, "http", batch));
    EXPECT_FALSE(is_known_of_sdk({}, "stdio", batch));
    Finding tool{.rule = find_rule("TOOL-8.kind-of-error"), .outcome = Outcome::warning, .revision = "", .detail = ""};
    EXPECT_FALSE(is_known_of_sdk({"@modelcontextprotocol/sdk 1.x"}, "stdio", tool));
    tool.evidence = {{Evidence::Direction::received, "MCP error -32602: Tool tenon-check-no-such-tool not found"}};
    EXPECT_TRUE(is_known_of_sdk({"@modelcontextprotocol/sdk 1.x"}, "stdio", tool));
}

TEST(Sdk, explains_findings_about_lists_only_if_it_serves_them) {
    const Finding list{
        .rule = find_rule("TOOL-4.bad-cursor"), .outcome = Outcome::warning, .revision = "", .detail = ""};
    EXPECT_FALSE(is_known_of_sdk({"@modelcontextprotocol/sdk 1.x", false}, "stdio", list));
    EXPECT_TRUE(is_known_of_sdk({"@modelcontextprotocol/sdk 1.x", true}, "stdio", list));
}

}  // namespace
}  // namespace tenon::check
