// A client is answered after every node that serves its session has taken the change: its next request may reach any.
#include "cluster/cluster_world.hpp"
#include "transport/http_server/node_confirmations.hpp"
#include "transport/http_server/session_record.hpp"

namespace tenon::test {
namespace {

/// Two nodes whose buses are slow one by one. Both have a copy of the session.
struct Confirmed : Cluster {
    const std::shared_ptr<SlowStore> stores[2] = {std::make_shared<SlowStore>(store),
                                                  std::make_shared<SlowStore>(store)};
    Node first{stores[0], "d"}, second{stores[1], "e"};

    std::string begin() {
        const std::string session = first->begin();
        EXPECT_EQ(second->post(request(1, "ping"), in(session)).status(), 200);
        return session;
    }
};

TEST_F(Confirmed, delete_is_answered_when_no_node_serves_the_session_any_more) {
    const std::string session = begin();
    stores[1]->slow_bus.held = true;
    const Sent ended = first->end(session);
    EXPECT_FALSE(ended.over()) << "the other node still has its copy";
    EXPECT_EQ(second->post(request(2, "ping"), in(session)).status(), 200);
    stores[1]->slow_bus.open();
    ASSERT_TRUE(ended.over());
    EXPECT_EQ(ended.status(), 204);
    for (const Node* node : {&first, &second, &a}) {
        EXPECT_EQ((*node)->post(request(3, "ping"), in(session)).status(), 404);
        EXPECT_EQ((*node)->endpoint->sessions(), 0U);
    }
}

TEST_F(Confirmed, a_change_is_answered_when_every_node_that_serves_the_session_has_it) {
    const std::string session = begin();
    stores[1]->slow_bus.held = true;
    const Sent changed = first->post(request(2, "logging/setLevel", {{"level", "error"}}), in(session));
    EXPECT_FALSE(changed.over());
    stores[1]->slow_bus.open();
    ASSERT_TRUE(changed.over());
    EXPECT_EQ(changed.status(), 200);
}

TEST_F(Confirmed, a_node_without_a_copy_is_not_waited_for) {
    const std::string session = first->begin();
    stores[1]->slow_bus.held = true;
    EXPECT_EQ(first->post(subscribe(1), in(session)).status(), 200);
    EXPECT_EQ(first->end(session).status(), 204);
}

TEST_F(Confirmed, a_silent_node_is_waited_for_once_and_not_long) {
    const std::string one = begin(), two = begin();
    stores[1]->slow_bus.held = true;
    const Sent late = first->end(one);
    EXPECT_FALSE(late.over());
    first->advance(NodeConfirmations::max_wait);
    EXPECT_FALSE(late.over()) << "the first tick may be late: it begins the wait";
    first->advance(NodeConfirmations::max_wait);
    EXPECT_EQ(late.status(), 204);
    EXPECT_EQ(first->post(subscribe(1), in(two)).status(), 200) << "the node is known to be silent";
    stores[1]->slow_bus.open();  // now it confirms
    stores[1]->slow_bus.held = true;
    const Sent again = first->end(two);
    EXPECT_FALSE(again.over()) << "the node was heard of again";
    stores[1]->slow_bus.open();
    EXPECT_EQ(again.status(), 204);
}

TEST_F(Confirmed, a_node_that_has_stopped_is_not_waited_for) {
    const std::string session = begin();
    second.stop();
    EXPECT_EQ(first->post(subscribe(1), in(session)).status(), 200);
    EXPECT_EQ(first->end(session).status(), 204);
}

TEST_F(Confirmed, a_node_that_cannot_publish_ends_the_session_all_the_same) {
    const std::string session = begin();
    stores[0]->slow_bus.broken = true;
    EXPECT_EQ(first->end(session).status(), 204);
    EXPECT_EQ(first->post(request(2, "ping"), in(session)).status(), 404);
    EXPECT_EQ(a->post(request(2, "ping"), in(session)).status(), 404);
}

TEST_F(Confirmed, a_session_that_ends_while_it_is_loaded_is_not_found) {
    const std::string session = first->begin();
    const auto node = std::make_shared<ClusterNode>(stores[1], "x");
    int retries = 0;
    stores[1]->gate.held = true;
    EXPECT_FALSE(node->load(
        session, [&] { ++retries; }, ""));
    auto load = std::move(stores[1]->gate.waiting.front());
    stores[1]->gate.waiting.pop_front();
    load();  // and the write of its name waits
    node->mark_ended(session);
    stores[1]->gate.open();
    EXPECT_EQ(retries, 1);
    const auto loaded = node->load(
        session, [] {}, "");
    ASSERT_TRUE(loaded);
    ASSERT_FALSE(*loaded);
    EXPECT_TRUE(store::is_not_found(loaded->error()));
}

// Marks the record of a session as ended, as DELETE does before it removes the record. Returns its nodes.
std::vector<std::string> mark_as_ended(const std::shared_ptr<Store>& store, const std::string& session) {
    const auto node = std::make_shared<ClusterNode>(store, "x");
    std::vector<std::string> copies;
    bool changed = false;
    node->change(
        session,
        [&](store::SessionRecord& record) {
            SessionExtra extra = decode_extra(record.extra);
            copies = extra.copies;
            extra.ended = true;
            record.extra = encode_extra(extra);
        },
        minutes(5), [&](const auto& error) { changed = !error; });
    EXPECT_TRUE(changed);
    return copies;
}

TEST_F(Confirmed, a_record_that_is_marked_as_ended_is_not_served) {
    const std::string session = first->begin();
    a->post(request(1, "ping"), in(session));
    EXPECT_EQ(mark_as_ended(store, session), (std::vector<std::string>{"d", "a"}));
    EXPECT_EQ(b->post(request(2, "ping"), in(session)).status(), 404);
}

// The store may refuse to remove the record, and lose the message to the other nodes.
TEST_F(Confirmed, a_stream_does_not_keep_an_ended_session_alive) {
    const std::string session = first->begin();
    const Sent listener = a->listen(session);
    mark_as_ended(store, session);
    for (int i = 0; i < 4; ++i) advance(minutes(5));
    EXPECT_TRUE(listener.over());
    EXPECT_EQ(a->endpoint->sessions(), 0U);
    bool found = true;
    store->sessions().load(session, make_reply<store::StoredSession>([&](const auto& r) { found = r.has_value(); }));
    EXPECT_FALSE(found) << "the record has expired";
}

TEST_F(Confirmed, ended_sessions_are_remembered_for_a_while) {
    const auto node = std::make_shared<ClusterNode>(store, "x");
    const TimePoint start = TimePoint() + minutes(1);
    node->tick(start);
    for (std::size_t i = 0; i <= ClusterNode::max_ended; ++i) node->mark_ended(std::to_string(i));
    EXPECT_FALSE(node->was_ended("0")) << "there is a limit";
    EXPECT_TRUE(node->was_ended("1"));
    node->tick(start + ClusterNode::max_load_age);
    EXPECT_FALSE(node->was_ended("1"));
}

TEST(SessionCopies, are_bounded) {
    store::SessionRecord record;
    for (std::size_t i = 0; i < max_copies; ++i) EXPECT_TRUE(add_copy(record, "n" + std::to_string(i)));
    EXPECT_FALSE(add_copy(record, "n0"));
    EXPECT_TRUE(add_copy(record, "new"));
    const SessionExtra extra = decode_extra(record.extra);
    EXPECT_EQ(extra.copies.size(), max_copies);
    EXPECT_EQ(extra.copies.front(), "n1");
    EXPECT_EQ(extra.copies.back(), "new");
    EXPECT_FALSE(extra.ended);
}

TEST(NodeConfirmations, are_bounded) {
    NodeConfirmations all;
    std::size_t done = 0;
    const auto count = [&] { ++done; };
    for (std::size_t i = 0; i < NodeConfirmations::max_waiting; ++i)
        EXPECT_TRUE(all.add({"n" + std::to_string(i)}, count));
    EXPECT_FALSE(all.add({"x"}, count));
    all.tick(TimePoint());
    all.tick(TimePoint() + NodeConfirmations::max_wait / 2);
    EXPECT_EQ(done, 0U);
    all.tick(TimePoint() + NodeConfirmations::max_wait);
    EXPECT_EQ(done, NodeConfirmations::max_waiting);
    EXPECT_EQ(all.waiting(), 0U);
    std::size_t silent = 0;
    for (std::size_t i = 0; i < NodeConfirmations::max_waiting; ++i) {
        const auto token = all.add({"n" + std::to_string(i)}, count);
        if (!token) ++silent;
        if (token) all.drop(*token);
    }
    EXPECT_EQ(silent, NodeConfirmations::max_silent);
}

TEST(NodeConfirmations, are_done_once_after_the_last_node) {
    NodeConfirmations all;
    int done = 0;
    const auto token = all.add({"x", "y"}, [&] { ++done; });
    ASSERT_TRUE(token);
    all.confirm(*token + 1, "x");
    all.confirm(*token, "x");
    all.confirm(*token, "x");
    EXPECT_EQ(done, 0);
    all.confirm(*token, "y");
    all.confirm(*token, "y");
    EXPECT_FALSE(all.drop(*token));
    EXPECT_EQ(done, 1);
    EXPECT_FALSE(all.add({}, [&] { ++done; }));
    const auto dropped = all.add({"x"}, [&] { ++done; });
    ASSERT_TRUE(dropped);
    EXPECT_TRUE(all.drop(*dropped));
    all.confirm(*dropped, "x");
    EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace tenon::test
