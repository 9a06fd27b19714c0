// Messages that cross nodes: changes of the session, notifications, cancellations, and answers to questions.
#include "cluster/cluster_world.hpp"

namespace tenon::test {
namespace {

const json::object can_ask{{"elicitation", json::object()}};

TEST_F(Cluster, an_update_reaches_the_stream_of_another_node_exactly_once) {
    const std::string session = a->begin();
    const Sent listener = b->listen(session);
    EXPECT_EQ(c->post(subscribe(1), in(session)).status(), 200);
    for (Node* node : {&a, &b, &c}) node->server.resource_updated("note://a");
    EXPECT_EQ(count(listener, "notifications/resources/updated"), 3U);
    EXPECT_EQ(a->post(request(2, "resources/unsubscribe", {{"uri", "note://a"}}), in(session)).status(), 200);
    for (Node* node : {&a, &b, &c}) node->server.resource_updated("note://a");
    EXPECT_EQ(count(listener, "notifications/resources/updated"), 3U);
}

TEST_F(Cluster, a_changed_list_reaches_every_session_once) {
    const std::string first = a->begin(), second = b->begin();
    const Sent one = c->listen(first), two = a->listen(second);
    b.server.tool("new", "New", [] { return "new"; });
    EXPECT_EQ(count(one, "notifications/tools/list_changed"), 1U);
    EXPECT_EQ(count(two, "notifications/tools/list_changed"), 1U);
}

TEST_F(Cluster, a_log_message_of_the_server_obeys_the_level_that_another_node_set) {
    const std::string session = a->begin();
    const Sent listener = a->listen(session);
    EXPECT_EQ(b->post(request(1, "logging/setLevel", {{"level", "error"}}), in(session)).status(), 200);
    c.server.log(LogLevel::warning, "quiet");
    c.server.log(LogLevel::error, "loud");
    EXPECT_EQ(count(listener, "quiet"), 0U);
    EXPECT_EQ(count(listener, "loud"), 1U);
}

TEST_F(Cluster, modern_listeners_on_every_node_hear_every_change_once) {
    std::vector<Sent> listeners;
    for (Node* node : {&a, &b, &c})
        listeners.push_back((*node)->post_alone(
            request(1, "subscriptions/listen",
                    {{"_meta", modern_meta()},
                     {"notifications",
                      json::object{{"toolsListChanged", true}, {"resourceSubscriptions", json::array{"note://a"}}}}})));
    a.server.resource_updated("note://a");
    b.server.tool("new", "New", [] { return "new"; });
    for (const Sent& listener : listeners) {
        EXPECT_EQ(count(listener, "notifications/resources/updated"), 1U);
        EXPECT_EQ(count(listener, "notifications/tools/list_changed"), 1U);
    }
}

TEST_F(Cluster, messages_before_the_first_stream_are_kept_for_it) {
    const std::string session = a->begin();
    b.server.resource_list_changed("note://a");
    Sent listener = c->listen(session);
    EXPECT_EQ(count(listener, "notifications/resources/list_changed"), 1U);
    listener.disconnect();
    const Sent next = b->listen(session);
    EXPECT_EQ(count(next, "notifications/resources/list_changed"), 0U) << "it has been delivered";
}

TEST_F(Cluster, a_newer_stream_takes_the_place_of_an_older_one) {
    const std::string session = a->begin();
    const Sent older = b->listen(session);
    const Sent newer = c->listen(session);
    a.server.resource_list_changed("note://a");
    EXPECT_TRUE(older.over());
    EXPECT_EQ(count(older, "list_changed"), 0U);
    EXPECT_EQ(count(newer, "list_changed"), 1U);
}

TEST_F(Cluster, a_cancellation_on_one_node_stops_the_handler_on_another) {
    const std::string session = a->begin();
    const Sent running = a->post(tool_request(7, "hold"), in(session));
    run_all();
    EXPECT_EQ(b->post(cancellation(8), in(session)).status(), 202);
    EXPECT_FALSE(a.held.front().context.cancelled()) << "another request was meant";
    EXPECT_EQ(b->post(cancellation(7), in(session)).status(), 202);
    EXPECT_TRUE(a.held.front().context.cancelled());
    EXPECT_TRUE(running.over());
}

TEST_F(Cluster, another_session_cannot_cancel_a_call) {
    const std::string mine = a->begin(), other = a->begin();
    a->post(tool_request(7, "hold"), in(mine));
    run_all();
    EXPECT_EQ(b->post(cancellation(7), in(other)).status(), 202);
    EXPECT_EQ(b->post(cancellation(7), in(mine) + bob).status(), 404);
    EXPECT_FALSE(a.held.front().context.cancelled());
}

TEST_F(Cluster, a_question_of_one_node_is_answered_on_another) {
    const std::string session = a->begin("2025-11-25", can_ask);
    const Sent call = a->post(tool_request(1, "ask"), in(session));
    run_all();
    const json::value question = call.answer();
    ASSERT_EQ(question.at("method").as_string(), "elicitation/create");
    EXPECT_EQ(b->post(answer(question.at("id"), "Zoe"), in(session)).status(), 202);
    run_all();
    EXPECT_TRUE(call.over());
    EXPECT_EQ(call.text(), "Zoe");
    EXPECT_EQ(c->post(answer(question.at("id"), "Eve"), in(session)).status(), 202) << "a second answer has no effect";
    EXPECT_EQ(call.text(), "Zoe");
    EXPECT_EQ(call.writer->misuses, 0);
}

TEST_F(Cluster, another_principal_or_session_cannot_answer_a_question) {
    const std::string session = a->begin("2025-11-25", can_ask, ann), other = a->begin("2025-11-25", can_ask, bob);
    const Sent call = a->post(tool_request(1, "ask"), in(session) + ann);
    run_all();
    const json::value id = call.answer().at("id");
    EXPECT_EQ(b->post(answer(id, "Eve"), in(session) + bob).status(), 404);
    EXPECT_EQ(b->post(answer(id, "Eve"), in(other) + bob).status(), 202);
    run_all();
    EXPECT_FALSE(call.over());
    EXPECT_EQ(b->post(answer(id, "Ann"), in(session) + ann).status(), 202);
    run_all();
    EXPECT_EQ(call.text(), "Ann");
}

}  // namespace
}  // namespace tenon::test
