// Sessions that several nodes serve: any node answers, every node checks the owner, and the end is for all.
#include "cluster/cluster_world.hpp"

namespace tenon::test {
namespace {

TEST_F(Cluster, a_session_of_one_node_is_served_by_another) {
    const std::string session = a->begin();
    const Sent ping = b->post(request(1, "ping"), in(session));
    EXPECT_EQ(ping.status(), 200);
    const Sent call = c->post(tool_request(2, "hello"), in(session));
    run_all();
    EXPECT_EQ(call.text(), "hello");
    EXPECT_EQ(call.writer->field("Mcp-Session-Id"), session);
    EXPECT_EQ(c->endpoint->sessions(), 1U);
}

TEST_F(Cluster, initialize_and_initialized_may_reach_different_nodes) {
    const Sent hello = a->post(initialize_request("2025-06-18"));
    const std::string session = hello.writer->field("Mcp-Session-Id");
    EXPECT_EQ(b->post(notification("notifications/initialized"), in(session)).status(), 202);
    const Sent listener = c->listen(session);
    a.server.resource_list_changed("note://a");
    EXPECT_EQ(count(listener, "notifications/resources/list_changed"), 1U);
}

TEST_F(Cluster, an_unknown_session_is_not_found_on_any_node) {
    const std::string session = a->begin();
    for (const Node* node : {&a, &b, &c}) {
        EXPECT_EQ((*node)->post(request(1, "ping"), in(session + "x")).status(), 404);
        EXPECT_EQ((*node)->listen("x").status(), 404);
        EXPECT_EQ((*node)->end("x").status(), 404);
    }
}

TEST_F(Cluster, every_node_checks_the_owner_of_a_session) {
    const std::string session = a->begin("2025-11-25", {}, ann);
    for (const Node* node : {&a, &b, &c}) {
        EXPECT_EQ((*node)->post(request(1, "ping"), in(session) + bob).status(), 404);
        EXPECT_EQ((*node)->post(request(1, "ping"), in(session)).status(), 404);
        EXPECT_EQ((*node)->listen(session, {}, bob).status(), 404);
        EXPECT_EQ((*node)->end(session, bob).status(), 404);
    }
    EXPECT_EQ(b->post(request(2, "ping"), in(session) + ann).status(), 200);
    EXPECT_EQ(b->post(request(3, "ping"), in(session) + bob).status(), 404) << "also when the node knows the session";
    EXPECT_EQ(b->listen(session, {}, bob).status(), 404);
}

TEST_F(Cluster, delete_on_one_node_ends_the_session_on_all) {
    const std::string session = a->begin();
    const Sent running = a->post(tool_request(1, "hold"), in(session));
    const Sent listener = c->listen(session);
    run_all();
    EXPECT_EQ(b->end(session).status(), 204);
    EXPECT_TRUE(running.over());
    EXPECT_EQ(running.error(), code::server_error);
    EXPECT_TRUE(a.held.front().context.cancelled());
    EXPECT_TRUE(listener.over());
    for (const Node* node : {&a, &b, &c}) {
        EXPECT_EQ((*node)->post(request(2, "ping"), in(session)).status(), 404);
        EXPECT_EQ((*node)->endpoint->sessions(), 0U);
    }
    EXPECT_EQ(running.writer->misuses + listener.writer->misuses, 0);
}

TEST_F(Cluster, a_session_continues_after_its_first_node_has_stopped) {
    const std::string session = a->begin();
    EXPECT_EQ(a->post(subscribe(1), in(session)).status(), 200);
    a.stop();
    const Sent listener = b->listen(session);
    EXPECT_EQ(b->post(request(2, "ping"), in(session)).status(), 200);
    c.server.resource_updated("note://a");
    EXPECT_EQ(count(listener, "notifications/resources/updated"), 1U);
}

TEST_F(Cluster, a_session_that_is_used_on_one_node_does_not_expire_on_others) {
    const std::string session = a->begin();
    b->post(request(1, "ping"), in(session));
    for (int i = 0; i < 40; ++i) {
        advance(minutes(5));
        ASSERT_EQ(c->post(request(2, "ping"), in(session)).status(), 200) << i;
        c->advance(seconds(1));
    }
    EXPECT_EQ(a->endpoint->sessions(), 0U) << "an unused copy is dropped";
    EXPECT_EQ(a->post(request(3, "ping"), in(session)).status(), 200) << "and made again";
}

TEST_F(Cluster, an_unused_session_is_released_on_all_nodes_and_in_the_store) {
    const std::string session = a->begin();
    b->post(request(1, "ping"), in(session));
    for (int i = 0; i < 40; ++i) advance(minutes(5));
    EXPECT_EQ(a->endpoint->sessions() + b->endpoint->sessions(), 0U);
    EXPECT_EQ(c->post(request(2, "ping"), in(session)).status(), 404);
}

TEST_F(Cluster, a_malformed_record_ends_only_that_session) {
    const std::string session = a->begin();
    store->sessions().create({.id = "odd", .revision = "2025-11-25", .client_info = "{", .capabilities = "{}"},
                             minutes(5), make_reply<std::uint64_t>([](const auto&) {}));
    EXPECT_EQ(b->post(request(1, "ping"), in("odd")).status(), 404);
    EXPECT_EQ(b->post(request(1, "ping"), in(session)).status(), 200);
}

TEST_F(Cluster, a_modern_request_needs_no_store) {
    const Sent call = a->post_alone(tool_request(1, "hello", {}, modern_meta()));
    run_all();
    EXPECT_EQ(call.text(), "hello");
    EXPECT_EQ(a->endpoint->sessions(), 0U);
}

// The state of a modern call that waits for input is sealed with a key that all nodes have.
TEST_F(Cluster, a_modern_question_is_answered_on_another_node) {
    const json::object can_ask{{"elicitation", json::object()}};
    const Sent asked = a->post_alone(tool_request(1, "ask", {}, modern_meta(can_ask)));
    run_all();
    const json::value first = asked.answer();
    json::object again = tool_request(2, "ask", {}, modern_meta(can_ask));
    json::object& params = again.at("params").as_object();
    params["requestState"] = first.at("result").at("requestState");
    params["inputResponses"] =
        json::object{{"who", json::object{{"action", "accept"}, {"content", json::object{{"name", "Zoe"}}}}}};
    const Sent answered = b->post_alone(again);
    run_all();
    EXPECT_EQ(answered.text(), "Zoe");
}

TEST_F(Cluster, a_caller_whose_token_is_refused_causes_no_read_of_the_store) {
    const std::string session = a->begin();
    const int before = store->gate.passed;
    EXPECT_EQ(b->post(request(1, "ping"), in(session) + "Authorization: stranger\r\n").status(), 401);
    EXPECT_EQ(b->listen(session, "", "Authorization: stranger\r\n").status(), 401);
    EXPECT_EQ(store->gate.passed, before);
    EXPECT_EQ(b->post(request(1, "ping"), in(session)).status(), 200);
    EXPECT_GT(store->gate.passed, before);
}

TEST_F(Cluster, a_wrong_bearer_token_causes_no_read_of_the_store) {
    Server server("guarded", "1");
    EndpointOptions options;
    options.cluster = std::make_shared<ClusterNode>(store, "g");
    options.admission = std::make_shared<SharedTokenGate>(
        std::make_unique<auth::TokenGate>(auth::StaticTokens{{"ann", auth::hash_token("good")}}),
        SharedTokenGate::Options{.clock = [] { return auth::Now(); }});
    HttpWorld world(server, std::move(options), "g");
    world.endpoint->join_cluster();
    const int before = store->gate.passed;
    EXPECT_EQ(world.post(request(1, "ping"), in("unknown")).status(), 401);
    EXPECT_EQ(world.post(request(1, "ping"), in("unknown") + "Authorization: Bearer bad\r\n").status(), 401);
    EXPECT_EQ(store->gate.passed, before);
    EXPECT_EQ(world.post(request(1, "ping"), in("unknown") + "Authorization: Bearer good\r\n").status(), 404);
    EXPECT_EQ(store->gate.passed, before + 1);
}

TEST_F(Cluster, a_session_that_moves_to_a_node_with_other_tools_gets_list_changed) {
    Node newer(store, "newer", [](Server& server) { server.tool("extra", "New", [] { return "new"; }); });
    const std::string session = a->begin();
    const Sent listener = a->listen(session);
    EXPECT_EQ(b->post(request(1, "ping"), in(session)).status(), 200);
    EXPECT_EQ(count(listener, "list_changed"), 0U) << "it has the same tools";
    EXPECT_EQ(newer->post(request(2, "ping"), in(session)).status(), 200);
    EXPECT_EQ(count(listener, "notifications/tools/list_changed"), 1U);
    EXPECT_EQ(count(listener, "list_changed"), 1U) << "its resources are the same";
    EXPECT_EQ(newer->post(request(3, "ping"), in(session)).status(), 200);
    EXPECT_EQ(count(listener, "list_changed"), 1U) << "only when it moves";
    EXPECT_EQ(c->post(request(4, "ping"), in(session)).status(), 200);
    EXPECT_EQ(count(listener, "notifications/tools/list_changed"), 2U) << "and when it moves back";
}

TEST_F(Cluster, of_two_nodes_with_other_tools_that_take_a_session_at_once_one_tells_the_client) {
    const auto add = [](Server& server) { server.tool("extra", "New", [] { return "new"; }); };
    Node first(store, "first", add), second(store, "second", add);
    const std::string session = a->begin();
    const Sent listener = a->listen(session);
    // Both have loaded the record before one of them changes it.
    const std::string body = json::write(request(1, "ping"));
    const Head head(
        "POST", "/mcp",
        in(session) + "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n");
    const auto one = first->endpoint->admit(head), two = second->endpoint->admit(head);
    ASSERT_TRUE(one && two);
    first->endpoint->handle(std::get<HttpEndpoint::Admitted>(*one), head, body, Sent().writer);
    second->endpoint->handle(std::get<HttpEndpoint::Admitted>(*two), head, body, Sent().writer);
    EXPECT_EQ(count(listener, "notifications/tools/list_changed"), 1U);
}

}  // namespace
}  // namespace tenon::test
