// A store that is slow, or cannot be used: requests wait, or get 503 with Retry-After, and work again afterwards.
#include "cluster/cluster_world.hpp"

namespace tenon::test {
namespace {

TEST_F(Cluster, requests_that_need_a_broken_store_are_refused_and_others_served) {
    const std::string session = a->begin();
    b->post(request(1, "ping"), in(session));
    store->gate.broken = true;
    const Sent unknown = c->post(request(2, "ping"), in(session));
    EXPECT_EQ(unknown.status(), 503);
    EXPECT_NE(unknown.writer->field("Retry-After"), "");
    EXPECT_EQ(c->post(initialize_request("2025-11-25")).status(), 503);
    EXPECT_EQ(b->post(subscribe(3), in(session)).status(), 503);
    EXPECT_EQ(c->listen(session).status(), 503);
    EXPECT_EQ(a->listen(session).status(), 503);
    EXPECT_EQ(a->end(session).status(), 503);
    EXPECT_EQ(a->post(request(4, "ping"), in(session)).status(), 200) << "it needs no store";
    const Sent modern = c->post_alone(tool_request(1, "hello", {}, modern_meta()));
    run_all();
    EXPECT_EQ(modern.text(), "hello");

    store->gate.broken = false;
    EXPECT_EQ(c->post(request(5, "ping"), in(session)).status(), 200);
    EXPECT_EQ(b->post(subscribe(6), in(session)).status(), 200);
    EXPECT_EQ(c->endpoint->sessions(), 1U) << "the refused `initialize` left no session";
    EXPECT_EQ(a->end(session).status(), 204);
}

TEST_F(Cluster, a_change_that_could_not_be_stored_does_not_last) {
    const std::string session = a->begin();
    const Sent listener = a->listen(session);
    store->gate.broken = true;
    EXPECT_EQ(a->post(subscribe(1), in(session)).status(), 503);
    store->gate.broken = false;
    EXPECT_EQ(a->post(request(2, "ping"), in(session)).status(), 200) << "loads the stored state";
    b.server.resource_updated("note://a");
    EXPECT_EQ(count(listener, "resources/updated"), 0U);
}

TEST_F(Cluster, a_modern_request_never_touches_the_store) {
    const int before = store->gate.passed;
    const Sent call = a->post_alone(tool_request(1, "hello", {}, modern_meta()));
    run_all();
    EXPECT_EQ(call.text(), "hello");
    EXPECT_EQ(store->gate.passed, before);
}

TEST_F(Cluster, a_call_with_a_plain_response_does_not_touch_the_store) {
    const std::string session = a->begin();
    const int before = store->gate.passed;
    const Sent call = a->post(tool_request(1, "hello"), in(session));
    run_all();
    EXPECT_EQ(call.text(), "hello");
    EXPECT_EQ(store->gate.passed, before);
}

TEST_F(Cluster, requests_wait_for_a_slow_store_and_share_one_load) {
    const std::string session = a->begin();
    store->gate.held = true;
    const int before = store->gate.passed;
    const Head head("POST", "/mcp", in(session) + "Content-Type: application/json\r\nContent-Length: 2\r\n");
    int retries = 0;
    for (int i = 0; i < 3; ++i)
        EXPECT_FALSE(b->endpoint->admit(
            head, [&] { ++retries; }, {}, "192.0.2.1"));
    EXPECT_EQ(store->gate.passed, before + 1);
    EXPECT_EQ(retries, 0);
    store->gate.open();
    EXPECT_EQ(retries, 3);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(b->endpoint->admit(head, {}, {}, "192.0.2.1"));
    EXPECT_EQ(store->gate.passed, before + 2) << "one load, which all that waited for it use, and the name of the node";
    b->endpoint->admit(head, {}, {}, "192.0.2.1");
    EXPECT_EQ(store->gate.passed, before + 3) << "a later request sees later changes";
}

TEST_F(Cluster, responses_wait_until_the_store_has_the_change) {
    store->gate.held = true;
    const Sent hello = a->post(initialize_request("2025-11-25"));
    EXPECT_FALSE(hello.over());
    store->gate.open();
    ASSERT_TRUE(hello.over());
    const std::string session = hello.writer->field("Mcp-Session-Id");
    store->gate.held = true;
    const Sent initialized = a->post(notification("notifications/initialized"), in(session));
    const Sent subscribed = a->post(subscribe(1), in(session));
    const Sent ended = a->end(session);
    EXPECT_FALSE(initialized.over() || subscribed.over() || ended.over());
    store->gate.open();
    EXPECT_EQ(initialized.status(), 202);
    EXPECT_EQ(ended.status(), 204);
    EXPECT_TRUE(subscribed.over());
}

TEST_F(Cluster, an_event_is_stored_before_the_client_gets_it) {
    const std::string session = a->begin();
    store->gate.held = true;
    const Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    EXPECT_TRUE(call.writer->messages().empty());
    a.release("done");
    EXPECT_FALSE(call.over());
    store->gate.open();
    EXPECT_EQ(count(call, "first"), 1U);
    EXPECT_EQ(call.text(), "done");
    EXPECT_TRUE(call.over());
    EXPECT_EQ(call.writer->misuses, 0);
}

TEST_F(Cluster, events_that_cannot_be_stored_still_reach_a_connected_client) {
    const std::string session = a->begin();
    store->gate.broken = true;
    const Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    a.release("done");
    EXPECT_EQ(count(call, "first"), 1U);
    EXPECT_EQ(call.text(), "done");
    EXPECT_EQ(last_id(call), "") << "it cannot be resumed";
    EXPECT_TRUE(call.over());
}

TEST_F(Cluster, an_answer_that_could_not_be_stored_is_stored_when_the_store_works_again) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    const std::string id = last_id(call);
    call.disconnect();
    store->gate.broken = true;
    a.release("done");
    for (int i = 0; i < 3; ++i) advance(seconds(1));
    store->gate.broken = false;
    const Sent resumed = b->listen(session, id);
    EXPECT_FALSE(resumed.over());
    advance(seconds(1));
    EXPECT_EQ(resumed.text(), "done");
    EXPECT_TRUE(resumed.over());
    EXPECT_EQ(c->listen(session, last_id(resumed)).status(), 204);
}

// The first append is done, but its reply is lost. The store refuses the second one.
TEST_F(Cluster, an_answer_that_was_stored_although_the_reply_was_lost_is_shown_once) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    const std::string id = last_id(call);
    call.disconnect();
    const Sent resumed = b->listen(session, id);
    store->gate.lose_in = 1;
    a.release("done");
    for (int i = 0; i < 3; ++i) advance(seconds(1));
    EXPECT_EQ(count(resumed, "done"), 1U);
    EXPECT_EQ(count(c->listen(session, id), "done"), 1U);
}

TEST_F(Cluster, changes_of_two_nodes_at_once_are_both_kept) {
    const std::string session = a->begin();
    b->post(request(1, "ping"), in(session));
    store->gate.held = true;
    const Sent one = a->post(subscribe(1), in(session));
    const Sent two = b->post(request(2, "logging/setLevel", {{"level", "error"}}), in(session));
    store->gate.open();
    EXPECT_EQ(one.status(), 200);
    EXPECT_EQ(two.status(), 200);
    const Sent listener = c->listen(session);
    a.server.resource_updated("note://a");
    b.server.log(LogLevel::warning, "quiet");
    EXPECT_EQ(count(listener, "resources/updated"), 1U);
    EXPECT_EQ(count(listener, "quiet"), 0U);
}

// The stream is opened on a node that has loaded the session before the change, and hears of nothing until it has a
// copy.
TEST_F(Cluster, a_change_between_the_load_of_a_session_and_its_first_use_is_not_lost) {
    const std::string session = a->begin();
    const Head head("GET", "/mcp", in(session));
    const auto admitted = c->endpoint->admit(head);
    ASSERT_TRUE(admitted);
    EXPECT_EQ(b->post(subscribe(1), in(session)).status(), 200);
    Sent listener;
    listener.responder = c->endpoint->handle(std::get<HttpEndpoint::Admitted>(*admitted), head, {}, listener.writer);
    a.server.resource_updated("note://a");
    EXPECT_EQ(count(listener, "resources/updated"), 1U);
}

}  // namespace
}  // namespace tenon::test
