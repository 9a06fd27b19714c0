// A client's HTTP conversation with a server that has only the transport of 2024-11-05.
// rules: HTTP-1
#include "unit/web/conversation_fixture.hpp"

namespace tenon::test {
namespace {

struct OldTransport : ConversationTest {
    void begin() {
        request(1, "initialize");
        EXPECT_EQ(respond(1, "405 No"), Lines{"start 2 GET /mcp"});
        EXPECT_EQ(head(2, sse_head), Lines{});
    }
    void open() {
        begin();
        EXPECT_EQ(piece(2, "event: endpoint\ndata: /post?s=1\n\n"),
                  (Lines{"log info: the server uses the transport of 2024-11-05", "start 3 POST /post?s=1"}));
    }
};

TEST_F(OldTransport, initialize_is_sent_again_to_the_endpoint_that_the_stream_names) {
    open();
    EXPECT_EQ(started.at(3).request.body, "initialize 1");
    EXPECT_EQ(started.at(2).urgency, web::Urgency::urgent);
    EXPECT_EQ(respond(3, "202 Accepted\r\nMcp-Session-Id: s"), Lines{});
    EXPECT_EQ(piece(2, sse(response_to(1))), Lines{"deliver " + response_to(1)});
    EXPECT_EQ(piece(2, "event: endpoint\ndata: /other\n\n"), Lines{});
    notify("notifications/initialized");
    EXPECT_EQ(request(2), Lines{});
    EXPECT_EQ(respond(4, "202 Accepted"), Lines{"start 5 POST /post?s=1"});  // no GET of a session
    EXPECT_EQ(field(5, "Mcp-Session-Id"), "none");
}

TEST_F(OldTransport, the_response_to_a_post_is_ignored) {
    options.max_refusal_bytes = 5;
    open();
    EXPECT_EQ(head(3, json_head), Lines{});
    EXPECT_EQ(piece(3, "abcde"), Lines{});
    EXPECT_EQ(piece(3, "f"), Lines{"cancel 3"});
    request(2);
    head(4, sse_head);
    EXPECT_EQ(failed(4), Lines{});
}

TEST_F(OldTransport, a_refused_post_fails_its_request) {
    open();
    EXPECT_EQ(respond(3, "500 Oops"), Lines{"fail 1: the server answered HTTP 500 Internal Server Error"});
    request(2);
    EXPECT_EQ(failed(4), Lines{"fail 2: broke"});
}

TEST_F(OldTransport, a_request_is_cancelled_by_a_message_even_after_its_post) {
    open();
    respond(3, "202 Accepted");
    request(2);
    respond(4, "202 Accepted");
    EXPECT_EQ(cancel(2), (Lines{"start 5 POST /post?s=1", "timer 30000"}));
}

TEST_F(OldTransport, a_held_request_is_cancelled_without_a_message) {
    open();
    respond(3, "202 Accepted");
    notify("notifications/initialized");
    request(2);
    EXPECT_EQ(cancel(2), Lines{});
    EXPECT_EQ(respond(4, "202 Accepted"), Lines{});
}

TEST_F(OldTransport, the_end_of_its_stream_loses_the_connection) {
    open();
    EXPECT_EQ(end(2), Lines{"connection lost: the server's stream ended before the answer"});
}

TEST_F(OldTransport, an_event_over_the_limit_loses_the_connection) {
    options.max_message_bytes = 50;
    open();
    const Lines lines = piece(2, "data: " + std::string(200, 'x'));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], "cancel 2");
    EXPECT_TRUE(lines[1].starts_with("connection lost: the server's answer is longer")) << lines[1];
}

TEST_F(OldTransport, without_its_stream_the_first_error_is_reported) {
    const std::string first = "fail 1: the server answered HTTP 405 Method Not Allowed";
    request(1, "initialize");
    respond(1, "405 No");
    EXPECT_EQ(respond(2, "404 No"), Lines{first});
    request(1, "initialize");
    respond(3, "405 No");
    EXPECT_EQ(failed(4), Lines{first});
    request(1, "initialize");
    respond(5, "405 No");
    EXPECT_EQ(head(6, json_head), (Lines{"cancel 6", first}));
    request(1, "initialize");
    respond(7, "405 No");
    head(8, sse_head);
    EXPECT_EQ(end(8), Lines{first});
}

TEST_F(OldTransport, an_endpoint_of_another_origin_is_not_used) {
    begin();
    EXPECT_EQ(piece(2, "event: endpoint\ndata: http://other/post\n\n"),
              (Lines{"cancel 2", "fail 1: the server names an endpoint of another origin, which is not used"}));
}

TEST_F(OldTransport, an_initialize_that_was_cancelled_is_not_sent_again) {
    begin();
    cancel(1);
    EXPECT_EQ(piece(2, "event: endpoint\ndata: /post\n\n"),
              Lines{"log info: the server uses the transport of 2024-11-05"});
}

TEST_F(OldTransport, a_new_initialize_replaces_the_stream_of_the_last_attempt) {
    begin();
    cancel(1);
    request(2, "initialize");
    EXPECT_EQ(respond(4, "405 No"), (Lines{"cancel 2", "start 5 GET /mcp"}));
}

TEST_F(OldTransport, is_tried_only_for_initialize_and_only_when_it_is_on) {
    request(7);
    EXPECT_EQ(respond(1, "405 No").size(), 1U);
    EXPECT_EQ(errors.count(7), 1U);
    request(8, "initialize");
    EXPECT_EQ(respond(2, "401 No").size(), 1U);
    EXPECT_EQ(errors.count(8), 1U);
}

TEST_F(OldTransport, is_not_tried_when_old_http_sse_is_off) {
    options.old_http_sse = false;
    request(1, "initialize");
    EXPECT_EQ(respond(1, "405 No"), Lines{"fail 1: the server answered HTTP 405 Method Not Allowed"});
}

TEST_F(OldTransport, finish_closes_its_stream_without_delete) {
    open();
    respond(3, "202 Accepted");
    EXPECT_EQ(feed(step::Finish{}), (Lines{"cancel 2", "finished"}));
}

}  // namespace
}  // namespace tenon::test
