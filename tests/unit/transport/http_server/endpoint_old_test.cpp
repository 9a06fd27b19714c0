// HTTP+SSE, the transport of 2024-11-05.
#include "unit/transport/http_server/endpoint_fixture.hpp"

namespace tenon::test {
namespace {

struct OldTransport : Endpoint {
    Sent stream() { return w().send("GET", "/sse", ""); }
    static std::string path_of(const Sent& sent) { return sent.writer->events.at(0).data; }
    Sent old_post(const Sent& to, const json::value& message) {
        return w().send("POST", path_of(to), "", json::write(message));
    }
};

TEST_F(OldTransport, answers_are_sent_on_the_stream) {
    Sent one = stream(), two = stream();
    EXPECT_EQ(one.writer->events.at(0).type, "endpoint");
    EXPECT_EQ(path_of(one), "/messages?sessionId=session-1");
    EXPECT_EQ(old_post(one, initialize_request("2024-11-05")).status(), 202);
    EXPECT_EQ(one.answer().at("result").at("protocolVersion").as_string(), "2024-11-05");
    old_post(one, notification("notifications/initialized"));
    EXPECT_EQ(old_post(one, echo(1, "hello")).status(), 202);
    EXPECT_EQ(old_post(one, tool_request(2, "talk")).status(), 202);
    w().run_all();
    EXPECT_EQ(one.writer->messages().size(), 5U) << "expected the endpoint event, three answers and a log message";
    EXPECT_FALSE(one.over());
    EXPECT_EQ(two.writer->messages().size(), 1U);
    EXPECT_EQ(w().endpoint->sessions(), 2U);
    one.disconnect();
    EXPECT_EQ(w().endpoint->sessions(), 1U) << "the session must end with its stream";
    EXPECT_EQ(old_post(one, request(3, "ping")).status(), 404);
}

TEST_F(OldTransport, a_cancelled_request_leaves_the_stream_open) {
    Sent one = stream();
    old_post(one, initialize_request("2024-11-05"));
    old_post(one, tool_request(1, "hold"));
    w().run_all();
    old_post(one, cancellation(1));
    EXPECT_FALSE(one.over());
    old_post(one, request(2, "ping"));
    EXPECT_EQ(one.answer().at("id").as_int64(), 2);
}

TEST_F(OldTransport, malformed_bodies_are_answered_on_the_stream) {
    Sent one = stream();
    EXPECT_EQ(w().send("POST", path_of(one), "", "{").status(), 202);
    EXPECT_EQ(one.error(), code::parse_error);
}

TEST_F(OldTransport, missing_or_unknown_session_ids_are_refused) {
    for (const char* path :
         {"/messages", "/messages?", "/messages?sessionId=", "/messages?sessionId=nobody", "/messages?x"})
        EXPECT_EQ(w().send("POST", path, "", R"({"jsonrpc":"2.0","id":1,"method":"ping"})").status(), 404) << path;
}

// Each transport sends its answers on its own stream, so a request to the wrong endpoint would never be answered.
TEST_F(OldTransport, a_session_of_one_transport_cannot_be_used_by_the_other) {
    const std::string session = w().begin();
    const Sent listener = w().listen(session);
    EXPECT_EQ(
        w().send("POST", "/messages?sessionId=" + session, "", R"({"jsonrpc":"2.0","id":1,"method":"ping"})").status(),
        404);
    EXPECT_TRUE(listener.writer->messages().empty());
    Sent one = stream();
    const std::string old = path_of(one).substr(path_of(one).find('=') + 1);
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(old)).status(), 404);
    EXPECT_EQ(w().listen(old).status(), 404);
    EXPECT_EQ(w().end(old).status(), 404);
    EXPECT_FALSE(one.over());
}

}  // namespace
}  // namespace tenon::test
