// A client opens its stream on another node while messages are on their way. Each message is shown once.
#include <rapidcheck/gtest.h>

#include "cluster/cluster_world.hpp"
#include "transport/http_server/node_announcements.hpp"

namespace tenon::test {
namespace {

const std::string updated = "notifications/resources/updated";

/// Three nodes whose stores and buses are slow one by one.
struct Handover : Cluster {
    static constexpr std::size_t nodes = 3;
    const std::shared_ptr<SlowStore> stores[nodes] = {
        std::make_shared<SlowStore>(store), std::make_shared<SlowStore>(store), std::make_shared<SlowStore>(store)};
    Node first{stores[0], "d"}, second{stores[1], "e"}, third{stores[2], "f"};
    Node* const all[nodes] = {&first, &second, &third};
};

TEST_F(Handover, a_node_that_has_not_heard_of_the_newer_stream_repeats_nothing) {
    const std::string session = first->begin();
    EXPECT_EQ(first->post(subscribe(1), in(session)).status(), 200);
    const Sent old = first->listen(session);
    stores[0]->slow_bus.held = true;
    const Sent newer = second->listen(session);
    first.server.resource_updated("note://a");
    stores[0]->slow_bus.open();
    EXPECT_EQ(count(newer, updated), 1U);
    EXPECT_EQ(count(old, updated), 0U);
    EXPECT_TRUE(old.over());
}

TEST_F(Handover, an_event_that_the_older_stream_has_not_read_is_not_lost) {
    const std::string session = first->begin();
    EXPECT_EQ(first->post(subscribe(1), in(session)).status(), 200);
    const Sent old = first->listen(session);
    stores[0]->gate.held = true;
    third.server.resource_updated("note://a");
    auto append = std::move(stores[0]->gate.waiting.front());
    stores[0]->gate.waiting.pop_front();
    append();  // and the read of the older stream waits
    const Sent newer = second->listen(session);
    stores[0]->gate.open();
    EXPECT_EQ(count(old, updated) + count(newer, updated), 1U);
    EXPECT_TRUE(old.over());
}

TEST_F(Handover, an_update_after_the_death_of_the_streams_node_waits_for_the_client) {
    const std::string session = first->begin();
    EXPECT_EQ(second->post(subscribe(1), in(session)).status(), 200);
    Sent old = first->listen(session);
    const std::string id = last_id(old);
    old.disconnect();
    stores[0]->slow_bus.held = stores[0]->gate.held = true;
    third.server.resource_updated("note://a");
    const Sent resumed = second->listen(session, id);
    EXPECT_EQ(count(resumed, updated), 1U);
    stores[0]->slow_bus.open();  // the node was only slow
    stores[0]->gate.open();
    EXPECT_EQ(count(resumed, updated), 1U);
    EXPECT_EQ(count(old, updated), 0U);
    EXPECT_EQ(count(third->listen(session, last_id(resumed)), updated), 0U);
}

TEST_F(Handover, a_first_stream_may_begin_after_the_oldest_messages_were_trimmed) {
    const std::string session = first->begin();
    const json::value long_text = boost::json::string(64 * 1024, 'z');
    for (int i = 0; i < 40; ++i) first.server.log(LogLevel::error, long_text);
    const Sent listener = second->listen(session);
    EXPECT_EQ(listener.status(), 200);
    EXPECT_GT(count(listener, "zzz"), 0U);
}

// The order in which nodes hear of messages, and the node of the stream, are arbitrary.
RC_GTEST_FIXTURE_PROP(Handover, each_message_is_shown_once, (const std::vector<std::uint8_t>& script)) {
    const std::string session = first->begin();
    for (Node* node : all) (*node)->post(request(1, "ping"), in(session));
    std::vector<Sent> streams;
    streams.push_back(first->listen(session));
    int messages = 0;
    for (const std::uint8_t step : script) {
        const std::size_t at = step % nodes;
        SlowStore& slow = *stores[at];
        switch (step / nodes % 6) {
            case 0: slow.slow_bus.held = true; break;
            case 1: slow.slow_bus.open(); break;
            case 2: slow.gate.held = true; break;
            case 3: slow.gate.open(); break;
            case 4:
                slow.gate.open();  // a request would wait for it
                streams.push_back((*all[at])->listen(session));
                break;
            default: all[at]->server.log(LogLevel::error, boost::json::string("<" + std::to_string(messages++) + ">"));
        }
    }
    for (const auto& slow : stores) slow->slow_bus.open();
    for (const auto& slow : stores) slow->gate.open();
    for (int i = 0; i < messages; ++i) {
        std::size_t shown = 0;
        for (const Sent& stream : streams) shown += count(stream, "<" + std::to_string(i) + ">");
        RC_ASSERT(shown == 1U);
    }
    for (std::size_t i = 0; i < streams.size(); ++i) RC_ASSERT(streams[i].over() == (i + 1 < streams.size()));
}

// ---- a bus that fails

Sent listen_alone(Node& node) {
    return node->post_alone(
        request(1, "subscriptions/listen",
                {{"_meta", modern_meta()},
                 {"notifications", json::object{{"resourceSubscriptions", json::array{"note://a"}}}}}));
}

TEST_F(Handover, an_update_that_cannot_be_published_reaches_the_listeners_of_its_node) {
    const Sent here = listen_alone(first), there = listen_alone(second);
    stores[0]->slow_bus.broken = true;
    first.server.resource_updated("note://a");
    EXPECT_EQ(count(here, updated), 1U);
    EXPECT_EQ(count(there, updated), 0U);
}

TEST_F(Handover, an_update_that_was_published_although_the_store_reported_an_error_arrives_once) {
    const Sent here = listen_alone(first), there = listen_alone(second);
    stores[0]->slow_bus.loses_replies = true;
    first.server.resource_updated("note://a");
    stores[0]->slow_bus.held = true;
    first.server.resource_updated("note://a");
    stores[0]->slow_bus.open();
    EXPECT_EQ(count(here, updated), 2U);
    EXPECT_EQ(count(there, updated), 2U);
}

TEST_F(Handover, an_own_update_that_the_bus_lost_reaches_the_listeners_of_its_node) {
    const Sent here = listen_alone(first);
    stores[0]->slow_bus.held = true;
    first.server.resource_updated("note://a");
    EXPECT_EQ(count(here, updated), 0U);
    const auto late = std::exchange(stores[0]->slow_bus.waiting, {});
    stores[0]->slow_bus.gap();
    EXPECT_EQ(count(here, updated), 1U);
    for (const auto& message : late) message();
    EXPECT_EQ(count(here, updated), 1U);
}

TEST(SentAnnouncements, are_bounded) {
    SentAnnouncements sent;
    for (std::uint64_t key = 0; key < SentAnnouncements::max_waiting; ++key)
        EXPECT_FALSE(sent.add({key, ResourceUpdated{"a:b"}}));
    const auto oldest = sent.add({9999, ResourceUpdated{"a:b"}});
    ASSERT_TRUE(oldest);
    EXPECT_EQ(oldest->key, 0U);
    EXPECT_FALSE(sent.take(0));
    EXPECT_TRUE(sent.take(1));
    EXPECT_FALSE(sent.take(1));
    EXPECT_EQ(sent.take_all().size(), SentAnnouncements::max_waiting - 1);
}

}  // namespace
}  // namespace tenon::test
