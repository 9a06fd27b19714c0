// Stateless requests of 2026-07-28.
#include "unit/transport/http_server/endpoint_fixture.hpp"

namespace tenon::test {
namespace {

TEST_F(Endpoint, is_not_idle_when_a_stateless_request_is_queued) {
    std::vector<bool> idle;
    w().when_posted = [&] { idle.push_back(w().endpoint->idle()); };
    w().post_alone(alone("echo", {{"message", "x"}}));
    EXPECT_EQ(idle, std::vector<bool>{false});
    w().run_all();
    EXPECT_TRUE(w().endpoint->idle());
}

TEST_F(Endpoint, a_stateless_request_after_shutdown_is_refused) {
    w().endpoint->shut_down("over");
    const Sent sent = w().post_alone(alone("echo", {{"message", "x"}}));
    EXPECT_TRUE(sent.over());
    EXPECT_TRUE(w().posted.empty());
}

TEST_F(Endpoint, a_modern_request_works_without_a_session) {
    const Sent sent = w().post_alone(alone("echo", {{"message", "hello"}}));
    EXPECT_FALSE(w().endpoint->idle());
    w().run_all();
    EXPECT_EQ(sent.text(), "hello");
    EXPECT_EQ(sent.writer->field("Mcp-Session-Id"), "");
    EXPECT_EQ(w().endpoint->sessions(), 0U);
    EXPECT_TRUE(w().endpoint->idle());
    EXPECT_EQ(w().send("GET", "/mcp", "MCP-Protocol-Version: 2026-07-28\r\n").status(), 405);
    EXPECT_EQ(w().send("DELETE", "/mcp", "MCP-Protocol-Version: 2026-07-28\r\n").status(), 405);
}

TEST_F(Endpoint, modern_requests_with_the_same_id_are_independent) {
    const Sent a = w().post_alone(alone("echo", {{"message", "a"}})),
               b = w().post_alone(alone("echo", {{"message", "b"}}));
    w().run_all();
    EXPECT_EQ(a.text(), "a");
    EXPECT_EQ(b.text(), "b");
}

TEST_F(Endpoint, modern_errors_have_their_http_status) {
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

TEST_F(Endpoint, headers_that_contradict_the_body_are_refused) {
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
    EXPECT_TRUE(w().posted.empty()) << "nothing may be executed";
}

TEST_F(Endpoint, a_modern_version_header_needs_a_modern_body) {
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

TEST_F(Endpoint, a_modern_client_that_disconnects_stops_its_handler) {
    Sent sent = w().post_alone(alone("hold"));
    w().run_all();
    sent.disconnect();
    EXPECT_TRUE(held.front().context.cancelled());
    EXPECT_TRUE(w().endpoint->idle());
    release(0, "too late");
}

TEST_F(Endpoint, a_modern_client_that_disconnects_early_prevents_its_handler) {
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

TEST_F(Endpoint, a_subscription_streams_only_the_requested_notifications) {
    Sent tools = w().post_alone(listen_request("t", {{"toolsListChanged", true}}));
    Sent uris = w().post_alone(listen_request("r", {{"resourceSubscriptions", json::array{"note://a"}}}));
    EXPECT_TRUE(w().endpoint->idle()) << "an open subscription must not count as work";
    server.resource_updated("note://a");
    server.tool("new", "New", [] { return "x"; });
    EXPECT_EQ(tools.writer->messages().size(), 2U) << "expected the acknowledgement and the change";
    EXPECT_EQ(tools.answer().at("method").as_string(), "notifications/tools/list_changed");
    EXPECT_EQ(uris.writer->messages().size(), 2U);
    EXPECT_EQ(uris.answer().at("method").as_string(), "notifications/resources/updated");
    tools.disconnect();
    server.remove_tool("new");
    EXPECT_EQ(tools.writer->messages().size(), 3U)
        << "the end of the subscription is also written for a client that has left";
    EXPECT_EQ(uris.writer->messages().size(), 2U);
    w().endpoint->shut_down("bye");
    EXPECT_TRUE(uris.over());
    EXPECT_EQ(uris.answer().at("id").as_string(), "r");
    EXPECT_TRUE(uris.answer().as_object().contains("result"));
}

TEST_F(Endpoint, a_question_of_a_modern_call_is_an_input_required_result) {
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

TEST_F(Endpoint, request_state_of_one_principal_is_refused_for_another) {
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

TEST_F(Endpoint, a_method_of_an_extension_works_with_and_without_a_session) {
    server = Server("test", "1", {.limits = small_limits(), .extensions = {{"com.example/sums", json::object()}}});
    server.method("com.example/sums/add", args(arg<int>("a"), arg<int>("b")), [](int a, int b) { return a + b; });
    const auto sum = [&](const Sent& sent) {
        w().run_all();
        return sent.status() == 200 ? sent.answer().at("result").at("result").as_int64() : -1;
    };
    const json::object params{{"a", 2}, {"b", 3}};
    json::object modern = params;
    modern["_meta"] = modern_meta();
    EXPECT_EQ(sum(w().post_alone(request(1, "com.example/sums/add", modern))), 5);
    EXPECT_EQ(w().post_alone(request(1, "com.example/sums/sub", modern)).status(), 404);
    EXPECT_EQ(w().post(request(1, "com.example/sums/add", modern),
                       "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: com.example/sums/sub\r\n")
                  .error(),
              code::header_mismatch);
    const std::string session = w().begin();
    EXPECT_EQ(sum(w().post(request(2, "com.example/sums/add", params), w().in_session(session))), 5);
}

}  // namespace
}  // namespace tenon::test
