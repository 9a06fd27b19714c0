// Servers that ask their client: by requests of their own, or by results that require input (2026-07-28).
#include "typescript_fixture.hpp"

namespace tenon::test {
namespace {

class TypeScriptQuestions : public TypeScript {
 protected:
    static ClientOptions answering() {
        ClientOptions o;
        o.on_elicit = [](const ElicitRequest& request, std::stop_token) {
            EXPECT_EQ(request.message, "Who are you?");
            return ElicitResult{ElicitAction::accept, {{"name", "Ada"}}};
        };
        o.on_elicit_url = [](const ElicitUrlRequest& request, std::stop_token) {
            EXPECT_EQ(request.url, "https://example.com/login");
            return ElicitResult{ElicitAction::accept, {}};
        };
        o.on_sample = [](const SampleRequest& request, std::stop_token) {
            EXPECT_EQ(request.maxTokens, 10);
            return SampleResult{.content = {TextContent{"Rest"}}, .model = "test-model"};
        };
        o.on_roots = [](std::stop_token) { return std::vector<Root>{{"file:///a"}, {"file:///b", "B"}}; };
        return o;
    }
};
class TypeScriptInterview : public TypeScriptQuestions {};
class TypeScriptWithoutSession : public TypeScriptQuestions {};

TEST_P(TypeScriptQuestions, elicitation_sampling_and_roots_are_answered_or_declined) {
    ClientOptions o = answering();
    std::atomic<bool> decline = false;
    o.on_elicit = [&, accept = o.on_elicit](const ElicitRequest& request, std::stop_token stop) {
        return decline ? ElicitResult{ElicitAction::decline, {}} : accept(request, stop);
    };
    Client c = connected(std::move(o));
    EXPECT_EQ(text_of(c.call_tool("introduce")), "Ada, 36");
    EXPECT_EQ(text_of(c.call_tool("consult")), "test-model: Rest");
    EXPECT_EQ(text_of(c.call_tool("places")), "file:///a file:///b");
    decline = true;
    EXPECT_EQ(text_of(c.call_tool("introduce")), "decline");
}

TEST_P(TypeScriptInterview, several_questions_and_a_second_round_are_answered) {
    Client c = connected(answering());
    EXPECT_EQ(text_of(c.call_tool("interview")), "Ada, Rest, 2, accept");
}

// In 2025-11-25 without a session the server cannot ask, and returns an error.
TEST_P(TypeScriptWithoutSession, a_question_without_a_session_is_a_tool_error) {
    Client c = connected(answering());
    const ToolResult result = c.call_tool("introduce");
    EXPECT_TRUE(result.isError);
    EXPECT_TRUE(
        contains(text_of(result), is_v2() ? "cannot receive server-to-client requests" : "Client does not support"))
        << text_of(result);
}

using namespace typescript;
INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptQuestions,
                         ::testing::Values(v1_stdio, v1_http, v2_stdio, v2_stdio_legacy, v2_http),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptInterview, ::testing::Values(v2_stdio, v2_stdio_legacy, v2_http),
                         ::testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptWithoutSession, ::testing::Values(v1_http_json, v2_http_legacy),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
