// Requests, notifications, signing in and the end of a client's HTTP conversation.
// rules: HTTP-1, HTTP-10
#include <tenon/auth/error.hpp>

#include "unit/web/conversation_fixture.hpp"

namespace tenon::test {
namespace {

struct ClientRequests : ConversationTest {};

// ---- a request and its response

TEST_F(ClientRequests, each_message_is_one_post_in_order) {
    EXPECT_EQ(request(7), Lines{"start 1 POST /mcp"});
    EXPECT_EQ(request(8), Lines{"start 2 POST /mcp"});
    EXPECT_EQ(notify(), (Lines{"start 3 POST /mcp", "timer 30000"}));
    EXPECT_EQ(started.at(1).request.body, "tools/call 7");
    EXPECT_EQ(started.at(2).request.body, "tools/call 8");
    EXPECT_EQ(started.at(1).urgency, web::Urgency::normal);
    EXPECT_EQ(started.at(3).urgency, web::Urgency::urgent);
}

TEST_F(ClientRequests, a_request_carries_the_hosts_headers_and_its_revision) {
    options.headers = {{"X-Mine", "1"}};
    request(7);
    EXPECT_EQ(field(1, "X-Mine"), "1");
    EXPECT_EQ(field(1, "MCP-Protocol-Version"), "2025-11-25");
    EXPECT_EQ(field(1, "Mcp-Session-Id"), "none");
}

TEST_F(ClientRequests, a_json_response_is_delivered_at_its_end) {
    request(7);
    EXPECT_EQ(sent(1), Lines{});
    EXPECT_EQ(head(1, json_head), Lines{});
    EXPECT_EQ(piece(1, response_to(7).substr(0, 9)), Lines{});
    EXPECT_EQ(piece(1, response_to(7).substr(9)), Lines{});
    EXPECT_EQ(end(1), Lines{"deliver " + response_to(7)});
    EXPECT_EQ(end(1), Lines{});
    EXPECT_EQ(failed(1), Lines{});
}

TEST_F(ClientRequests, a_json_body_without_the_response_fails_the_request) {
    request(7);
    EXPECT_EQ(respond(1, json_head, response_to(8)),
              (Lines{"deliver " + response_to(8), "fail 7: the server's answer has another id than the request"}));
    request(9);
    EXPECT_EQ(respond(2, json_head, "{").size(), 1U);
    EXPECT_EQ(errors.at(9).code, code::invalid_answer);
}

TEST_F(ClientRequests, a_json_body_over_the_limit_fails_the_request) {
    options.max_message_bytes = 10;
    request(7);
    head(1, json_head);
    EXPECT_EQ(piece(1, "0123456789"), Lines{});
    EXPECT_EQ(piece(1, "0"), (Lines{"cancel 1",
                                    "fail 7: the server's answer is longer than the limit of 10 bytes; "
                                    "raise ClientLimits::max_message_bytes to read it"}));
    EXPECT_EQ(piece(1, "0"), Lines{});
}

TEST_F(ClientRequests, status_202_fails_a_request) {
    request(7);
    EXPECT_EQ(head(1, "202 Accepted"),
              (Lines{"cancel 1", "fail 7: the server accepted the request with HTTP 202, and gave no answer"}));
}

TEST_F(ClientRequests, an_unknown_content_type_fails_the_request) {
    request(7);
    EXPECT_EQ(head(1, "200 OK\r\nContent-Type: text/html"),
              (Lines{"cancel 1", "fail 7: the server's answer is neither application/json nor text/event-stream"}));
}

TEST_F(ClientRequests, a_failed_call_fails_its_request_with_the_reason) {
    request(7);
    EXPECT_EQ(failed(1), Lines{"fail 7: broke"});
    EXPECT_EQ(errors.at(7).code, code::connection_closed);
    request(8);
    head(2, json_head);
    EXPECT_EQ(failed(2), Lines{"fail 8: broke"});
}

TEST_F(ClientRequests, an_error_status_fails_the_request_with_status_and_challenge) {
    request(7);
    EXPECT_EQ(respond(1, "403 Forbidden\r\nWWW-Authenticate: Bearer", "no"),
              Lines{"fail 7: the server answered HTTP 403 Forbidden: no"});
    EXPECT_EQ(errors.at(7).data.at("httpStatus"), 403);
    EXPECT_EQ(errors.at(7).data.at("wwwAuthenticate"), "Bearer");
}

TEST_F(ClientRequests, only_max_refusal_bytes_of_an_error_body_are_read) {
    options.max_refusal_bytes = 5;
    request(7);
    head(1, "500 Oops");
    EXPECT_EQ(piece(1, "abcde"), Lines{});
    EXPECT_EQ(piece(1, "f"), (Lines{"cancel 1", "fail 7: the server answered HTTP 500 Internal Server Error: abcde"}));
}

TEST_F(ClientRequests, an_event_that_could_not_be_handled_fails_only_its_request) {
    request(7);
    request(8);
    head(1, json_head);
    EXPECT_EQ(feed(step::Broken{{code::internal_error, "no memory"}}), (Lines{"fail 7: no memory", "cancel 1"}));
    EXPECT_EQ(feed(step::Broken{{code::internal_error, "no memory"}}), Lines{});
    EXPECT_EQ(respond_json(2, 8), Lines{"deliver " + response_to(8)});
    EXPECT_EQ(feed(step::Broken{{code::internal_error, "no memory"}}), Lines{});  // 8 has its response
}

TEST_F(ClientRequests, a_queued_message_is_released_by_its_response_head) {
    const auto weight = std::make_shared<int>();
    feed(step::Send{message(OutgoingMessage::Kind::request, 7, "ping"), weight});
    feed(step::Send{message(OutgoingMessage::Kind::notification, 0, "n"), weight});
    EXPECT_EQ(weight.use_count(), 3);
    head(1, json_head);
    EXPECT_EQ(weight.use_count(), 2);
    respond(2, "202 Accepted");
    EXPECT_EQ(weight.use_count(), 1);
}

// ---- notifications

TEST_F(ClientRequests, the_body_of_a_response_to_a_notification_is_dropped) {
    options.max_refusal_bytes = 5;
    notify();
    EXPECT_EQ(head(1, "202 Accepted"), Lines{});
    EXPECT_EQ(piece(1, "abcde"), Lines{});
    EXPECT_EQ(piece(1, "f"), Lines{"cancel 1"});
    EXPECT_EQ(end(1), Lines{});
}

TEST_F(ClientRequests, a_refused_or_lost_notification_is_logged) {
    notify();
    EXPECT_EQ(respond(1, "500 Oops"), Lines{"log warning: the server refused a notification: HTTP 500"});
    notify();
    EXPECT_EQ(failed(2), Lines{"log warning: a notification did not reach the server: broke"});
}

TEST_F(ClientRequests, a_notification_without_a_response_is_stopped_after_30_seconds) {
    EXPECT_EQ(notify(), (Lines{"start 1 POST /mcp", "timer 30000"}));
    now += 1s;
    EXPECT_EQ(notify(), Lines{"start 2 POST /mcp"});  // the earlier timer is still set
    EXPECT_EQ(after(29s), (Lines{"cancel 1", "timer 31000"}));
    EXPECT_EQ(respond(2, "202 Accepted"), Lines{});
    EXPECT_EQ(after(1s), Lines{});
}

// ---- max_connections

TEST_F(ClientRequests, subscription_streams_leave_one_connection_free) {
    options.max_connections = 3;
    EXPECT_EQ(stateless_request(1, "subscriptions/listen"), Lines{"start 1 POST /mcp"});
    EXPECT_EQ(stateless_request(2, "subscriptions/listen"), Lines{"start 2 POST /mcp"});
    EXPECT_EQ(stateless_request(3, "subscriptions/listen"),
              Lines{"fail 3: too many streams at once: they need a connection each, and "
                    "HttpClientOptions::max_connections is 3"});
    EXPECT_EQ(stateless_request(4), Lines{"start 3 POST /mcp"});
    cancel(1, true);
    EXPECT_EQ(stateless_request(5, "subscriptions/listen"), Lines{"start 4 POST /mcp"});
}

// ---- signing in

struct SigningInConversation : ConversationTest {
    SigningInConversation() { options.signs_in = true; }
};

TEST_F(SigningInConversation, a_refused_request_is_sent_again_after_the_sign_in) {
    request(7);
    EXPECT_TRUE(started.at(1).may_sign_in);
    EXPECT_EQ(head(1, "401 Unauthorized", true), Lines{});
    EXPECT_EQ(piece(1, "sign in!"), Lines{});
    EXPECT_EQ(end(1), Lines{"sign in 1"});
    started.clear();
    EXPECT_EQ(feed(step::GotTokens{1}), Lines{"start 1 POST /mcp"});
    EXPECT_EQ(started.at(1).request.body, "tools/call 7");
    EXPECT_EQ(respond_json(1, 7), Lines{"deliver " + response_to(7)});
    EXPECT_EQ(feed(step::GotTokens{1}), Lines{});
}

// rules: HTTP-14
TEST_F(SigningInConversation, metadata_is_required_once_the_revision_of_the_server_is_known) {
    const auto needs_metadata = [&](int id, const char* method, const char* revision, bool stateless) {
        auto m = message(OutgoingMessage::Kind::request, id, method);
        m.revision = revision;
        m.stateless = stateless;
        send(std::move(m));
        return started.rbegin()->second.needs_metadata;
    };
    EXPECT_FALSE(needs_metadata(1, "server/discover", "2026-07-28", true)) << "the server may be older";
    EXPECT_FALSE(needs_metadata(2, "initialize", "", false));
    EXPECT_FALSE(needs_metadata(3, "tools/list", "2025-03-26", false));
    EXPECT_TRUE(needs_metadata(4, "tools/list", "2025-06-18", false));
    EXPECT_TRUE(needs_metadata(5, "tools/list", "2026-07-28", true));
}

TEST_F(SigningInConversation, a_refusal_that_a_sign_in_cannot_cure_is_an_error) {
    request(7);
    EXPECT_EQ(respond(1, "401 Unauthorized"),
              Lines{"fail 7: the server answered HTTP 401 Unauthorized: authentication is required"});
}

TEST_F(SigningInConversation, a_failed_sign_in_fails_the_request_with_its_reason) {
    request(7);
    head(1, "403 Forbidden", true);
    end(1);
    EXPECT_EQ(failed(1, code::not_authorised), Lines{"fail 7: broke"});
    EXPECT_EQ(errors.at(7).code, code::not_authorised);
}

TEST_F(SigningInConversation, a_request_is_sent_at_most_four_times) {
    request(7);
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(started.at(1).may_sign_in) << i;
        head(1, "401 Unauthorized", true);
        end(1);
        EXPECT_EQ(feed(step::GotTokens{1}), Lines{"start 1 POST /mcp"});
        EXPECT_EQ(started.at(1).request.body, "tools/call 7");
    }
    EXPECT_FALSE(started.at(1).may_sign_in);
}

TEST_F(SigningInConversation, a_long_refusal_is_cut_off_before_the_sign_in) {
    request(7);
    head(1, "401 Unauthorized", true);
    EXPECT_EQ(piece(1, std::string(64 * 1024, 'x')), Lines{});
    EXPECT_EQ(piece(1, "x"), Lines{"sign in 1"});
}

TEST_F(SigningInConversation, a_request_can_be_cancelled_while_the_user_signs_in) {
    stateless_request(7);
    head(1, "401 Unauthorized", true);
    end(1);
    EXPECT_EQ(cancel(7, true), Lines{"cancel 1"});
    EXPECT_EQ(feed(step::GotTokens{1}), Lines{});
}

TEST_F(SigningInConversation, a_notification_is_sent_again_after_the_sign_in) {
    notify();
    head(1, "401 Unauthorized", true);
    EXPECT_EQ(end(1), Lines{"sign in 1"});
    EXPECT_EQ(feed(step::GotTokens{1}), Lines{"start 1 POST /mcp"});
    EXPECT_EQ(respond(1, "202 Accepted"), Lines{});
}

TEST_F(ClientRequests, without_sign_in_no_request_may_sign_in) {
    request(7);
    EXPECT_FALSE(started.at(1).may_sign_in);
}

// ---- the end

TEST_F(ClientRequests, finish_drops_all_requests_and_ends_the_session_with_delete) {
    open_session();
    request(2);
    EXPECT_EQ(feed(step::Finish{}), (Lines{"cancel 3", "cancel 4", "start 5 DELETE /mcp"}));
    EXPECT_EQ(field(5, "Mcp-Session-Id"), "s");
    EXPECT_EQ(field(5, "MCP-Protocol-Version"), "2025-11-25");
    EXPECT_EQ(request(3), Lines{});
    EXPECT_EQ(respond(5, "405 No"), Lines{"finished"});
}

TEST_F(ClientRequests, finish_waits_for_notifications_before_the_delete) {
    open_session();
    notify();
    EXPECT_EQ(feed(step::Finish{}), Lines{"cancel 3"});
    EXPECT_EQ(failed(4), Lines{"start 5 DELETE /mcp"});
    EXPECT_EQ(failed(5), Lines{"finished"});
}

TEST_F(ClientRequests, finish_without_a_session_needs_no_delete) {
    stateless_request(1);
    EXPECT_EQ(feed(step::Finish{}), (Lines{"cancel 1", "finished"}));
}

TEST_F(ClientRequests, an_unanswered_delete_is_given_up_after_30_seconds) {
    open_session();
    respond(3, "405 No");
    now += 5s;
    EXPECT_EQ(feed(step::Finish{}), Lines{"start 4 DELETE /mcp"});
    EXPECT_EQ(after(25s), Lines{"timer 35000"});
    EXPECT_EQ(after(5s), (Lines{"cancel 4", "finished"}));
}

TEST_F(ClientRequests, finish_drops_held_messages) {
    request(1, "initialize");
    respond_json(1, 1);
    notify("notifications/initialized");
    const auto weight = std::make_shared<int>();
    feed(step::Send{message(OutgoingMessage::Kind::request, 2, "ping"), weight});
    EXPECT_EQ(weight.use_count(), 2);
    EXPECT_EQ(feed(step::Finish{}), Lines{});
    EXPECT_EQ(weight.use_count(), 1);
    EXPECT_EQ(respond(2, "202 Accepted"), Lines{"finished"});
}

TEST_F(ClientRequests, close_stops_every_call) {
    open_session();
    request(2);
    notify();
    EXPECT_EQ(feed(step::Close{}), (Lines{"cancel 3", "cancel 4", "cancel 5"}));
    EXPECT_EQ(request(3), Lines{});
    EXPECT_EQ(after(30s), Lines{});
}

}  // namespace
}  // namespace tenon::test
