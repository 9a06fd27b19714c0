// Sessions over HTTP, of version 1.
#include "typescript_fixture.hpp"

namespace tenon::test {
namespace {

class TypeScriptSessions : public TypeScript {};

TEST_P(TypeScriptSessions, end_with_the_client) {
    Client first = connected();
    EXPECT_EQ(text_of(first.call_tool("sessions")), "1");
    Client second = connected();
    EXPECT_EQ(text_of(second.call_tool("sessions")), "2");
    first.close();
    EXPECT_EQ(text_of(second.call_tool("sessions")), "1");
}

TEST_P(TypeScriptSessions, begin_anew_when_the_server_forgot) {
    Client c = connected();
    EXPECT_EQ(text_of(c.call_tool("forget")), "forgotten");
    EXPECT_EQ(text_of(c.call_tool("sessions")), "1");
}

// The server ends the stream before the answer, which is fetched by the id of the last event.
TEST_P(TypeScriptSessions, resume_a_stream) {
    Client c = connected();
    EXPECT_EQ(text_of(c.call_tool("resume")), "resumed");
}

INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptSessions, ::testing::Values(typescript::v1_http),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
