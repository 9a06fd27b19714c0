// Sessions over HTTP with version 1 of the SDK.
#include "typescript_fixture.hpp"

namespace tenon::test {
namespace {

class TypeScriptSessions : public TypeScript {};

TEST_P(TypeScriptSessions, a_session_ends_when_its_client_closes) {
    Client first = connected();
    EXPECT_EQ(text_of(first.call_tool("sessions")), "1");
    Client second = connected();
    EXPECT_EQ(text_of(second.call_tool("sessions")), "2");
    first.close();
    EXPECT_EQ(text_of(second.call_tool("sessions")), "1");
}

TEST_P(TypeScriptSessions, a_session_that_the_server_lost_is_replaced) {
    Client c = connected();
    EXPECT_EQ(text_of(c.call_tool("forget")), "forgotten");
    EXPECT_EQ(text_of(c.call_tool("sessions")), "1");
}

// The server ends the stream before it sends the answer. The client fetches the answer with the id of the last event.
TEST_P(TypeScriptSessions, a_broken_stream_is_resumed_after_its_last_event) {
    Client c = connected();
    EXPECT_EQ(text_of(c.call_tool("resume")), "resumed");
}

INSTANTIATE_TEST_SUITE_P(Ways, TypeScriptSessions, ::testing::Values(typescript::v1_http),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
