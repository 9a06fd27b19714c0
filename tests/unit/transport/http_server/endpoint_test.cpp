// rules: HTTP-2, HTTP-3, HTTP-4, HTTP-5, HTTP-6, HTTP-7, HTTP-8, HTTP-9, SEC-3, SEC-4, ANTI-10
#include "unit/transport/http_server/endpoint_fixture.hpp"

namespace tenon::test {
namespace {

// ---- sessions

TEST_F(Endpoint, initialize_starts_a_session_and_returns_its_id) {
    const Sent sent = w().post(initialize_request("2025-06-18"));
    EXPECT_EQ(sent.status(), 200);
    EXPECT_EQ(sent.writer->response.content_type, "application/json");
    EXPECT_EQ(sent.writer->field("Mcp-Session-Id"), "session-1");
    EXPECT_EQ(sent.answer().at("result").at("protocolVersion").as_string(), "2025-06-18");
    EXPECT_EQ(w().endpoint->sessions(), 1U);
}

TEST_F(Endpoint, a_failed_initialize_leaves_no_session) {
    const Sent sent = w().post(request(1, "initialize", {{"protocolVersion", 5}}));
    EXPECT_TRUE(sent.over());
    EXPECT_NE(sent.error(), 0);
    EXPECT_EQ(sent.writer->field("Mcp-Session-Id"), "");
    EXPECT_EQ(w().endpoint->sessions(), 0U);
}

TEST_F(Endpoint, a_request_is_answered_in_its_session) {
    const std::string session = w().begin();
    const Sent sent = w().post(echo(1, "hello"), w().in_session(session));
    EXPECT_FALSE(sent.over());
    EXPECT_FALSE(w().endpoint->idle());
    w().run_all();
    EXPECT_EQ(sent.text(), "hello");
    EXPECT_TRUE(w().endpoint->idle());
}

TEST_F(Endpoint, missing_unknown_or_repeated_session_ids_are_refused) {
    const std::string session = w().begin();
    struct Row {
        std::string fields;
        int post, get, end;
    };
    const Row rows[] = {{"", 400, 405, 405},
                        {"Mcp-Session-Id: nobody\r\n", 404, 404, 404},
                        {"Mcp-Session-Id:\r\n", 404, 404, 404},
                        {"Mcp-Session-Id: " + session + "x\r\n", 404, 404, 404},
                        {"Mcp-Session-Id: " + session + "\r\nMcp-Session-Id: " + session + "\r\n", 400, 400, 400}};
    for (const Row& row : rows) {
        EXPECT_EQ(w().post(request(1, "ping"), row.fields).status(), row.post) << row.fields;
        EXPECT_EQ(w().post(notification("notifications/initialized"), row.fields).status(), row.post) << row.fields;
        EXPECT_EQ(w().send("GET", "/mcp", row.fields).status(), row.get) << row.fields;
        EXPECT_EQ(w().send("DELETE", "/mcp", row.fields).status(), row.end) << row.fields;
    }
    EXPECT_EQ(w().send("GET", "/mcp", "").writer->field("Allow"), "POST, OPTIONS");
    EXPECT_EQ(w().endpoint->sessions(), 1U);
}

TEST_F(Endpoint, delete_ends_a_session_and_its_running_calls) {
    const std::string session = w().begin();
    const Sent running = w().post(tool_request(1, "hold"), w().in_session(session));
    const Sent listener = w().listen(session);
    w().run_all();
    EXPECT_EQ(w().end(session).status(), 204);
    EXPECT_TRUE(running.over());
    EXPECT_EQ(running.error(), code::server_error);
    EXPECT_TRUE(listener.over());
    EXPECT_TRUE(held.front().context.cancelled());
    release(0, "too late");
    EXPECT_EQ(w().post(request(2, "ping"), w().in_session(session)).status(), 404);
    EXPECT_EQ(w().end(session).status(), 404);
    EXPECT_EQ(running.writer->misuses + listener.writer->misuses, 0);
}

TEST_F(Endpoint, sessions_over_max_sessions_are_refused) {
    for (int i = 0; i < 3; ++i) w().begin();
    const Sent refused = w().post(initialize_request("2025-11-25"));
    EXPECT_EQ(refused.status(), 503);
    EXPECT_EQ(refused.error(), code::internal_error);
    EXPECT_EQ(w().end("session-1").status(), 204);
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).status(), 200);
}

TEST_F(Endpoint, an_unused_session_expires) {
    const std::string idle = w().begin(), busy = w().begin(), listening = w().begin();
    const Sent running = w().post(tool_request(1, "hold_long"), w().in_session(busy));
    const Sent listener = w().listen(listening);
    w().advance(minutes(5));
    EXPECT_EQ(w().endpoint->sessions(), 3U);
    w().advance(minutes(4));
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(idle)).status(), 200);
    for (int i = 0; i < 5; ++i) w().advance(minutes(5));
    EXPECT_EQ(w().endpoint->sessions(), 3U) << "the ping should have kept the session";
    w().advance(minutes(6));
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(idle)).status(), 404);
    EXPECT_EQ(w().post(request(9, "ping"), w().in_session(listening)).status(), 200);
    EXPECT_FALSE(listener.over());
    EXPECT_FALSE(running.over());
}

TEST_F(Endpoint, streams_over_max_streams_per_session_are_refused) {
    const std::string session = w().begin();
    for (int i = 0; i < 4; ++i) w().post(tool_request(i, "hold"), w().in_session(session));
    EXPECT_EQ(w().post(tool_request(5, "hold"), w().in_session(session)).status(), 429);
    EXPECT_EQ(w().listen(session).status(), 429);
    EXPECT_EQ(w().post(notification("notifications/x"), w().in_session(session)).status(), 202);
    w().run_all();
    release(0, "x");
    EXPECT_EQ(w().post(request(6, "ping"), w().in_session(session)).status(), 200);
}

TEST_F(Endpoint, a_listener_may_reconnect_many_times) {
    const std::string session = w().begin();
    for (int i = 0; i < 50; ++i) {
        Sent listener = w().listen(session);
        ASSERT_EQ(listener.status(), 200) << i;
        listener.disconnect();
    }
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(session)).status(), 200);
}

// ---- principals

TEST_F(Endpoint, a_session_cannot_be_used_by_another_principal) {
    start({.authenticate = [](std::string_view who) -> std::optional<std::string> {
        if (who.empty()) return std::nullopt;
        return std::string(who);
    }});
    const std::string ann = "Authorization: ann\r\n", bob = "Authorization: bob\r\n";
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).status(), 401);
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).writer->field("WWW-Authenticate"), "Bearer");
    const std::string session = w().begin("2025-11-25", {}, ann);
    const std::string fields = w().in_session(session);
    EXPECT_EQ(w().post(request(1, "ping"), fields).status(), 401);
    EXPECT_EQ(w().post(request(1, "ping"), fields + bob).status(), 404);
    EXPECT_EQ(w().send("GET", "/mcp", fields + bob).status(), 404);
    EXPECT_EQ(w().send("DELETE", "/mcp", fields + bob).status(), 404);
    EXPECT_EQ(w().send("DELETE", "/mcp", fields).status(), 401);
    const Sent who = w().post(tool_request(2, "who"), fields + ann);
    const Sent alone_who = w().post_alone(alone("who"), bob);
    w().run_all();
    EXPECT_EQ(who.text(), "<ann>");
    EXPECT_EQ(alone_who.text(), "<bob>");
}

TEST_F(Endpoint, an_exception_of_authenticate_refuses_the_request) {
    start(
        {.authenticate = [](std::string_view) -> std::optional<std::string> { throw std::runtime_error("database"); }});
    const Sent sent = w().post(initialize_request("2025-11-25"));
    EXPECT_EQ(sent.status(), 500);
    EXPECT_EQ(sent.writer->response.body.find("database"), std::string::npos)
        << "the reason belongs into the log and not into the response";
}

// ---- messages

TEST_F(Endpoint, notifications_and_responses_are_accepted_without_a_body) {
    const std::string fields = w().in_session(w().begin());
    for (const json::object& message :
         {notification("notifications/initialized"), notification("no/such"), cancellation(77),
          json::object{{"jsonrpc", "2.0"}, {"id", 99}, {"result", json::object()}}}) {
        const Sent sent = w().post(message, fields);
        EXPECT_EQ(sent.status(), 202);
        EXPECT_TRUE(sent.writer->response.body.empty() && sent.writer->response.content_type.empty());
    }
}

TEST_F(Endpoint, bodies_that_are_not_json_rpc_are_refused) {
    const std::string fields = w().in_session(w().begin());
    for (const std::string& body :
         {std::string(), std::string("{"), std::string("null"), std::string("[]"), std::string("\"x\""),
          std::string(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"),
          std::string(R"({"jsonrpc":"2.0","id":{},"method":"ping"})"), std::string(R"({"jsonrpc":"1.0","id":1})"),
          std::string(R"({"jsonrpc":"2.0","id":1,"method":"ping"}{})"), std::string(100'000, '['),
          std::string("\xff\xfe")}) {
        const Sent sent = w().send("POST", "/mcp", fields, body);
        EXPECT_EQ(sent.status(), 400) << body.substr(0, 80);
        EXPECT_NE(sent.error(), 0) << body.substr(0, 80);
    }
    EXPECT_TRUE(w().posted.empty());
}

TEST_F(Endpoint, a_stateless_request_without_capabilities_is_refused) {
    const json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}};
    const Sent sent = w().post(request(1, "tools/list", {{"_meta", meta}}),
                               "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n");
    EXPECT_EQ(sent.status(), 400);
    EXPECT_EQ(sent.error(), code::invalid_params);
}

TEST_F(Endpoint, ids_are_returned_unchanged) {
    const std::string fields = w().in_session(w().begin());
    for (const char* id : {"0", "-1", "1.5", "\"\"", "\"1\"", "9007199254740993", "18446744073709551616"}) {
        const Sent sent =
            w().send("POST", "/mcp", fields, R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})");
        EXPECT_NE(sent.writer->response.body.find("\"id\":" + std::string(id) + ","), std::string::npos)
            << sent.writer->response.body;
    }
}

TEST_F(Endpoint, a_duplicate_id_is_refused_and_the_first_request_continues) {
    const std::string fields = w().in_session(w().begin());
    const Sent first = w().post(tool_request(1, "hold"), fields);
    const Sent second = w().post(tool_request(1, "hold"), fields);
    EXPECT_EQ(second.status(), 400);
    EXPECT_EQ(second.error(), code::invalid_request);
    w().run_all();
    release(0, "done");
    EXPECT_EQ(first.text(), "done");
}

TEST_F(Endpoint, a_batch_is_answered_by_one_body) {
    const std::string fields = w().in_session(w().begin("2025-03-26"));
    const Sent sent =
        w().post(json::array{request(1, "ping"), echo(2, "two"), notification("notifications/x")}, fields);
    EXPECT_FALSE(sent.over());
    w().run_all();
    ASSERT_TRUE(sent.answer().is_array());
    EXPECT_EQ(sent.answer().as_array().size(), 2U);
}

TEST_F(Endpoint, a_batch_without_requests_is_accepted_without_a_body) {
    const std::string fields = w().in_session(w().begin("2025-03-26"));
    const json::array batch{notification("notifications/x"), cancellation(7),
                            json::object{{"jsonrpc", "2.0"}, {"id", 99}, {"result", json::object()}}};
    const Sent sent = w().post(batch, fields);
    EXPECT_EQ(sent.status(), 202);
    EXPECT_FALSE(sent.writer->begun);
}

TEST_F(Endpoint, batches_are_refused_since_2025_06_18) {
    for (const char* revision : {"2025-06-18", "2025-11-25"}) {
        const std::string session = w().begin(revision);
        for (const json::array& batch : {json::array{request(1, "ping")}, json::array{notification("notifications/x")}})
            EXPECT_EQ(w().post(batch, w().in_session(session)).status(), 400) << revision;
        w().end(session);
    }
    EXPECT_EQ(w().post(json::array{initialize_request("2025-03-26")}).status(), 400)
        << "initialize in a batch must be refused";
}

TEST_F(Endpoint, invalid_version_headers_are_refused) {
    const std::string fields = w().in_session(w().begin());
    const auto with = [&](const std::string& version) { return fields + "MCP-Protocol-Version: " + version + "\r\n"; };
    EXPECT_EQ(w().post(request(1, "ping"), with("2025-11-25")).status(), 200);
    for (const char* version : {"", "1", "2099-01-01", "2025-11-25 ,2025-11-25", "draft"}) {
        EXPECT_EQ(w().post(request(1, "ping"), with(version)).status(), 400) << version;
        EXPECT_EQ(w().post(notification("notifications/x"), with(version)).status(), 400) << version;
        EXPECT_EQ(w().send("GET", "/mcp", with(version)).status(), 400) << version;
    }
    EXPECT_EQ(w().post(request(1, "ping"), with("2025-11-25") + "MCP-Protocol-Version: 2025-11-25\r\n").status(), 400);
}

// ---- streams

TEST_F(Endpoint, messages_of_a_request_come_on_its_stream_before_its_answer) {
    const std::string fields = w().in_session(w().begin());
    const Sent a = w().post(tool_request(1, "talk"), fields), b = w().post(echo(2, "x"), fields);
    w().run_all();
    EXPECT_TRUE(a.writer->begun && a.over());
    ASSERT_EQ(a.writer->messages().size(), 2U);
    EXPECT_EQ(a.text(), "then");
    EXPECT_EQ(a.writer->events.front().data, "") << "the first event must be the empty priming event";
    EXPECT_FALSE(b.writer->begun);
}

TEST_F(Endpoint, messages_of_no_request_come_on_the_get_stream) {
    const std::string one = w().begin(), two = w().begin();
    const Sent first = w().listen(one), other = w().listen(two);
    w().post(request(1, "resources/subscribe", {{"uri", "note://a"}}), w().in_session(one));
    server.resource_updated("note://a");
    ASSERT_EQ(first.writer->messages().size(), 1U);
    EXPECT_EQ(first.answer().at("method").as_string(), "notifications/resources/updated");
    EXPECT_TRUE(other.writer->messages().empty()) << "a notification reached another session";
}

TEST_F(Endpoint, a_resumed_stream_delivers_the_answer) {
    const std::string session = w().begin();
    Sent sent = w().post(tool_request(1, "talk_and_hold"), w().in_session(session));
    w().run_all();
    sent.disconnect();
    EXPECT_FALSE(held.front().context.cancelled()) << "losing the connection must not cancel the call";
    release(0, "the answer");
    const Sent again = w().listen(session, sent.writer->events.back().id);
    EXPECT_EQ(again.text(), "the answer");
    EXPECT_TRUE(again.over());
    EXPECT_EQ(sent.writer->messages().size(), 1U);
}

TEST_F(Endpoint, event_ids_of_another_session_are_refused) {
    const std::string one = w().begin(), two = w().begin();
    Sent sent = w().post(tool_request(1, "talk_and_hold"), w().in_session(one));
    w().run_all();
    sent.disconnect();
    EXPECT_EQ(w().listen(two, sent.writer->events.back().id).status(), 400);
}

TEST_F(Endpoint, a_request_can_let_its_client_poll) {
    const std::string session = w().begin();
    const Sent sent = w().post(tool_request(1, "poll_and_hold"), w().in_session(session));
    w().run_all();
    EXPECT_TRUE(sent.over());
    EXPECT_EQ(sent.writer->retry_ms(), 2000);
    const Sent again = w().listen(session, sent.writer->events.back().id);
    EXPECT_FALSE(again.over());
    release(0, "the answer");
    EXPECT_EQ(again.text(), "the answer");
}

TEST_F(Endpoint, older_and_stateless_clients_keep_their_connection_instead_of_polling) {
    const std::string session = w().begin("2025-06-18");
    const Sent older = w().post(tool_request(1, "poll_and_hold"), w().in_session(session));
    const Sent stateless = w().post_alone(alone("poll_and_hold"));
    w().run_all();
    EXPECT_FALSE(older.over());
    EXPECT_FALSE(stateless.over()) << "a stateless request has no other connection to answer on";
    release(0, "a");
    release(1, "b");
    EXPECT_EQ(older.text(), "a");
    EXPECT_EQ(stateless.text(), "b");
}

TEST_F(Endpoint, a_cancelled_request_ends_its_stream_and_is_not_answered) {
    const std::string fields = w().in_session(w().begin());
    const Sent fresh = w().post(tool_request(1, "hold"), fields),
               begun = w().post(tool_request(2, "talk_and_hold"), fields);
    w().run_all();
    EXPECT_EQ(w().post(cancellation(1), fields).status(), 202);
    EXPECT_EQ(w().post(cancellation(2), fields).status(), 202);
    EXPECT_TRUE(fresh.over() && begun.over());
    EXPECT_TRUE(held.front().context.cancelled());
    release(0, "x"), release(1, "y");
    EXPECT_TRUE(fresh.writer->messages().empty());
    EXPECT_EQ(begun.writer->messages().size(), 1U);
    EXPECT_EQ(fresh.writer->misuses + begun.writer->misuses, 0);
}

TEST_F(Endpoint, a_request_cannot_be_cancelled_from_another_session) {
    const std::string one = w().begin(), two = w().begin();
    const Sent sent = w().post(tool_request(1, "hold"), w().in_session(one));
    w().run_all();
    w().post(cancellation(1), w().in_session(two));
    w().post(cancellation(1), "MCP-Protocol-Version: 2026-07-28\r\n");
    EXPECT_FALSE(sent.over());
    EXPECT_FALSE(held.front().context.cancelled());
}

TEST_F(Endpoint, a_question_is_sent_on_its_requests_stream_and_answered_by_a_post) {
    const json::object capable{{"elicitation", json::object()}};
    const std::string one = w().begin("2025-11-25", capable), two = w().begin("2025-11-25", capable);
    const Sent sent = w().post(tool_request(1, "ask"), w().in_session(one));
    w().run_all();
    const json::value question = sent.answer();
    EXPECT_EQ(question.at("method").as_string(), "elicitation/create");
    const json::object answer{{"jsonrpc", "2.0"},
                              {"id", question.at("id")},
                              {"result", json::object{{"action", "accept"}, {"content", json::object{{"name", "n"}}}}}};
    EXPECT_EQ(w().post(answer, w().in_session(two)).status(), 202);
    EXPECT_FALSE(sent.over()) << "an answer from another session must be ignored";
    EXPECT_EQ(w().post(answer, w().in_session(one)).status(), 202);
    EXPECT_EQ(sent.text(), "accepted");
}

TEST_F(Endpoint, silent_streams_are_kept_alive_by_comments) {
    const std::string session = w().begin();
    const Sent listener = w().listen(session), stateless = w().post_alone(alone("talk_and_hold", {}, {}));
    w().run_all();
    w().advance(seconds(1));
    const int before = listener.writer->comments;
    for (int i = 0; i < 14; ++i) w().advance(seconds(1));
    EXPECT_EQ(listener.writer->comments, before);
    w().advance(seconds(1));
    EXPECT_EQ(listener.writer->comments, before + 1);
    EXPECT_TRUE(stateless.writer->comments == 0 || stateless.writer->begun)
        << "a request without a stream may still become a JSON response";
}

TEST_F(Endpoint, a_handler_over_its_time_limit_gets_an_error_response) {
    const Sent in_session = w().post(tool_request(1, "hold"), w().in_session(w().begin()));
    const Sent stateless = w().post_alone(alone("hold"));
    w().run_all();
    w().advance(minutes(11));
    for (const Sent* sent : {&in_session, &stateless}) {
        EXPECT_TRUE(sent->over());
        EXPECT_TRUE(sent->answer().at("result").at("isError").as_bool());
    }
    release(0, "x"), release(1, "y");
    EXPECT_TRUE(w().endpoint->idle());
}

// ---- shutdown

TEST_F(Endpoint, shutdown_answers_running_requests_and_refuses_new_ones) {
    const std::string session = w().begin();
    const Sent running = w().post(tool_request(1, "hold"), w().in_session(session)), listener = w().listen(session),
               stateless = w().post_alone(alone("hold")), queued = w().post_alone(alone("echo", {{"message", "x"}}));
    w().run_one(0), w().run_one(0);
    w().endpoint->shut_down("bye");
    for (const Sent* sent : {&running, &stateless, &queued}) {
        EXPECT_TRUE(sent->over());
        EXPECT_NE(sent->error(), 0);
        EXPECT_EQ(sent->writer->misuses, 0);
    }
    EXPECT_TRUE(listener.over());
    EXPECT_EQ(held.size(), 2U);
    for (Held& h : held) EXPECT_TRUE(h.context.cancelled());
    w().run_all();
    EXPECT_EQ(held.size(), 2U);
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).status(), 503);
    EXPECT_EQ(w().listen(session).status(), 503);
    EXPECT_TRUE(w().endpoint->idle());
}

TEST_F(Endpoint, a_request_admitted_just_before_shutdown_is_answered) {
    const std::string body = json::write(alone("hold"));
    const Head head("POST", "/mcp",
                    "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                        "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hold\r\n");
    const std::string first_body = json::write(initialize_request("2025-11-25"));
    const auto admitted = w().endpoint->admit(head).value();
    w().endpoint->shut_down("bye");
    for (const std::string& late : {body, first_body}) {
        const auto writer = new_exchange();
        w().endpoint->handle(std::get<HttpEndpoint::Admitted>(admitted), head, late, writer);
        w().run_all();
        EXPECT_TRUE(writer->over);
        EXPECT_EQ(writer->response.status, 503);
    }
    EXPECT_TRUE(held.empty());
    EXPECT_EQ(w().endpoint->sessions(), 0U);
}

}  // namespace
}  // namespace tenon::test
