// Streams that break on one node and continue on another: no event is lost or repeated.
#include "cluster/cluster_world.hpp"

namespace tenon::test {
namespace {

TEST_F(Cluster, a_stream_that_broke_on_one_node_continues_on_another) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    ASSERT_EQ(count(call, "first"), 1U);
    const std::string id = last_id(call);
    call.disconnect();
    const Sent resumed = b->listen(session, id);
    EXPECT_EQ(resumed.status(), 200);
    EXPECT_FALSE(resumed.over());
    a.held.front().context.info("second");
    a.release("done");
    EXPECT_EQ(count(resumed, "first"), 0U);
    EXPECT_EQ(count(resumed, "second"), 1U);
    EXPECT_EQ(resumed.text(), "done");
    EXPECT_TRUE(resumed.over());
    EXPECT_EQ(resumed.writer->misuses, 0);
}

TEST_F(Cluster, events_are_stored_while_no_client_is_connected) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    const std::string id = last_id(call);
    call.disconnect();
    a.held.front().context.info("second");
    a.release("done");
    for (Node* node : {&b, &c, &a}) {  // the response is not deleted before it is delivered, nor after
        const Sent resumed = (*node)->listen(session, id);
        EXPECT_EQ(count(resumed, "second"), 1U);
        EXPECT_EQ(resumed.text(), "done");
        EXPECT_TRUE(resumed.over());
        EXPECT_EQ((*node)->listen(session, last_id(resumed)).status(), 204);
    }
}

TEST_F(Cluster, a_response_survives_the_end_of_its_node) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    call.disconnect();
    a.release("done");
    a.stop();
    EXPECT_EQ(c->listen(session, last_id(call)).text(), "done");
}

TEST_F(Cluster, a_resumed_stream_leaves_its_old_connection) {
    const std::string session = a->begin();
    const Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    const Sent second = b->listen(session, last_id(call));
    EXPECT_TRUE(call.over());
    const Sent third = c->listen(session, last_id(call));
    EXPECT_TRUE(second.over());
    a.release("done");
    EXPECT_EQ(third.text(), "done");
    EXPECT_EQ(count(call, "done") + count(second, "done"), 0U);
}

TEST_F(Cluster, a_request_whose_node_died_gets_one_error) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(17, "talk_and_hold"), in(session));
    run_all();
    const std::string id = last_id(call);
    call.disconnect();
    const Sent resumed = b->listen(session, id);
    const auto live = [&](Duration time) {  // node a shows no sign of life
        now += std::chrono::duration_cast<WallTime::duration>(time);
        b->advance(time);
        c->advance(time);
    };
    live(seconds(6));
    live(seconds(6));
    EXPECT_FALSE(resumed.over()) << "the lease of the node has not run out";
    live(seconds(6));
    live(seconds(6));
    ASSERT_TRUE(resumed.over());
    EXPECT_EQ(resumed.error(), code::server_error);
    EXPECT_EQ(resumed.answer().at("id").as_int64(), 17);
    a.release("too late");
    const Sent again = c->listen(session, id);
    EXPECT_EQ(again.writer->messages().size(), 1U) << "the late answer must not follow the error";
    EXPECT_EQ(again.error(), code::server_error);
}

TEST_F(Cluster, a_living_node_keeps_its_requests) {
    const std::string session = a->begin();
    Sent call = a->post(tool_request(17, "talk_and_hold"), in(session));
    run_all();
    call.disconnect();
    const Sent resumed = b->listen(session, last_id(call));
    for (int i = 0; i < 20; ++i) advance(seconds(6));
    EXPECT_FALSE(resumed.over());
    a.release("done");
    EXPECT_EQ(resumed.text(), "done");
}

TEST_F(Cluster, the_stream_for_all_messages_is_resumed_on_another_node) {
    const std::string session = a->begin();
    Sent first = a->listen(session);
    a.server.resource_list_changed("note://a");
    const std::string id = last_id(first);
    first.disconnect();
    b.server.log(LogLevel::error, "meanwhile");
    const Sent second = b->listen(session, id);
    c.server.log(LogLevel::error, "afterwards");
    EXPECT_EQ(second.writer->messages().size(), 2U);
    EXPECT_EQ(count(second, "meanwhile"), 1U);
    EXPECT_EQ(count(second, "afterwards"), 1U);
}

TEST_F(Cluster, events_of_another_session_cannot_be_read) {
    const std::string mine = a->begin("2025-11-25", {}, ann), other = a->begin("2025-11-25", {}, bob);
    Sent call = a->post(tool_request(1, "talk_and_hold"), in(mine) + ann);
    run_all();
    const std::string id = last_id(call);
    EXPECT_EQ(b->listen(other, id, bob).status(), 400);
    EXPECT_EQ(b->listen(mine, id, bob).status(), 404);
    EXPECT_FALSE(call.over());
}

TEST_F(Cluster, malformed_event_ids_are_refused) {
    const std::string session = a->begin();
    for (const char* id : {"x", "-", "a.1-", "a.1-x", "-1", "a.99-1", "s-5", "A.1-1", "a.1-99999999999999999999"})
        EXPECT_EQ(b->listen(session, id).status(), 400) << id;
}

TEST_F(Cluster, a_node_that_stops_tells_its_streams_when_to_reconnect) {
    const std::string session = a->begin();
    const Sent listener = a->listen(session);
    a->endpoint->shut_down("the server is shutting down");
    EXPECT_TRUE(listener.over());
    EXPECT_EQ(listener.writer->retry_ms(), 1000);
    EXPECT_EQ(b->listen(session).status(), 200);
}

TEST_F(Cluster, keep_alives_reach_streams_of_other_nodes) {
    const std::string session = a->begin();
    const Sent listener = b->listen(session);
    for (int i = 0; i < 3; ++i) advance(minutes(1));
    EXPECT_GT(listener.writer->comments, 0);
}

}  // namespace
}  // namespace tenon::test
