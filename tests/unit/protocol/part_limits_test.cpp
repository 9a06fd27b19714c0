// Parts of a message over their limit are refused before values are built from them.
#include "protocol/part_limits.hpp"

#include <gtest/gtest.h>

namespace tenon::protocol {
namespace {

std::string quoted(std::size_t bytes) { return '"' + std::string(bytes, 'x') + '"'; }

// Returns the error of a request with these parameters, or nothing when it is accepted.
std::optional<Error> refusal(const std::string& params, const Limits& limits = {}) {
    const auto in =
        jsonrpc::decode(R"({"jsonrpc":"2.0","id":1,"method":"m","params":)" + params + "}", decode_limits(limits));
    const auto* invalid = std::get_if<jsonrpc::Invalid>(&in.messages.at(0));
    return invalid ? std::optional(invalid->error) : std::nullopt;
}

void expect_limit(const std::string& before, const std::string& after, std::size_t max, const std::string& says) {
    EXPECT_EQ(refusal(before + quoted(max) + after), std::nullopt) << before;
    const auto error = refusal(before + quoted(max + 1) + after);
    ASSERT_TRUE(error) << before;
    EXPECT_EQ(error->code, code::invalid_params);
    EXPECT_EQ(error->message, "Invalid params: " + says);
}

TEST(PartLimits, a_progress_token_is_limited) {
    expect_limit(R"({"_meta":{"progressToken":)", "}}", 1024,
                 "`params._meta.progressToken` is longer than the limit `max_id_bytes` of 1024 bytes");
}

TEST(PartLimits, uris_in_parameters_are_limited) {
    const auto says = [](const std::string& path) {
        return "`params." + path + "` is longer than the limit `max_uri_bytes` of 8192 bytes";
    };
    expect_limit(R"({"uri":)", "}", 8192, says("uri"));
    expect_limit(R"({"mode":"url","url":)", "}", 8192, says("url"));
    expect_limit(R"({"ref":{"type":"ref/resource","uri":)", "}}", 8192, says("ref.uri"));
    expect_limit(R"({"notifications":{"resourceSubscriptions":["a:b",)", "]}}", 8192,
                 says("notifications.resourceSubscriptions[]"));
    expect_limit(R"({"inputResponses":{"a":{},"b":{"roots":[{"uri":"a:b"},{"uri":)", "}]}}}", 8192,
                 says("inputResponses.*.roots[].uri"));
}

TEST(PartLimits, uris_in_results_are_limited) {
    for (const std::string before : {R"({"roots":[{"uri":)", R"({"inputRequests":{"a":{"params":{"url":)"}) {
        const std::string after = before.find("roots") != std::string::npos ? "}]}" : "}}}}";
        const auto outcome = [&](std::size_t bytes) {
            const auto in = jsonrpc::decode(
                R"({"jsonrpc":"2.0","id":1,"result":)" + before + quoted(bytes) + after + "}", decode_limits(Limits{}));
            return std::get<jsonrpc::Response>(in.messages.at(0)).outcome;
        };
        EXPECT_TRUE(outcome(8192)) << before;
        ASSERT_FALSE(outcome(8193)) << before;
        EXPECT_NE(outcome(8193).error().message.find("is longer than the limit `max_uri_bytes` of 8192 bytes"),
                  std::string::npos);
        EXPECT_LT(outcome(8193).error().message.size(), 200u);  // the message does not quote the URI
    }
}

TEST(PartLimits, client_info_and_capabilities_are_limited_in_both_eras) {
    const std::string says =
        "Invalid params: the client's description (`clientInfo` and `capabilities`) is longer than the limit "
        "`max_client_info_bytes` of 65536 bytes";
    const std::string half = quoted(40'000);
    for (const std::string& params :
         {R"({"clientInfo":{"name":)" + half + R"(},"capabilities":{"experimental":{"a":)" + half + "}}}",
          R"({"_meta":{"io.modelcontextprotocol/clientInfo":{"name":)" + half +
              R"(},"io.modelcontextprotocol/clientCapabilities":{"experimental":{"a":)" + half + "}}}}"}) {
        const auto error = refusal(params);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code, code::invalid_params);
        EXPECT_EQ(error->message, says);
        Limits generous;
        generous.max_client_info_bytes = 100'000;
        EXPECT_EQ(refusal(params, generous), std::nullopt);
    }
    EXPECT_EQ(refusal(R"({"clientInfo":{"name":)" + half + "}}"), std::nullopt);
}

TEST(PartLimits, many_small_values_in_capabilities_count_by_their_bytes) {
    std::string many = R"({"capabilities":{"experimental":{"a":[0)";
    for (int i = 0; i < 30'000; ++i) many += ",0";
    EXPECT_TRUE(refusal(many + "]}}}"));
}

TEST(PartLimits, the_limits_do_not_apply_to_tool_arguments) {
    EXPECT_EQ(refusal(R"({"name":"t","arguments":{"uri":)" + quoted(100'000) + R"(,"capabilities":)" + quoted(100'000) +
                      "}}"),
              std::nullopt);
}

}  // namespace
}  // namespace tenon::protocol
