// Streams of a client's HTTP conversation: of responses and of sessions.
// rules: HTTP-1, HTTP-10
#include <tenon/auth/error.hpp>

#include "unit/web/conversation_fixture.hpp"

namespace tenon::test {
namespace {

struct ClientStreams : ConversationTest {
    /// Starts request 7 as call 1, and opens its stream with an event that has the id `e1`.
    void open_resumable() {
        request(7);
        head(1, sse_head);
        EXPECT_EQ(piece(1, sse("", "id: e1\n")), Lines{});
    }
};

// ---- the stream of a request

TEST_F(ClientStreams, events_are_delivered_in_order_and_the_response_ends_the_stream) {
    request(7);
    EXPECT_EQ(head(1, sse_head), Lines{});
    EXPECT_EQ(piece(1, sse(news) + "data: " + response_to(7)), Lines{"deliver " + news});
    EXPECT_EQ(piece(1, "\n\n"), (Lines{"deliver " + response_to(7), "timer 1000"}));
    EXPECT_EQ(piece(1, sse(news)), Lines{"deliver " + news});
    EXPECT_EQ(end(1), Lines{});
    EXPECT_EQ(after(1s), Lines{});
}

TEST_F(ClientStreams, a_stream_that_breaks_after_the_response_is_not_an_error) {
    request(7);
    head(1, sse_head);
    piece(1, sse(response_to(7), "id: e1\n"));
    EXPECT_EQ(failed(1), Lines{});
    EXPECT_EQ(after(1s), Lines{});
}

TEST_F(ClientStreams, a_stream_that_stays_open_after_the_response_is_closed_after_a_second) {
    request(7);
    head(1, sse_head);
    EXPECT_EQ(piece(1, sse(response_to(7))), (Lines{"deliver " + response_to(7), "timer 1000"}));
    EXPECT_EQ(after(1s), Lines{"cancel 1"});
}

TEST_F(ClientStreams, comments_empty_events_and_unknown_types_are_ignored) {
    request(7);
    head(1, sse_head);
    EXPECT_EQ(piece(1, ": hello\n\ndata:\n\nevent: other\ndata: {}\n\nevent: endpoint\ndata: /x\n\n"), Lines{});
}

TEST_F(ClientStreams, an_event_that_is_not_a_message_fails_the_request) {
    request(7);
    head(1, sse_head);
    const Lines lines = piece(1, sse("oops") + sse(news));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], "cancel 1");
    EXPECT_EQ(errors.at(7).code, code::invalid_answer);
}

TEST_F(ClientStreams, an_event_over_the_limit_fails_the_request) {
    options.max_message_bytes = 10;
    request(7);
    head(1, sse_head);
    EXPECT_EQ(piece(1, "data: " + std::string(100, 'x')).size(), 2U);
    EXPECT_NE(errors.at(7).message.find("the limit of 10 bytes"), std::string::npos);
}

TEST_F(ClientStreams, an_event_over_the_limit_after_the_response_only_closes_the_stream) {
    options.max_message_bytes = 50;
    request(7);
    head(1, sse_head);
    piece(1, sse(response_to(7)));
    EXPECT_EQ(piece(1, "data: " + std::string(200, 'x')), Lines{"cancel 1"});
}

// ---- a stream that breaks

TEST_F(ClientStreams, a_broken_stream_is_resumed_after_its_last_event) {
    open_resumable();
    piece(1, "id: e2\nda");  // not complete, so e1 is the last event
    EXPECT_EQ(failed(1), Lines{"timer 1000"});
    EXPECT_EQ(after(999ms), Lines{"timer 1000"});
    EXPECT_EQ(after(1ms), Lines{"start 2 GET /mcp"});
    EXPECT_EQ(field(2, "Last-Event-ID"), "e1");
    EXPECT_EQ(started.at(2).urgency, web::Urgency::normal);
    head(2, sse_head);
    EXPECT_EQ(piece(2, sse(response_to(7))), (Lines{"deliver " + response_to(7), "timer 2000"}));
}

TEST_F(ClientStreams, a_stream_that_ends_without_the_response_is_resumed) {
    open_resumable();
    EXPECT_EQ(end(1), Lines{"timer 1000"});
    EXPECT_EQ(after(1s), Lines{"start 2 GET /mcp"});
}

TEST_F(ClientStreams, a_resumed_stream_belongs_to_the_session_of_its_request) {
    open_session();
    request(7);
    head(4, sse_head);
    piece(4, sse("", "id: e1\n"));
    failed(4);
    after(1s);
    EXPECT_EQ(field(5, "Mcp-Session-Id"), "s");
    EXPECT_EQ(field(5, "MCP-Protocol-Version"), "2025-11-25");
}

TEST_F(ClientStreams, the_servers_retry_time_is_used_up_to_a_limit) {
    options.max_retry_time = 10s;
    request(7);
    head(1, sse_head);
    piece(1, sse("", "id: e1\nretry: 300\n"));
    EXPECT_EQ(end(1), Lines{"timer 300"});
    after(300ms);
    head(2, sse_head);
    piece(2, sse("", "retry: 999999\n"));
    EXPECT_EQ(end(2), Lines{"timer 10300"});
}

TEST_F(ClientStreams, resuming_backs_off_and_stops_after_max_reconnects) {
    open_resumable();
    EXPECT_EQ(failed(1), Lines{"timer 1000"});
    after(1s);
    EXPECT_EQ(failed(2), Lines{"timer 3000"});
    after(2s);
    EXPECT_EQ(respond(3, "503 Busy"), Lines{"timer 7000"});
    after(4s);
    EXPECT_EQ(failed(4), Lines{"fail 7: broke"});
    EXPECT_EQ(after(9s), Lines{});
}

TEST_F(ClientStreams, an_event_restarts_the_back_off) {
    open_resumable();
    failed(1);
    after(1s);
    failed(2);
    after(2s);
    head(3, sse_head);
    piece(3, sse(""));
    EXPECT_EQ(failed(3), Lines{"timer 4000"});
}

TEST_F(ClientStreams, a_stream_without_event_ids_is_not_resumed) {
    request(7);
    head(1, sse_head);
    piece(1, sse(news));
    EXPECT_EQ(end(1), Lines{"fail 7: the server's stream ended before the answer"});
}

TEST_F(ClientStreams, a_stateless_stream_is_not_resumed) {
    stateless_request(7);
    head(1, sse_head);
    piece(1, sse(news, "id: e1\n"));
    EXPECT_EQ(failed(1), Lines{"fail 7: broke"});
}

TEST_F(ClientStreams, a_stream_is_not_resumed_after_an_event_id_over_the_limit) {
    options.max_event_id_bytes = 1;
    open_resumable();
    EXPECT_EQ(failed(1), Lines{"fail 7: broke"});
}

TEST_F(ClientStreams, a_stream_is_not_resumed_after_a_failed_sign_in) {
    open_resumable();
    failed(1);
    after(1s);
    EXPECT_EQ(failed(2, code::not_authorised), Lines{"fail 7: broke"});
}

TEST_F(ClientStreams, a_refused_resumption_fails_the_request) {
    open_resumable();
    failed(1);
    after(1s);
    EXPECT_EQ(respond(2, "405 No"), Lines{"fail 7: the server answered HTTP 405 Method Not Allowed"});
}

TEST_F(ClientStreams, a_session_that_ends_while_a_stream_is_resumed_fails_the_request) {
    open_session();
    request(7);
    head(4, sse_head);
    piece(4, sse("", "id: e1\n"));
    failed(4);
    after(1s);
    EXPECT_EQ(respond(5, "404 Gone"),
              (Lines{"cancel 3", "fail 7: the server has ended the session", "session lost 0"}));
    EXPECT_EQ(request(8), Lines{"session lost 8"});
}

TEST_F(ClientStreams, a_request_that_waits_to_be_resumed_can_be_cancelled) {
    open_resumable();
    failed(1);
    EXPECT_EQ(cancel(7), Lines{"start 2 POST /mcp"});
    respond(2, "202 Accepted");
    EXPECT_EQ(after(1s), Lines{});
}

// ---- the stream of a session

TEST_F(ClientStreams, messages_of_the_sessions_stream_are_delivered) {
    open_session();
    EXPECT_EQ(head(3, sse_head), Lines{});
    EXPECT_EQ(piece(3, sse(news)), Lines{"deliver " + news});
}

TEST_F(ClientStreams, status_405_means_that_a_session_has_no_stream) {
    open_session();
    EXPECT_EQ(respond(3, "405 No"), Lines{});
    EXPECT_EQ(after(60s), Lines{});
}

TEST_F(ClientStreams, another_refusal_of_the_sessions_stream_is_logged) {
    open_session();
    EXPECT_EQ(respond(3, "404 No"), Lines{"log info: the stream for server messages is not available: the server "
                                          "answered HTTP 404 Not Found"});
    EXPECT_EQ(request(2), Lines{"start 4 POST /mcp"});  // the session is not lost
}

TEST_F(ClientStreams, a_json_response_to_the_get_of_a_session_is_not_read) {
    open_session();
    const Lines lines = head(3, json_head);
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].starts_with("log info: the stream for server messages is not available")) << lines[0];
    EXPECT_EQ(lines[1], "cancel 3");
}

TEST_F(ClientStreams, the_sessions_stream_is_resumed_even_without_an_event_id) {
    open_session();
    head(3, sse_head);
    EXPECT_EQ(end(3), Lines{"timer 1000"});
    EXPECT_EQ(after(1s), Lines{"start 4 GET /mcp"});
    EXPECT_EQ(field(4, "Last-Event-ID"), "none");
    EXPECT_EQ(field(4, "Mcp-Session-Id"), "s");
    EXPECT_EQ(started.at(4).urgency, web::Urgency::urgent);
    head(4, sse_head);
    piece(4, sse(news, "id: n1\n"));
    EXPECT_EQ(failed(4), Lines{"timer 2000"});
    after(1s);
    EXPECT_EQ(field(5, "Last-Event-ID"), "n1");
}

TEST_F(ClientStreams, a_busy_server_is_asked_again_for_the_sessions_stream) {
    open_session();
    EXPECT_EQ(respond(3, "503 Busy"), Lines{"timer 1000"});
    EXPECT_EQ(after(1s), Lines{"start 4 GET /mcp"});
}

TEST_F(ClientStreams, a_sessions_stream_that_cannot_be_resumed_is_logged) {
    options.reconnect.attempts = 1;
    open_session();
    head(3, sse_head);
    end(3);
    after(1s);
    EXPECT_EQ(failed(4), Lines{"log warning: the stream for server messages was lost: broke"});
    EXPECT_EQ(request(2), Lines{"start 5 POST /mcp"});
}

TEST_F(ClientStreams, an_event_over_the_limit_ends_the_sessions_stream) {
    options.max_message_bytes = 50;
    open_session();
    head(3, sse_head);
    const Lines lines = piece(3, "data: " + std::string(200, 'x'));
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(lines[0].starts_with("log error: the stream for server messages was lost")) << lines[0];
    EXPECT_EQ(lines[1], "cancel 3");
}

TEST_F(ClientStreams, status_404_for_a_resumed_stream_of_a_session_means_that_the_session_is_lost) {
    open_session();
    head(3, sse_head);
    end(3);
    after(1s);
    EXPECT_EQ(respond(4, "404 Gone"), Lines{"session lost 0"});
    EXPECT_EQ(request(2), Lines{"session lost 2"});
}

}  // namespace
}  // namespace tenon::test
