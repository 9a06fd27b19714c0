// rules: HTTP-2, HTTP-3, HTTP-4, HTTP-5, HTTP-6, HTTP-7, HTTP-8, HTTP-9, SEC-3, SEC-4, ANTI-10
#include "transport/http_endpoint.hpp"

#include <gtest/gtest.h>

#include <list>

#include "support/http_world.hpp"

namespace tenon::test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

Limits small_limits() {
    Limits limits;
    limits.max_sessions = 3;
    limits.max_streams_per_session = 4;
    limits.session_idle_time = minutes(30);
    limits.stream_keep_alive = seconds(15);
    limits.handler_time = minutes(10);
    return limits;
}

const json::object form{{"type", "object"}, {"properties", json::object{{"name", json::object{{"type", "string"}}}}}};

struct Endpoint : testing::Test {
    Endpoint() {
        server.tool("echo", "Says it again", args(arg<std::string>("message", "What")),
                    [](std::string m) { return m; });
        server.tool("talk", "Says something first", [](Context& ctx) { return ctx.info("first"), "then"; });
        server.tool("hold", "Answers when the test wants", [this](Context& ctx, Reply<std::string> reply) {
            held.push_back({std::move(reply), ctx});
        });
        server.tool("hold_long", "The same, and may take hours",
                    [this](Context& ctx, Reply<std::string> reply) {
                        held.push_back({std::move(reply), ctx});
                    },
                    {.time_limit = std::chrono::hours(5)});
        server.tool("talk_and_hold", "Says something, and is held", [this](Context& ctx, Reply<std::string> reply) {
            ctx.info("first");
            held.push_back({std::move(reply), ctx});
        });
        server.tool("poll_and_hold", "Lets its client come back", [this](Context& ctx, Reply<std::string> reply) {
            ctx.let_poll(seconds(2));
            held.push_back({std::move(reply), ctx});
        });
        server.tool("ask", "Asks the user", [](Context& ctx, Reply<std::string> reply) {
            auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
            ctx.async_elicit(
                "Who?", form, make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                    if (!answer) return std::move(*kept).send(answer.error());
                    std::move(*kept).send(std::string(answer->action == ElicitAction::accept ? "accepted" : "refused"));
                }),
                "who");
        });
        server.tool("who", "Who calls", [](Context& ctx) { return "<" + ctx.principal() + ">"; });
        server.resource("note://a", "a", [] { return "text"; });
    }
    ~Endpoint() override { world.reset(), held.clear(); }

    void start(EndpointOptions options = {}) { world.emplace(server, std::move(options)); }
    HttpWorld& w() {
        if (!world) start();
        return *world;
    }
    static json::object echo(json::value id, std::string_view text) {
        return tool_request(std::move(id), "echo", {{"message", text}});
    }
    static json::object alone(std::string_view tool, json::object arguments = {}, json::object capabilities = {}) {
        return tool_request(1, tool, std::move(arguments), modern_meta(std::move(capabilities)));
    }
    void release(std::size_t which, std::string text) {
        std::move(std::next(held.begin(), static_cast<std::ptrdiff_t>(which))->reply).send(std::move(text));
    }

    struct Held {
        Reply<std::string> reply;
        Context context;
    };
    std::list<Held> held;
    Server server{"test", "1", {.limits = small_limits()}};
    std::optional<HttpWorld> world;
};

// ---- sessions

TEST_F(Endpoint, initialize_begins_a_session_and_says_its_id) {
    const Sent sent = w().post(initialize_request("2025-06-18"));
    EXPECT_EQ(sent.status(), 200);
    EXPECT_EQ(sent.exchange->response.content_type, "application/json");
    EXPECT_EQ(sent.exchange->field("Mcp-Session-Id"), "session-1");
    EXPECT_EQ(sent.answer().at("result").at("protocolVersion").as_string(), "2025-06-18");
    EXPECT_EQ(w().endpoint->sessions(), 1U);
}

TEST_F(Endpoint, a_handshake_that_fails_leaves_no_session) {
    const Sent sent = w().post(request(1, "initialize", {{"protocolVersion", 5}}));
    EXPECT_TRUE(sent.over());
    EXPECT_NE(sent.error(), 0);
    EXPECT_EQ(sent.exchange->field("Mcp-Session-Id"), "");
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

TEST_F(Endpoint, sessions_that_are_missing_unknown_or_named_twice) {
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
    EXPECT_EQ(w().send("GET", "/mcp", "").exchange->field("Allow"), "POST, OPTIONS");
    EXPECT_EQ(w().endpoint->sessions(), 1U);
}

TEST_F(Endpoint, delete_ends_a_session_and_what_runs_in_it) {
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
    EXPECT_EQ(running.exchange->misuses + listener.exchange->misuses, 0);
}

TEST_F(Endpoint, only_so_many_sessions) {
    for (int i = 0; i < 3; ++i) w().begin();
    const Sent refused = w().post(initialize_request("2025-11-25"));
    EXPECT_EQ(refused.status(), 503);
    EXPECT_EQ(refused.error(), code::server_error);
    EXPECT_EQ(w().end("session-1").status(), 204);
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).status(), 200);
}

TEST_F(Endpoint, a_session_that_nobody_uses_is_ended) {
    const std::string idle = w().begin(), busy = w().begin(), listening = w().begin();
    const Sent running = w().post(tool_request(1, "hold_long"), w().in_session(busy));
    const Sent listener = w().listen(listening);
    w().advance(minutes(5));
    EXPECT_EQ(w().endpoint->sessions(), 3U);
    w().advance(minutes(4));
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(idle)).status(), 200);
    for (int i = 0; i < 5; ++i) w().advance(minutes(5));
    EXPECT_EQ(w().endpoint->sessions(), 3U) << "the ping was use";
    w().advance(minutes(6));
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(idle)).status(), 404);
    EXPECT_EQ(w().post(request(9, "ping"), w().in_session(listening)).status(), 200);
    EXPECT_FALSE(listener.over());
    EXPECT_FALSE(running.over());
}

TEST_F(Endpoint, only_so_many_streams) {
    const std::string session = w().begin();
    for (int i = 0; i < 4; ++i) w().post(tool_request(i, "hold"), w().in_session(session));
    EXPECT_EQ(w().post(tool_request(5, "hold"), w().in_session(session)).status(), 429);
    EXPECT_EQ(w().listen(session).status(), 429);
    EXPECT_EQ(w().post(notification("notifications/x"), w().in_session(session)).status(), 202);
    w().run_all();
    release(0, "x");
    EXPECT_EQ(w().post(request(6, "ping"), w().in_session(session)).status(), 200);
}

TEST_F(Endpoint, a_listener_that_reconnects_again_and_again_is_let_in) {
    const std::string session = w().begin();
    for (int i = 0; i < 50; ++i) {
        Sent listener = w().listen(session);
        ASSERT_EQ(listener.status(), 200) << i;
        listener.disconnect();
    }
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(session)).status(), 200);
}

// ---- principals

TEST_F(Endpoint, nobody_gets_into_the_session_of_another) {
    start({.authenticate = [](std::string_view who) -> std::optional<std::string> {
        if (who.empty()) return std::nullopt;
        return std::string(who);
    }});
    const std::string ann = "Authorization: ann\r\n", bob = "Authorization: bob\r\n";
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).status(), 401);
    EXPECT_EQ(w().post(initialize_request("2025-11-25")).exchange->field("WWW-Authenticate"), "Bearer");
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

TEST_F(Endpoint, a_function_that_throws_lets_nobody_in) {
    start(
        {.authenticate = [](std::string_view) -> std::optional<std::string> { throw std::runtime_error("database"); }});
    const Sent sent = w().post(initialize_request("2025-11-25"));
    EXPECT_EQ(sent.status(), 500);
    EXPECT_EQ(sent.exchange->response.body.find("database"), std::string::npos) << "for the log, not for strangers";
}

// ---- messages

TEST_F(Endpoint, notifications_and_responses_are_accepted_without_a_body) {
    const std::string fields = w().in_session(w().begin());
    for (const json::object& message :
         {notification("notifications/initialized"), notification("no/such"), cancellation(77),
          json::object{{"jsonrpc", "2.0"}, {"id", 99}, {"result", json::object()}}}) {
        const Sent sent = w().post(message, fields);
        EXPECT_EQ(sent.status(), 202);
        EXPECT_TRUE(sent.exchange->response.body.empty() && sent.exchange->response.content_type.empty());
    }
}

TEST_F(Endpoint, bodies_that_are_no_message) {
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

TEST_F(Endpoint, a_lone_request_that_does_not_say_what_its_client_can_do) {
    const json::object meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}};
    const Sent sent = w().post(request(1, "tools/list", {{"_meta", meta}}),
                               "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n");
    EXPECT_EQ(sent.status(), 400);
    EXPECT_EQ(sent.error(), code::invalid_params);
}

TEST_F(Endpoint, ids_come_back_as_they_went) {
    const std::string fields = w().in_session(w().begin());
    for (const char* id : {"0", "-1", "1.5", "\"\"", "\"1\"", "9007199254740993", "18446744073709551616"}) {
        const Sent sent =
            w().send("POST", "/mcp", fields, R"({"jsonrpc":"2.0","id":)" + std::string(id) + R"(,"method":"ping"})");
        EXPECT_NE(sent.exchange->response.body.find("\"id\":" + std::string(id) + ","), std::string::npos)
            << sent.exchange->response.body;
    }
}

TEST_F(Endpoint, an_id_that_is_in_use_is_refused_and_the_first_goes_on) {
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
    EXPECT_FALSE(sent.exchange->begun);
}

TEST_F(Endpoint, revisions_without_batches_refuse_them) {
    for (const char* revision : {"2025-06-18", "2025-11-25"}) {
        const std::string session = w().begin(revision);
        for (const json::array& batch : {json::array{request(1, "ping")}, json::array{notification("notifications/x")}})
            EXPECT_EQ(w().post(batch, w().in_session(session)).status(), 400) << revision;
        w().end(session);
    }
    EXPECT_EQ(w().post(json::array{initialize_request("2025-03-26")}).status(), 400) << "initialize comes alone";
}

TEST_F(Endpoint, versions_in_the_header) {
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

TEST_F(Endpoint, what_belongs_to_a_request_comes_on_its_stream_before_its_answer) {
    const std::string fields = w().in_session(w().begin());
    const Sent a = w().post(tool_request(1, "talk"), fields), b = w().post(echo(2, "x"), fields);
    w().run_all();
    EXPECT_TRUE(a.exchange->begun && a.over());
    ASSERT_EQ(a.exchange->messages().size(), 2U);
    EXPECT_EQ(a.text(), "then");
    EXPECT_EQ(a.exchange->events.front().data, "") << "primed";
    EXPECT_FALSE(b.exchange->begun);
}

TEST_F(Endpoint, what_belongs_to_no_request_comes_on_the_stream_of_a_get) {
    const std::string one = w().begin(), two = w().begin();
    const Sent first = w().listen(one), other = w().listen(two);
    w().post(request(1, "resources/subscribe", {{"uri", "note://a"}}), w().in_session(one));
    server.resource_updated("note://a");
    ASSERT_EQ(first.exchange->messages().size(), 1U);
    EXPECT_EQ(first.answer().at("method").as_string(), "notifications/resources/updated");
    EXPECT_TRUE(other.exchange->messages().empty()) << "another session";
}

TEST_F(Endpoint, an_answer_goes_on_where_the_connection_was_lost) {
    const std::string session = w().begin();
    Sent sent = w().post(tool_request(1, "talk_and_hold"), w().in_session(session));
    w().run_all();
    sent.disconnect();
    EXPECT_FALSE(held.front().context.cancelled()) << "losing a connection is no cancellation";
    release(0, "the answer");
    const Sent again = w().listen(session, sent.exchange->events.back().id);
    EXPECT_EQ(again.text(), "the answer");
    EXPECT_TRUE(again.over());
    EXPECT_EQ(sent.exchange->messages().size(), 1U);
}

TEST_F(Endpoint, event_ids_of_another_session_open_nothing) {
    const std::string one = w().begin(), two = w().begin();
    Sent sent = w().post(tool_request(1, "talk_and_hold"), w().in_session(one));
    w().run_all();
    sent.disconnect();
    EXPECT_EQ(w().listen(two, sent.exchange->events.back().id).status(), 400);
}

TEST_F(Endpoint, a_request_can_let_its_client_poll) {
    const std::string session = w().begin();
    const Sent sent = w().post(tool_request(1, "poll_and_hold"), w().in_session(session));
    w().run_all();
    EXPECT_TRUE(sent.over());
    EXPECT_EQ(sent.exchange->retry_ms(), 2000);
    const Sent again = w().listen(session, sent.exchange->events.back().id);
    EXPECT_FALSE(again.over());
    release(0, "the answer");
    EXPECT_EQ(again.text(), "the answer");
}

TEST_F(Endpoint, older_clients_and_those_without_a_session_do_not_poll) {
    const std::string session = w().begin("2025-06-18");
    const Sent older = w().post(tool_request(1, "poll_and_hold"), w().in_session(session));
    const Sent lone = w().post_alone(alone("poll_and_hold"));
    w().run_all();
    EXPECT_FALSE(older.over());
    EXPECT_FALSE(lone.over()) << "its connection is all it has";
    release(0, "a");
    release(1, "b");
    EXPECT_EQ(older.text(), "a");
    EXPECT_EQ(lone.text(), "b");
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
    EXPECT_TRUE(fresh.exchange->messages().empty());
    EXPECT_EQ(begun.exchange->messages().size(), 1U);
    EXPECT_EQ(fresh.exchange->misuses + begun.exchange->misuses, 0);
}

TEST_F(Endpoint, nobody_cancels_the_request_of_another_session) {
    const std::string one = w().begin(), two = w().begin();
    const Sent sent = w().post(tool_request(1, "hold"), w().in_session(one));
    w().run_all();
    w().post(cancellation(1), w().in_session(two));
    w().post(cancellation(1), "MCP-Protocol-Version: 2026-07-28\r\n");
    EXPECT_FALSE(sent.over());
    EXPECT_FALSE(held.front().context.cancelled());
}

TEST_F(Endpoint, a_question_comes_on_the_stream_of_its_request_and_its_answer_by_a_post) {
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
    EXPECT_FALSE(sent.over()) << "it was another session's question";
    EXPECT_EQ(w().post(answer, w().in_session(one)).status(), 202);
    EXPECT_EQ(sent.text(), "accepted");
}

TEST_F(Endpoint, silent_streams_are_kept_alive_by_comments) {
    const std::string session = w().begin();
    const Sent listener = w().listen(session), lone = w().post_alone(alone("talk_and_hold", {}, {}));
    w().run_all();
    w().advance(seconds(1));
    const int before = listener.exchange->comments;
    for (int i = 0; i < 14; ++i) w().advance(seconds(1));
    EXPECT_EQ(listener.exchange->comments, before);
    w().advance(seconds(1));
    EXPECT_EQ(listener.exchange->comments, before + 1);
    EXPECT_TRUE(lone.exchange->comments == 0 || lone.exchange->begun) << "what has not begun may still become JSON";
}

TEST_F(Endpoint, a_handler_that_is_late_is_answered_for) {
    const Sent in_session = w().post(tool_request(1, "hold"), w().in_session(w().begin()));
    const Sent lone = w().post_alone(alone("hold"));
    w().run_all();
    w().advance(minutes(11));
    for (const Sent* sent : {&in_session, &lone}) {
        EXPECT_TRUE(sent->over());
        EXPECT_TRUE(sent->answer().at("result").at("isError").as_bool());
    }
    release(0, "x"), release(1, "y");
    EXPECT_TRUE(w().endpoint->idle());
}

// ---- requests that stand alone

TEST_F(Endpoint, is_not_idle_when_the_handler_of_a_lone_request_may_begin) {
    std::vector<bool> idle;
    w().when_posted = [&] { idle.push_back(w().endpoint->idle()); };
    w().post_alone(alone("echo", {{"message", "x"}}));
    EXPECT_EQ(idle, std::vector<bool>{false});
    w().run_all();
    EXPECT_TRUE(w().endpoint->idle());
}

TEST_F(Endpoint, a_lone_request_that_comes_with_the_end_is_refused) {
    w().endpoint->shut_down("over");
    const Sent sent = w().post_alone(alone("echo", {{"message", "x"}}));
    EXPECT_TRUE(sent.over());
    EXPECT_TRUE(w().posted.empty());
}

TEST_F(Endpoint, a_modern_request_needs_no_session_and_gets_none) {
    const Sent sent = w().post_alone(alone("echo", {{"message", "hello"}}));
    EXPECT_FALSE(w().endpoint->idle());
    w().run_all();
    EXPECT_EQ(sent.text(), "hello");
    EXPECT_EQ(sent.exchange->field("Mcp-Session-Id"), "");
    EXPECT_EQ(w().endpoint->sessions(), 0U);
    EXPECT_TRUE(w().endpoint->idle());
    EXPECT_EQ(w().send("GET", "/mcp", "MCP-Protocol-Version: 2026-07-28\r\n").status(), 405);
    EXPECT_EQ(w().send("DELETE", "/mcp", "MCP-Protocol-Version: 2026-07-28\r\n").status(), 405);
}

TEST_F(Endpoint, modern_requests_with_the_same_id_are_strangers) {
    const Sent a = w().post_alone(alone("echo", {{"message", "a"}})),
               b = w().post_alone(alone("echo", {{"message", "b"}}));
    w().run_all();
    EXPECT_EQ(a.text(), "a");
    EXPECT_EQ(b.text(), "b");
}

TEST_F(Endpoint, the_status_of_modern_errors) {
    EXPECT_EQ(w().post_alone(request(1, "no/such", {{"_meta", modern_meta()}})).status(), 404);
    EXPECT_EQ(w().post_alone(request(1, "tools/call", {{"name", "none"}, {"_meta", modern_meta()}})).status(), 200);
    json::object unknown = modern_meta();
    unknown["io.modelcontextprotocol/protocolVersion"] = "2099-01-01";
    EXPECT_EQ(w().post(request(1, "tools/list", {{"_meta", unknown}}),
                       "MCP-Protocol-Version: 2099-01-01\r\nMcp-Method: tools/list\r\n")
                  .error(),
              code::unsupported_version);
    const Sent ask = w().post_alone(alone("ask"));
    w().run_all();
    EXPECT_TRUE(ask.over());
}

TEST_F(Endpoint, headers_that_say_another_thing_than_the_body) {
    const json::object call = alone("echo", {{"message", "x"}});
    const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n", method = "Mcp-Method: tools/call\r\n",
                      name = "Mcp-Name: echo\r\n";
    for (const std::string& fields :
         {method + name, version + name, version + method, version + method + "Mcp-Name: who\r\n",
          version + name + "Mcp-Method: tools/list\r\n", "MCP-Protocol-Version: 2025-11-25\r\n" + method + name,
          version + version + method + name}) {
        const Sent sent = w().post(call, fields);
        EXPECT_EQ(sent.status(), 400) << fields;
        EXPECT_EQ(sent.error(), code::header_mismatch) << fields;
        EXPECT_EQ(sent.answer().at("id").as_int64(), 1);
    }
    EXPECT_TRUE(w().posted.empty()) << "nothing was executed";
}

TEST_F(Endpoint, a_header_of_the_modern_revision_wants_a_modern_body) {
    const Sent sent =
        w().post(request(1, "tools/list"), "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n");
    EXPECT_EQ(sent.status(), 400);
    EXPECT_NE(sent.error(), 0);
}

TEST_F(Endpoint, modern_notifications_are_accepted_and_responses_are_not) {
    const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
    EXPECT_EQ(w().post(cancellation(1), version).status(), 202);
    EXPECT_EQ(w().post(json::object{{"jsonrpc", "2.0"}, {"id", 1}, {"result", json::object()}}, version).status(), 400);
}

TEST_F(Endpoint, a_modern_client_that_leaves_stops_its_handler) {
    Sent sent = w().post_alone(alone("hold"));
    w().run_all();
    sent.disconnect();
    EXPECT_TRUE(held.front().context.cancelled());
    EXPECT_TRUE(w().endpoint->idle());
    release(0, "too late");
}

TEST_F(Endpoint, a_modern_client_that_leaves_before_its_handler_has_begun_stops_it_too) {
    Sent sent = w().post_alone(alone("hold"));
    sent.disconnect();
    w().run_all();
    EXPECT_TRUE(held.empty());
    EXPECT_TRUE(w().endpoint->idle());
}

json::object listen_request(json::value id, json::object what) {
    return request(std::move(id), "subscriptions/listen",
                   {{"notifications", std::move(what)}, {"_meta", modern_meta()}});
}

TEST_F(Endpoint, a_subscription_is_a_stream_of_what_was_asked_for) {
    Sent tools = w().post_alone(listen_request("t", {{"toolsListChanged", true}}));
    Sent uris = w().post_alone(listen_request("r", {{"resourceSubscriptions", json::array{"note://a"}}}));
    EXPECT_TRUE(w().endpoint->idle()) << "nobody waits for a subscription to end";
    server.resource_updated("note://a");
    server.tool("new", "New", [] { return "x"; });
    EXPECT_EQ(tools.exchange->messages().size(), 2U) << "the acknowledgement and the change";
    EXPECT_EQ(tools.answer().at("method").as_string(), "notifications/tools/list_changed");
    EXPECT_EQ(uris.exchange->messages().size(), 2U);
    EXPECT_EQ(uris.answer().at("method").as_string(), "notifications/resources/updated");
    tools.disconnect();
    server.remove_tool("new");
    EXPECT_EQ(tools.exchange->messages().size(), 3U) << "told that it is over, if somebody were there";
    EXPECT_EQ(uris.exchange->messages().size(), 2U);
    w().endpoint->shut_down("bye");
    EXPECT_TRUE(uris.over());
    EXPECT_EQ(uris.answer().at("id").as_string(), "r");
    EXPECT_TRUE(uris.answer().as_object().contains("result"));
}

TEST_F(Endpoint, a_question_of_a_modern_call_is_its_answer) {
    const json::object capable{{"elicitation", json::object()}};
    const Sent first = w().post_alone(alone("ask", {}, capable));
    w().run_all();
    const json::value result = first.answer().at("result");
    EXPECT_EQ(result.at("resultType").as_string(), "input_required");
    const auto again = [&](std::string state, const std::string& fields = {}) {
        json::object message = alone("ask", {}, capable);
        json::object& params = message["params"].as_object();
        params["requestState"] = state;
        params["inputResponses"] = json::object{{"who", json::object{{"action", "decline"}}}};
        const Sent sent = w().post_alone(message, fields);
        w().run_all();
        return sent;
    };
    const std::string state(result.at("requestState").as_string());
    EXPECT_EQ(again(state).text(), "refused");
    std::string tampered = state;
    tampered[state.size() / 2] = tampered[state.size() / 2] == 'A' ? 'B' : 'A';
    EXPECT_EQ(again(tampered).error(), code::invalid_params);
    EXPECT_EQ(again("").error(), code::invalid_params);

    Server stranger{"other", "1"};
    stranger.tool("ask", "Asks", [](Context& ctx) {
        ctx.elicit("Who?", form, "who");
        return "x";
    });
    HttpWorld elsewhere(stranger);
    const Sent foreign = elsewhere.post_alone(alone("ask", {}, capable));
    elsewhere.run_all();
    EXPECT_EQ(again(std::string(foreign.answer().at("result").at("requestState").as_string())).error(),
              code::invalid_params);
}

TEST_F(Endpoint, the_state_of_one_principal_is_nothing_to_another) {
    start({.authenticate = [](std::string_view who) { return std::optional<std::string>(who); }});
    const json::object capable{{"elicitation", json::object()}};
    const Sent first = w().post_alone(alone("ask", {}, capable), "Authorization: ann\r\n");
    w().run_all();
    json::object message = alone("ask", {}, capable);
    message["params"].as_object()["requestState"] = first.answer().at("result").at("requestState");
    message["params"].as_object()["inputResponses"] = json::object{{"who", json::object{{"action", "decline"}}}};
    const Sent bob = w().post_alone(message, "Authorization: bob\r\n");
    const Sent ann = w().post_alone(message, "Authorization: ann\r\n");
    w().run_all();
    EXPECT_EQ(bob.error(), code::invalid_params);
    EXPECT_EQ(ann.text(), "refused");
}

// ---- the end

TEST_F(Endpoint, shutting_down_answers_what_runs_and_refuses_what_comes) {
    const std::string session = w().begin();
    const Sent running = w().post(tool_request(1, "hold"), w().in_session(session)), listener = w().listen(session),
               lone = w().post_alone(alone("hold")), queued = w().post_alone(alone("echo", {{"message", "x"}}));
    w().run_one(0), w().run_one(0);
    w().endpoint->shut_down("bye");
    for (const Sent* sent : {&running, &lone, &queued}) {
        EXPECT_TRUE(sent->over());
        EXPECT_NE(sent->error(), 0);
        EXPECT_EQ(sent->exchange->misuses, 0);
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

TEST_F(Endpoint, a_request_that_was_let_in_just_before_the_end_is_answered) {
    const std::string body = json::write(alone("hold"));
    const Head head("POST", "/mcp",
                    "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                        "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: hold\r\n");
    const std::string first_body = json::write(initialize_request("2025-11-25"));
    const auto admitted = w().endpoint->admit(head).value();
    w().endpoint->shut_down("bye");
    for (const std::string& late : {body, first_body}) {
        const auto exchange = new_exchange();
        w().endpoint->handle(std::get<HttpEndpoint::Admitted>(admitted), head, late, exchange);
        w().run_all();
        EXPECT_TRUE(exchange->over);
        EXPECT_EQ(exchange->response.status, 503);
    }
    EXPECT_TRUE(held.empty());
    EXPECT_EQ(w().endpoint->sessions(), 0U);
}

// ---- HTTP+SSE of 2024-11-05

struct OldTransport : Endpoint {
    Sent stream() { return w().send("GET", "/sse", ""); }
    static std::string path_of(const Sent& sent) { return sent.exchange->events.at(0).data; }
    Sent old_post(const Sent& to, const json::value& message) {
        return w().send("POST", path_of(to), "", json::write(message));
    }
};

TEST_F(OldTransport, answers_come_on_the_one_stream) {
    Sent one = stream(), two = stream();
    EXPECT_EQ(one.exchange->events.at(0).type, "endpoint");
    EXPECT_EQ(path_of(one), "/messages?sessionId=session-1");
    EXPECT_EQ(old_post(one, initialize_request("2024-11-05")).status(), 202);
    EXPECT_EQ(one.answer().at("result").at("protocolVersion").as_string(), "2024-11-05");
    old_post(one, notification("notifications/initialized"));
    EXPECT_EQ(old_post(one, echo(1, "hello")).status(), 202);
    EXPECT_EQ(old_post(one, tool_request(2, "talk")).status(), 202);
    w().run_all();
    EXPECT_EQ(one.exchange->messages().size(), 5U) << "the path, three answers and what was said first";
    EXPECT_FALSE(one.over());
    EXPECT_EQ(two.exchange->messages().size(), 1U);
    EXPECT_EQ(w().endpoint->sessions(), 2U);
    one.disconnect();
    EXPECT_EQ(w().endpoint->sessions(), 1U) << "the stream is the session";
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

TEST_F(OldTransport, bodies_that_are_no_message_are_answered_on_the_stream) {
    Sent one = stream();
    EXPECT_EQ(w().send("POST", path_of(one), "", "{").status(), 202);
    EXPECT_EQ(one.error(), code::parse_error);
}

TEST_F(OldTransport, sessions_that_are_none) {
    for (const char* path :
         {"/messages", "/messages?", "/messages?sessionId=", "/messages?sessionId=nobody", "/messages?x"})
        EXPECT_EQ(w().send("POST", path, "", R"({"jsonrpc":"2.0","id":1,"method":"ping"})").status(), 404) << path;
}

// Their answers go elsewhere, so a request that came by the wrong door would never be answered.
TEST_F(OldTransport, the_sessions_of_the_two_transports_are_not_mixed) {
    const std::string session = w().begin();
    const Sent listener = w().listen(session);
    EXPECT_EQ(
        w().send("POST", "/messages?sessionId=" + session, "", R"({"jsonrpc":"2.0","id":1,"method":"ping"})").status(),
        404);
    EXPECT_TRUE(listener.exchange->messages().empty());
    Sent one = stream();
    const std::string old = path_of(one).substr(path_of(one).find('=') + 1);
    EXPECT_EQ(w().post(request(1, "ping"), w().in_session(old)).status(), 404);
    EXPECT_EQ(w().listen(old).status(), 404);
    EXPECT_EQ(w().end(old).status(), 404);
    EXPECT_FALSE(one.over());
}

}  // namespace
}  // namespace tenon::test
