// The sessions of a client's HTTP conversation, and cancellation.
// rules: HTTP-4, LIFE-16
#include "unit/web/conversation_fixture.hpp"

namespace tenon::test {
namespace {

struct ClientSessions : ConversationTest {};

// ---- sessions

TEST_F(ClientSessions, the_session_id_of_initialize_is_sent_with_every_message) {
    request(1, "initialize");
    EXPECT_EQ(field(1, "MCP-Protocol-Version"), "none");
    respond(1, json_head + "\r\nMcp-Session-Id: s-1", response_to(1));
    notify("notifications/initialized");
    EXPECT_EQ(field(2, "Mcp-Session-Id"), "s-1");
    respond(2, "202 Accepted");
    EXPECT_EQ(field(3, "Mcp-Session-Id"), "s-1");
    EXPECT_EQ(field(3, "MCP-Protocol-Version"), "2025-11-25");
    sent(3);
    request(2);
    EXPECT_EQ(field(4, "Mcp-Session-Id"), "s-1");
    stateless_request(3);
    EXPECT_EQ(field(5, "Mcp-Session-Id"), "none");
}

TEST_F(ClientSessions, an_invalid_session_id_is_not_used) {
    options.max_session_id_bytes = 5;
    for (const std::string id : {"a b", "123456", ""}) {
        request(1, "initialize");
        const Lines lines = head(started.rbegin()->first, json_head + "\r\nMcp-Session-Id: " + id);
        ASSERT_EQ(lines.size(), 1U) << id;
        EXPECT_NE(lines[0].find("HttpClientOptions::max_session_id_bytes"), std::string::npos);
        failed(started.rbegin()->first);
    }
    request(2);
    EXPECT_EQ(field(started.rbegin()->first, "Mcp-Session-Id"), "none");
}

TEST_F(ClientSessions, only_initialize_sets_the_session_id) {
    request(7);
    respond(1, json_head + "\r\nMcp-Session-Id: s", response_to(7));
    request(8);
    EXPECT_EQ(field(2, "Mcp-Session-Id"), "none");
}

TEST_F(ClientSessions, messages_wait_until_initialized_was_accepted_and_the_get_was_sent) {
    request(1, "initialize");
    respond_json(1, 1);
    EXPECT_EQ(notify("notifications/initialized"), (Lines{"start 2 POST /mcp", "timer 30000"}));
    EXPECT_EQ(request(2), Lines{});
    EXPECT_EQ(notify(), Lines{});
    EXPECT_EQ(respond(2, "202 Accepted"), Lines{"start 3 GET /mcp"});
    EXPECT_EQ(started.at(3).urgency, web::Urgency::urgent);
    EXPECT_EQ(request(3), Lines{});
    EXPECT_EQ(sent(3), (Lines{"start 4 POST /mcp", "start 5 POST /mcp", "start 6 POST /mcp"}));
    EXPECT_EQ(started.at(4).request.body, "tools/call 2");
    EXPECT_EQ(started.at(6).request.body, "tools/call 3");
}

// Otherwise the session would stay half open for ever: the server would ask this client nothing.
TEST_F(ClientSessions, a_lost_initialized_is_sent_again_before_any_request) {
    request(1, "initialize");
    respond(1, json_head + "\r\nMcp-Session-Id: s", response_to(1));
    notify("notifications/initialized");
    request(2);
    EXPECT_EQ(failed(2), (Lines{"log warning: a notification did not reach the server: broke", "timer 1000"}));
    EXPECT_EQ(after(1s), (Lines{"start 3 POST /mcp", "timer 31000"}));
    EXPECT_EQ(started.at(3).request.body, "notifications/initialized 0");
    EXPECT_EQ(field(3, "Mcp-Session-Id"), "s");
    respond(3, "503 Busy");
    EXPECT_EQ(after(2s), (Lines{"start 4 POST /mcp", "timer 33000"}));
    EXPECT_EQ(respond(4, "202 Accepted"), Lines{"start 5 GET /mcp"});
    EXPECT_EQ(sent(5), Lines{"start 6 POST /mcp"});
    EXPECT_EQ(started.at(6).request.body, "tools/call 2");
}

// Otherwise the server would wait for it, and so would the call in which it asks.
TEST_F(ClientSessions, a_lost_response_is_sent_again) {
    EXPECT_EQ(send(message(OutgoingMessage::Kind::response, 7, "")), (Lines{"start 1 POST /mcp", "timer 30000"}));
    EXPECT_EQ(failed(1), (Lines{"log warning: a notification did not reach the server: broke", "timer 1000"}));
    EXPECT_EQ(after(1s), (Lines{"start 2 POST /mcp", "timer 31000"}));
    EXPECT_EQ(started.at(2).request.body, started.at(1).request.body);
    EXPECT_EQ(respond(2, "202 Accepted"), Lines{});
    EXPECT_EQ(after(30s), Lines{});
}

TEST_F(ClientSessions, a_lost_notification_is_not_sent_again) {
    notify();
    failed(1);
    EXPECT_EQ(after(30s), Lines{});
}

// The stream of a session may bring questions of the server, which would get no answer.
TEST_F(ClientSessions, the_connection_is_lost_when_an_event_of_the_session_stream_cannot_be_handled) {
    request(1, "initialize");
    respond_json(1, 1);
    notify("notifications/initialized");
    respond(2, "202 Accepted");
    head(3, "200 OK\r\nContent-Type: text/event-stream");
    EXPECT_EQ(feed(step::Broken{{code::internal_error, "no memory"}}),
              (Lines{"connection lost: no memory", "cancel 3"}));
}

TEST_F(ClientSessions, a_refused_initialized_is_not_sent_again) {
    for (const auto& [status, call] : {std::pair("401 No", 2), std::pair("400 No", 5)}) {
        request(1, "initialize");
        respond_json(static_cast<CallId>(call) - 1, 1);
        notify("notifications/initialized");
        EXPECT_EQ(respond(static_cast<CallId>(call), status).back(), "start " + std::to_string(call + 1) + " GET /mcp");
        respond(static_cast<CallId>(call) + 1, "405 No");
    }
}

TEST_F(ClientSessions, initialized_is_sent_a_few_times_at_most) {
    request(1, "initialize");
    respond_json(1, 1);
    notify("notifications/initialized");
    for (CallId call = 2; call < 5; ++call) {
        failed(call);
        after(4s);
    }
    EXPECT_EQ(failed(5).back(), "start 6 GET /mcp");
}

TEST_F(ClientSessions, a_client_that_finishes_does_not_send_initialized_again) {
    request(1, "initialize");
    respond_json(1, 1);
    notify("notifications/initialized");
    failed(2);
    EXPECT_EQ(feed(step::Finish{}), Lines{"finished"});
    EXPECT_EQ(after(30s), Lines{});
}

TEST_F(ClientSessions, messages_are_released_when_the_get_cannot_be_sent) {
    request(1, "initialize");
    respond_json(1, 1);
    notify("notifications/initialized");
    request(2);
    respond(2, "202 Accepted");
    EXPECT_EQ(failed(3), (Lines{"start 4 POST /mcp", "timer 1000"}));
}

TEST_F(ClientSessions, initialized_stops_a_pending_probe) {
    stateless_request(1, "server/discover");
    request(2, "initialize");
    respond_json(2, 2);
    EXPECT_EQ(notify("notifications/initialized"), (Lines{"cancel 1", "start 3 POST /mcp", "timer 30000"}));
}

TEST_F(ClientSessions, status_404_in_a_session_means_that_the_session_is_lost) {
    open_session();
    request(2);
    request(3);
    EXPECT_EQ(respond(4, "404 Not Found"), (Lines{"cancel 3", "session lost 2"}));  // 3 is the stream of the session
    EXPECT_EQ(request(4), Lines{"session lost 4"});
    EXPECT_EQ(notify(), Lines{});
    EXPECT_EQ(respond(5, "404 Not Found"), Lines{"session lost 3"});
    EXPECT_EQ(stateless_request(5), Lines{"start 6 POST /mcp"});
    EXPECT_EQ(request(6, "initialize"), Lines{"start 7 POST /mcp"});
    EXPECT_EQ(field(7, "Mcp-Session-Id"), "none");
    respond(7, json_head + "\r\nMcp-Session-Id: t", response_to(6));
    EXPECT_EQ(request(7), Lines{"start 8 POST /mcp"});
    EXPECT_EQ(field(8, "Mcp-Session-Id"), "t");
}

TEST_F(ClientSessions, the_loss_of_an_earlier_session_does_not_end_the_current_one) {
    open_session();
    request(2);
    EXPECT_EQ(request(3, "initialize"), (Lines{"cancel 3", "start 5 POST /mcp"}));
    respond(5, json_head + "\r\nMcp-Session-Id: t", response_to(3));
    EXPECT_EQ(respond(4, "404 Not Found"), Lines{"session lost 2"});
    EXPECT_EQ(request(4), Lines{"start 6 POST /mcp"});
    EXPECT_EQ(field(6, "Mcp-Session-Id"), "t");
}

TEST_F(ClientSessions, status_404_without_a_session_is_an_error) {
    request(7);
    EXPECT_EQ(respond(1, "404 Not Found"), Lines{"fail 7: the server answered HTTP 404 Not Found"});
    stateless_request(8);
    EXPECT_EQ(respond(2, "404 Not Found"), Lines{"fail 8: the server answered HTTP 404 Not Found"});
}

TEST_F(ClientSessions, a_session_that_is_lost_before_the_get_was_sent_releases_the_messages) {
    request(1, "initialize");
    respond(1, json_head + "\r\nMcp-Session-Id: s", response_to(1));
    request(2);
    notify("notifications/initialized");
    respond(3, "202 Accepted");
    request(3);
    EXPECT_EQ(respond(2, "404 Not Found"), (Lines{"cancel 4", "session lost 3", "session lost 2"}));
}

// ---- cancellation

TEST_F(ClientSessions, cancelling_closes_the_call_and_tells_the_server) {
    open_session();
    request(2);
    EXPECT_EQ(cancel(2), (Lines{"cancel 4", "start 5 POST /mcp"}));
    EXPECT_EQ(started.at(5).request.body, "notifications/cancelled 2");
    EXPECT_EQ(respond_json(4, 2), Lines{});
    EXPECT_EQ(cancel(2), Lines{});
}

TEST_F(ClientSessions, cancelling_a_stateless_request_only_closes_its_call) {
    stateless_request(2);
    EXPECT_EQ(cancel(2, true), Lines{"cancel 1"});
}

TEST_F(ClientSessions, a_held_request_is_cancelled_without_a_message) {
    request(1, "initialize");
    respond_json(1, 1);
    notify("notifications/initialized");
    request(2);
    EXPECT_EQ(cancel(2), Lines{});
    respond(2, "202 Accepted");
    EXPECT_EQ(sent(3), Lines{});
}

TEST_F(ClientSessions, a_cancellation_waits_behind_held_messages) {
    request(1, "initialize");
    respond_json(1, 1);
    request(2);
    notify("notifications/initialized");
    EXPECT_EQ(cancel(2), Lines{"cancel 2"});
    respond(3, "202 Accepted");
    EXPECT_EQ(sent(4), Lines{"start 5 POST /mcp"});
    EXPECT_EQ(started.at(5).request.body, "notifications/cancelled 2");
}

TEST_F(ClientSessions, a_request_of_a_lost_session_is_cancelled_without_a_message) {
    open_session();
    request(2);
    request(3);
    respond(4, "404 Not Found");
    EXPECT_EQ(cancel(3), Lines{"cancel 5"});
}

}  // namespace
}  // namespace tenon::test
