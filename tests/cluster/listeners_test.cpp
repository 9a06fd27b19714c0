// Several GET streams of one session. Each message belongs to one of them, also after they were resumed on other nodes.
#include <rapidcheck/gtest.h>

#include "cluster/cluster_world.hpp"
#include "web/listener_view.hpp"

namespace tenon::test {
namespace {

/// Three nodes whose stores and buses are slow one by one.
struct Listeners : Cluster {
    static constexpr std::size_t nodes = 3;
    const std::shared_ptr<SlowStore> stores[nodes] = {
        std::make_shared<SlowStore>(store), std::make_shared<SlowStore>(store), std::make_shared<SlowStore>(store)};
    Node first{stores[0], "d"}, second{stores[1], "e"}, third{stores[2], "f"};
    Node* const all[nodes] = {&first, &second, &third};

    void say(const char* text) { c.server.log(LogLevel::error, text); }
    static void run_one(Gate& gate) {
        auto next = std::move(gate.waiting.front());
        gate.waiting.pop_front();
        next();
    }
};

TEST_F(Listeners, an_older_stream_does_not_repeat_what_a_newer_one_has_shown) {
    const std::string session = a->begin();
    const Sent older = a->listen(session);
    say("one");
    const Sent newer = b->listen(session);
    say("two");
    EXPECT_TRUE(older.over());
    const Sent resumed = c->listen(session, last_id(older));
    EXPECT_EQ(resumed.status(), 204) << "a newer stream has taken its place, and it has shown everything";
    say("three");
    EXPECT_FALSE(newer.over()) << "a stream that was replaced does not take the place of its successor";
    EXPECT_EQ(newer.writer->messages().size(), 2U);
    EXPECT_EQ(resumed.writer->misuses, 0);
}

TEST_F(Listeners, an_older_stream_shows_only_its_own_messages_when_it_is_resumed) {
    const std::string session = a->begin();
    Sent older = a->listen(session);
    const std::string id = last_id(older);
    older.disconnect();
    say("one");
    const Sent newer = b->listen(session);
    say("two");
    const Sent resumed = c->listen(session, id);
    EXPECT_EQ(resumed.status(), 200);
    EXPECT_TRUE(resumed.over());
    EXPECT_EQ(count(resumed, "one"), 1U);
    EXPECT_EQ(count(resumed, "two"), 0U);
    EXPECT_EQ(count(newer, "one"), 0U);
    EXPECT_EQ(count(newer, "two"), 1U);
    EXPECT_EQ(a->listen(session, last_id(resumed)).status(), 204);
}

TEST_F(Listeners, a_stream_has_one_connection) {
    const std::string session = a->begin();
    const Sent one = a->listen(session);
    const Sent two = b->listen(session, last_id(one));
    EXPECT_TRUE(one.over());
    const Sent three = c->listen(session, last_id(one));
    EXPECT_TRUE(two.over());
    say("hello");
    EXPECT_EQ(count(three, "hello"), 1U);
    EXPECT_EQ(count(one, "hello") + count(two, "hello"), 0U);
}

// A client may forget its place if its connection breaks before the first event (TypeScript, version 1).
TEST_F(Listeners, a_resumed_stream_begins_with_the_place_of_its_client) {
    const std::string session = a->begin();
    const Sent listener = a->listen(session);
    const Sent call = a->post(tool_request(1, "talk_and_hold"), in(session));
    run_all();
    for (const Sent* sent : {&listener, &call}) {
        const Sent resumed = b->listen(session, last_id(*sent));
        ASSERT_EQ(resumed.writer->events.size(), 1U);
        EXPECT_EQ(resumed.writer->events.front().data, "");
        EXPECT_EQ(last_id(resumed), last_id(*sent));
    }
}

TEST_F(Listeners, older_revisions_get_no_empty_events) {
    const std::string session = a->begin("2025-06-18");
    const Sent listener = a->listen(session);
    say("hello");
    EXPECT_EQ(listener.writer->events.size(), 1U);
    const Sent resumed = b->listen(session, last_id(listener));
    EXPECT_EQ(resumed.status(), 200);
    EXPECT_EQ(resumed.writer->events.size(), 0U);
}

TEST_F(Listeners, a_stream_can_be_resumed_although_its_node_died_before_it_stored_the_mark) {
    const std::string session = first->begin();
    b->post(request(1, "ping"), in(session));
    Gate& gate = stores[0]->gate;
    gate.held = true;
    Sent listener = first->listen(session);
    while (!listener.writer->begun) run_one(gate);
    EXPECT_EQ(listener.writer->events.size(), 1U);
    gate.waiting.clear();  // the mark is lost
    say("meanwhile");
    const Sent resumed = b->listen(session, listener.writer->events.front().id);
    say("afterwards");
    EXPECT_EQ(resumed.status(), 200);
    EXPECT_EQ(count(resumed, "meanwhile"), 1U);
    EXPECT_EQ(count(resumed, "afterwards"), 1U);
    EXPECT_EQ(listener.writer->retry_ms(), 1000) << "its client may try again";
    EXPECT_TRUE(listener.over());
    EXPECT_EQ(listener.writer->misuses, 0);
}

TEST_F(Listeners, messages_before_the_first_stream_are_shown_once_when_two_streams_begin_at_once) {
    const std::string session = first->begin();
    second->post(request(1, "ping"), in(session));
    say("early");
    for (std::size_t i : {0U, 1U}) stores[i]->gate.held = true;
    const Sent one = first->listen(session);  // the store hears of it first,
    while (!one.writer->begun) run_one(stores[0]->gate);
    const Sent two = second->listen(session);
    stores[1]->gate.open();  // but of its mark last
    stores[0]->gate.open();
    EXPECT_EQ(count(one, "early") + count(two, "early"), 1U);
    say("late");
    EXPECT_EQ(count(one, "late"), 1U);
    EXPECT_TRUE(two.over());
}

/// A client that keeps several GET streams, loses connections, and resumes each stream after the last event that it
/// got.
struct ManyStreams {
    struct Stream {
        std::string id = {};  // of the last event that the client got
        std::optional<Sent> connection = {};
    };
    std::vector<Stream> streams = {};
    std::vector<std::string> got = {};

    /// The client gets the events of a connection, but not the last few; the server does not know.
    void lose(Stream& stream, std::size_t last_few) {
        if (!stream.connection) return;
        const auto& events = stream.connection->writer->events;
        const std::size_t end = std::max<std::size_t>(1, events.size() - std::min(events.size(), last_few));
        for (std::size_t i = 0; i < std::min(end, events.size()); ++i) {
            if (!events[i].data.empty()) got.push_back(events[i].data);
            stream.id = events[i].id;
        }
        stream.connection.reset();
    }
    void open(Node& node, const std::string& session) { streams.push_back({"", node->listen(session)}); }
    void resume(Stream& stream, Node& node, const std::string& session) {
        lose(stream, 0);
        Sent sent = node->listen(session, stream.id);
        RC_ASSERT(sent.status() == 200 || sent.status() == 204);
        RC_ASSERT(sent.writer->misuses == 0);
        if (sent.status() == 200) stream.connection = std::move(sent);
    }
    std::size_t count(const std::string& text) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(got, [&](const std::string& one) { return one.find(text) != one.npos; }));
    }
};

RC_GTEST_FIXTURE_PROP(Listeners, each_message_is_shown_once_to_a_client_with_several_streams,
                      (const std::vector<std::uint16_t>& script)) {
    const std::string session = first->begin();
    for (Node* node : all) (*node)->post(request(1, "ping"), in(session));
    ManyStreams client;
    int messages = 0;
    const auto listen = [&](std::size_t at, ManyStreams::Stream* resumed) {
        stores[at]->gate.open();  // a request would wait for it
        resumed ? client.resume(*resumed, *all[at], session) : client.open(*all[at], session);
    };
    for (const std::uint16_t step : script) {
        const std::size_t at = step % nodes, what = step / nodes % 10, few = step / (nodes * 10) % 3;
        SlowStore& slow = *stores[at];
        auto* const one =
            client.streams.empty() ? nullptr : &client.streams[step / (nodes * 30) % client.streams.size()];
        if (what == 0) slow.slow_bus.held = true;
        if (what == 1) slow.slow_bus.open();
        if (what == 2) slow.gate.held = true;
        if (what == 3) slow.gate.open();
        if (what == 4 || (what > 5 && what < 9 && !one)) listen(at, nullptr);
        if (what == 5 && one) client.lose(*one, few);
        if (what > 5 && what < 9 && one) listen(at, one);
        if (what == 9)
            all[at]->server.log(LogLevel::error, boost::json::string("<" + std::to_string(messages++) + ">"));
    }
    for (const auto& slow : stores) slow->slow_bus.open();
    for (const auto& slow : stores) slow->gate.open();
    if (client.streams.empty()) listen(0, nullptr);
    for (auto& stream : client.streams) listen(1, &stream);
    for (auto& stream : client.streams) client.lose(stream, 0);
    for (int i = 0; i < messages; ++i) RC_ASSERT(client.count("<" + std::to_string(i) + ">") == 1U);
}

// ---- the decision by itself

using web::ListenerView;
using Step = ListenerView::Step;

/// Reads a log of messages ("m") and marks, and returns the numbers of the events that were shown.
std::vector<std::uint64_t> shown(ListenerView view, std::uint64_t first, const std::vector<web::StoredEvent>& log) {
    std::vector<std::uint64_t> out;
    view.set_trimmed(first > 1);
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Step step = view.take(first + i, log[i]);
        if (step == Step::end) break;
        if (step == Step::show) out.push_back(first + i);
        if (step == Step::again) i = SIZE_MAX;
    }
    return out;
}
using Numbers = std::vector<std::uint64_t>;
const web::StoredEvent message{.data = "m"};

TEST(ListenerView, the_first_stream_shows_what_came_before_it) {
    const std::vector<web::StoredEvent> log{message, {.listens = "x"}, message, {.listens = "y"}, message};
    EXPECT_EQ(shown(ListenerView({.stream = "x", .mark = 2}), 1, log), (Numbers{1, 3}));
    EXPECT_EQ(shown(ListenerView({.stream = "y", .mark = 4, .first = true}), 1, log), (Numbers{5}));
}

TEST(ListenerView, messages_of_a_log_that_has_lost_its_beginning_belong_to_the_stream_that_was_first) {
    const std::vector<web::StoredEvent> log{message, {.listens = "x"}, message};
    EXPECT_EQ(shown(ListenerView({.stream = "x", .mark = 12, .first = true}), 11, log), (Numbers{11, 13}));
    EXPECT_EQ(shown(ListenerView({.stream = "x", .mark = 12}), 11, log), (Numbers{13}));
    const std::vector<web::StoredEvent> resumed{message, message, {.resumes = "x"}, message};
    EXPECT_EQ(shown(ListenerView({.stream = "x", .after = 11, .mark = 13}), 11, resumed), (Numbers{12, 14}));
}

TEST(ListenerView, a_message_with_a_known_key_is_shown_by_the_stream_that_had_it_first) {
    const web::StoredEvent keyed{.data = "m", .once = 7};
    const std::vector<web::StoredEvent> log{{.listens = "x"}, keyed, {.listens = "y"}, keyed, message};
    EXPECT_EQ(shown(ListenerView({.stream = "x", .mark = 1}), 1, log), (Numbers{2}));
    EXPECT_EQ(shown(ListenerView({.stream = "y", .mark = 3}), 1, log), (Numbers{5}));
}

TEST(ListenerView, the_messages_before_the_first_mark_are_shown_once_each_although_they_are_read_twice) {
    const web::StoredEvent keyed{.data = "m", .once = 7};
    const std::vector<web::StoredEvent> log{keyed, keyed, {.listens = "x"}, keyed};
    EXPECT_EQ(shown(ListenerView({.stream = "x", .mark = 3}), 1, log), (Numbers{1}));
}

TEST(ListenerView, remembers_a_limited_number_of_keys) {
    ListenerView view({.stream = "x", .mark = 1});
    EXPECT_EQ(view.take(1, {.listens = "x"}), Step::live);
    for (std::uint64_t key = 0; key <= ListenerView::max_keys; ++key)
        EXPECT_EQ(view.take(2 + key, {.data = "m", .once = key}), Step::show);
    EXPECT_EQ(view.take(9999, {.data = "m", .once = ListenerView::max_keys}), Step::skip);
    EXPECT_EQ(view.take(10000, {.data = "m", .once = 0}), Step::show) << "the oldest key is forgotten";
}

}  // namespace
}  // namespace tenon::test
