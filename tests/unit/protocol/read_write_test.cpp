// rules: LIFE-1, LIFE-10
#include <gtest/gtest.h>

#include <cmath>

#include "protocol/read.hpp"
#include "protocol/write.hpp"

namespace tenon::protocol {
namespace {

ClientCapabilities capabilities(std::string_view text) {
    return read_capabilities(json::parse(text).value().get_object());
}

TEST(ReadCapabilities, empty_capabilities_declare_nothing) {
    const auto c = capabilities("{}");
    EXPECT_FALSE(c.roots || c.sampling || c.sampling_tools || c.elicitation_form || c.elicitation_url);
}

TEST(ReadCapabilities, only_an_object_declares_a_capability) {
    const auto c = capabilities(R"({"roots":true,"sampling":null,"elicitation":[]})");
    EXPECT_FALSE(c.roots || c.sampling || c.elicitation_form);
}

TEST(ReadCapabilities, elicitation_without_a_mode_means_forms) {
    EXPECT_TRUE(capabilities(R"({"elicitation":{}})").elicitation_form);
    EXPECT_FALSE(capabilities(R"({"elicitation":{}})").elicitation_url);
    EXPECT_FALSE(capabilities(R"({"elicitation":{"url":{}}})").elicitation_form);
    EXPECT_TRUE(capabilities(R"({"elicitation":{"url":{},"form":{}}})").elicitation_form);
}

TEST(ReadInitialize, errors_name_the_missing_or_invalid_member) {
    const auto read = [](std::string_view text) { return read_initialize(json::parse(text).value().get_object()); };
    EXPECT_NE(read("{}").error().message.find("`params.protocolVersion` is missing"), std::string::npos);
    EXPECT_NE(read(R"({"protocolVersion":"x","capabilities":{},"clientInfo":{"name":1,"version":"1"}})")
                  .error()
                  .message.find("`params.clientInfo.name`"),
              std::string::npos);
    EXPECT_TRUE(read(R"({"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"a","version":"1"}})"));
}

TEST(Write, nan_and_infinity_are_left_out) {
    const Rules rules(Revision::v2025_11_25);
    EXPECT_EQ(
        encode(Content(TextContent{"t", {.audience = {Role::user}, .priority = std::nan(""), .lastModified = {}}}),
               rules)
            .json,
        R"({"type":"text","text":"t","annotations":{"audience":["user"]}})");
    SampleRequest request;
    request.temperature = INFINITY;
    EXPECT_EQ(encode(request, rules).json, R"({"messages":[],"maxTokens":1000})");
}

}  // namespace
}  // namespace tenon::protocol
