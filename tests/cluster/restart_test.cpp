// Calls of restartable tools: when the node that runs one dies, another node runs it again. The client gets one answer.
#include <rapidcheck/gtest.h>

#include <tenon/middleware.hpp>

#include "cluster/cluster_world.hpp"
#include "transport/http_server/restarts.hpp"

namespace tenon::test {
namespace {

/// The calls that a node runs.
struct Work {
    std::list<Node::Held> held = {};
    int starts = 0;

    std::function<void(Server&)> adds(const std::string& description = "Works") {
        return [this, description](Server& server) {
            server.tool("work", description,
                        [this](Context& ctx, Reply<std::string> reply) {
                            ++starts;
                            held.push_back({std::move(reply), ctx});
                        },
                        {.restartable = true});
        };
    }
    void release(std::string text) {
        std::move(held.front().reply).send(std::move(text));
        held.pop_front();
    }
};

/// Four nodes, each with a store that can be slow.
struct Restart : Cluster {
    static constexpr std::size_t nodes = 4;
    const std::shared_ptr<SlowStore> stores[nodes] = {
        std::make_shared<SlowStore>(store), std::make_shared<SlowStore>(store), std::make_shared<SlowStore>(store),
        std::make_shared<SlowStore>(store)};
    Work works[nodes];
    Node d{stores[0], "d", works[0].adds()}, e{stores[1], "e", works[1].adds()}, f{stores[2], "f", works[2].adds()},
        g{stores[3], "g", works[3].adds()};
    Node* const all[nodes] = {&d, &e, &f, &g};

    void run() { run_handlers({&d, &e, &f, &g}); }
    /// Lets time pass for some nodes. The others show no sign of life.
    void live(std::initializer_list<Node*> alive, int times = 1) {
        for (int i = 0; i < times; ++i) {
            now += seconds(6);
            for (Node* node : alive) (*node)->advance(seconds(6));
        }
        run();
    }
    int starts() const {
        int out = 0;
        for (const Work& work : works) out += work.starts;
        return out;
    }
    /// Calls the tool on node d, and loses the connection. Returns the id of the last event.
    std::string lost_call(const std::string& session, json::object meta = {}, const std::string& fields = {}) {
        Sent call = d->post(tool_request(7, "work", {}, std::move(meta)), in(session) + fields);
        run();
        EXPECT_EQ(works[0].held.size(), 1U);
        const std::string id = last_id(call);
        call.disconnect();
        return id;
    }
};

TEST_F(Restart, a_call_of_a_dead_node_runs_again_on_another) {
    const std::string session = d->begin();
    const std::string id = lost_call(session, {{"progressToken", 5}});
    const Sent resumed = e->listen(session, id);
    live({&e, &f, &g}, 2);
    EXPECT_EQ(starts(), 1) << "the lease of the node has not run out";
    live({&e, &f, &g}, 2);
    ASSERT_EQ(works[1].held.size(), 1U);
    EXPECT_FALSE(resumed.over());
    works[1].held.front().context.progress(1, 2, "again");
    EXPECT_EQ(count(resumed, "again"), 1U);
    works[1].release("done");
    EXPECT_EQ(resumed.text(), "done");
    EXPECT_EQ(resumed.answer().at("id").as_int64(), 7);
    EXPECT_TRUE(resumed.over());
    EXPECT_EQ(resumed.writer->misuses, 0);
    const Sent once_more = f->listen(session, id);
    EXPECT_EQ(once_more.text(), "done");
    EXPECT_EQ(f->listen(session, last_id(once_more)).status(), 204);
    EXPECT_EQ(starts(), 2);
}

TEST_F(Restart, a_late_answer_of_a_slow_node_is_refused) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    const Sent resumed = e->listen(session, id);
    live({&e, &f, &g}, 4);
    ASSERT_EQ(works[1].held.size(), 1U);
    works[0].held.front().context.info("too late");
    works[0].release("too late");
    works[1].release("done");
    EXPECT_EQ(resumed.text(), "done");
    for (Node* node : all) {
        const Sent again = (*node)->listen(session, id);
        EXPECT_EQ(again.writer->messages().size(), 1U);
        EXPECT_EQ(again.text(), "done");
    }
}

TEST_F(Restart, a_slow_node_closes_the_connection_and_stops_its_handler) {
    const std::string session = d->begin();
    Sent call = d->post(tool_request(7, "work"), in(session));
    run();
    stores[0]->slow_bus.held = true;  // the node does not hear that the client resumed its stream
    const Sent resumed = e->listen(session, last_id(call));
    live({&e, &f, &g}, 4);
    ASSERT_EQ(works[1].held.size(), 1U);
    EXPECT_FALSE(call.over());
    works[0].held.front().context.info("late");
    EXPECT_TRUE(call.over());
    EXPECT_EQ(count(call, "late"), 0U);
    d->advance(seconds(6));
    EXPECT_TRUE(works[0].held.front().context.stop_token().stop_requested());
    works[0].release("late");
    EXPECT_TRUE(call.writer->messages().empty());
    works[1].release("done");
    EXPECT_EQ(resumed.text(), "done");
}

TEST_F(Restart, of_several_nodes_that_find_it_one_runs_it) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    for (const auto& slow : stores) slow->slow_bus.held = true;  // so no node hears of the other streams
    const Sent first = e->listen(session, id), second = f->listen(session, id), third = g->listen(session, id);
    for (const std::size_t i : {1U, 2U, 3U}) stores[i]->gate.held = true;
    live({&e, &f, &g}, 4);
    for (bool more = true; more;) {  // the nodes take turns, one operation of the store at a time
        more = false;
        for (const auto& slow : stores) {
            if (slow->gate.waiting.empty()) continue;
            auto next = std::move(slow->gate.waiting.front());
            slow->gate.waiting.pop_front();
            next();
            more = true;
        }
    }
    for (const auto& slow : stores) slow->gate.open();
    run();
    EXPECT_EQ(starts(), 2);
    for (const std::size_t i : {1U, 2U, 3U})
        if (!works[i].held.empty()) works[i].release("done");
    for (const Sent* stream : {&first, &second, &third}) EXPECT_EQ(stream->text(), "done");
}

TEST_F(Restart, a_call_is_started_a_limited_number_of_times) {
    static_assert(StoredCall::max_runs == 3);
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    Sent second = e->listen(session, id);
    live({&e, &f, &g}, 4);
    ASSERT_EQ(works[1].held.size(), 1U);
    second.disconnect();
    Sent third = f->listen(session, id);
    live({&f, &g}, 4);
    ASSERT_EQ(works[2].held.size(), 1U);
    third.disconnect();
    const Sent last = g->listen(session, id);
    live({&g}, 4);
    EXPECT_EQ(starts(), 3);
    EXPECT_EQ(last.error(), code::server_error);
    EXPECT_EQ(last.answer().at("id").as_int64(), 7);
    EXPECT_EQ(last.writer->messages().size(), 1U);
    works[1].release("too late");
    works[2].release("too late");
    EXPECT_EQ(g->listen(session, id).error(), code::server_error);
}

TEST_F(Restart, a_handler_starts_when_the_store_has_its_call) {
    const std::string session = d->begin();
    stores[0]->gate.held = true;
    const Sent call = d->post(tool_request(7, "work"), in(session));
    run();
    EXPECT_EQ(starts(), 0);
    stores[0]->gate.open();
    run();
    ASSERT_EQ(starts(), 1);
    works[0].release("done");
    EXPECT_EQ(call.text(), "done");
}

TEST_F(Restart, without_the_store_a_restartable_call_is_refused_and_others_run) {
    const std::string session = d->begin();
    stores[0]->gate.broken = true;
    const Sent call = d->post(tool_request(7, "work"), in(session));
    run();
    EXPECT_EQ(call.status(), 503);
    EXPECT_FALSE(call.writer->field("Retry-After").empty());
    EXPECT_EQ(starts(), 0);
    const Sent other = d->post(tool_request(8, "hello"), in(session));
    run();
    EXPECT_EQ(other.text(), "hello");
}

TEST_F(Restart, nothing_is_stored_for_other_tools_and_nothing_is_left_of_an_answered_call) {
    const std::string session = d->begin();
    const int before = stores[0]->gate.passed;
    const Sent other = d->post(tool_request(8, "hello"), in(session));
    run();
    EXPECT_EQ(other.text(), "hello");
    EXPECT_EQ(stores[0]->gate.passed, before);
    const Sent call = d->post(tool_request(7, "work"), in(session));
    run();
    const std::string id = last_id(call);
    const auto is_stored = [&] {
        bool found = false;
        store->events().read({session, "run:" + id.substr(0, id.rfind('-'))}, 0, 1, 1,
                             make_reply<store::EventBatch>([&](const auto& batch) { found = batch.has_value(); }));
        return found;
    };
    EXPECT_TRUE(is_stored());
    works[0].release("done");
    EXPECT_FALSE(is_stored());
}

TEST_F(Restart, a_client_that_cannot_resume_yet_gets_json) {
    const std::string session = d->begin("2025-06-18");
    const Sent call = d->post(tool_request(7, "work"), in(session));
    run();
    works[0].release("done");
    EXPECT_FALSE(call.writer->begun);
    EXPECT_EQ(call.text(), "done");
}

TEST_F(Restart, an_older_client_sees_only_messages) {
    const std::string session = d->begin("2025-06-18");
    Sent call = d->post(tool_request(7, "work"), in(session));
    run();
    works[0].held.front().context.info("first");
    call.disconnect();
    const Sent resumed = e->listen(session, last_id(call));
    live({&e, &f, &g}, 4);
    works[1].release("done");
    EXPECT_EQ(resumed.writer->events.size(), 1U) << "no empty event";
    EXPECT_EQ(resumed.text(), "done");
}

// ---- cancellation

TEST_F(Restart, a_call_that_was_cancelled_between_two_nodes_is_not_run) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    EXPECT_EQ(f->post(cancellation(7), in(session)).status(), 202);
    const Sent resumed = e->listen(session, id);
    live({&e, &f, &g}, 4);
    EXPECT_EQ(starts(), 1);
    EXPECT_TRUE(resumed.over());
    EXPECT_TRUE(resumed.writer->messages().empty());
}

TEST_F(Restart, a_call_that_runs_again_can_be_cancelled_on_any_node) {
    const std::string session = d->begin();
    const Sent resumed = e->listen(session, lost_call(session));
    live({&e, &f, &g}, 4);
    ASSERT_EQ(works[1].held.size(), 1U);
    EXPECT_EQ(f->post(cancellation(7), in(session)).status(), 202);
    EXPECT_TRUE(works[1].held.front().context.stop_token().stop_requested());
    works[1].release("too late");
    EXPECT_TRUE(resumed.over());
    EXPECT_TRUE(resumed.writer->messages().empty());
}

TEST_F(Restart, a_cancellation_while_the_call_moves_is_not_lost) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    const Sent resumed = e->listen(session, id);
    live({&e, &f, &g}, 2);
    stores[1]->gate.held = true;
    live({&e, &f, &g});
    const auto step = [&] {
        if (stores[1]->gate.waiting.empty()) return false;
        auto next = std::move(stores[1]->gate.waiting.front());
        stores[1]->gate.waiting.pop_front();
        next();
        return true;
    };
    step(), step();  // it has read the call, and has found no cancellation
    f->post(cancellation(7), in(session));
    while (step()) {
    }
    stores[1]->gate.open();
    run();
    EXPECT_EQ(works[1].starts, 0);
    EXPECT_TRUE(resumed.over());
    EXPECT_TRUE(resumed.writer->messages().empty());
}

// ---- what another node must check

TEST_F(Restart, another_version_of_the_tool_gives_one_error) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    Work changed;
    Node h{store, "h", changed.adds("Works in another way")};
    const Sent resumed = h->listen(session, id);
    live({&h}, 4);
    run_handlers({&h});
    EXPECT_EQ(changed.starts, 0);
    EXPECT_EQ(resumed.error(), code::server_error);
    EXPECT_EQ(e->listen(session, id).writer->messages().size(), 1U);
}

TEST_F(Restart, a_node_without_the_tool_gives_one_error) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    Node h{store, "h"};
    const Sent resumed = h->listen(session, id);
    live({&h}, 4);
    EXPECT_EQ(resumed.error(), code::server_error);
}

TEST_F(Restart, access_is_checked_again) {
    const std::string session = d->begin("2025-11-25", {}, ann);
    const std::string id = lost_call(session, {}, ann);
    e.server.use(authorise([](std::string_view, const Request& r) { return r.name != "work"; }));
    const Sent resumed = e->listen(session, id, ann);
    live({&e, &f, &g}, 4);
    EXPECT_EQ(works[1].starts, 0);
    EXPECT_NE(resumed.error(), 0);
    EXPECT_EQ(resumed.writer->messages().size(), 1U);
}

TEST(StoredCalls, of_another_caller_or_without_sense_are_not_run) {
    const StoredCall call{1, "digest", "ann",
                          R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work"}})"};
    const auto read = decode_stored_call(encode(call));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->request, call.request);
    EXPECT_TRUE(why_not_again(*read, {}, "bob"));
    for (const char* text : {"", "x", "[]", "{}", R"({"runs":"1"})", R"({"runs":0})", R"({"runs":4})"})
        EXPECT_FALSE(decode_stored_call(text)) << text;
}

// ---- a store that fails

/// The parameter is the number of the operation whose reply is lost.
struct LostReply : Restart, testing::WithParamInterface<int> {};

TEST_P(LostReply, does_not_lose_or_double_the_call) {
    const std::string session = d->begin();
    const Sent resumed = e->listen(session, lost_call(session));
    live({&e, &f, &g}, 2);
    stores[1]->gate.lose_in = GetParam();
    live({&e, &f, &g}, 4);
    ASSERT_EQ(stores[1]->gate.lose_in, 0);
    ASSERT_EQ(works[1].starts, 1);
    works[1].release("done");
    EXPECT_EQ(resumed.text(), "done");
    EXPECT_EQ(resumed.writer->messages().size(), 1U);
}
// Read the call, look for a cancellation, store the call, open the log, move, and look for a cancellation again.
INSTANTIATE_TEST_SUITE_P(Restart, LostReply, testing::Range(1, 7));

// Nodes die and come back in any order, while the client always has a stream at some node.
RC_GTEST_FIXTURE_PROP(Restart, a_call_is_answered_once, (const std::vector<std::uint8_t>& script)) {
    const std::string session = d->begin();
    const std::string id = lost_call(session);
    std::vector<Sent> streams;
    for (const std::uint8_t step : script) {
        const std::size_t at = step % nodes;
        switch (step / nodes % 4) {
            case 0:
                if (!streams.empty()) streams.back().disconnect();
                streams.push_back((*all[at])->listen(session, id));
                break;
            case 1: live({all[at]}, 3); break;
            case 2: live({all[at], all[(at + 1) % nodes]}, 2); break;
            default:
                if (!works[at].held.empty()) works[at].release("answer");
        }
    }
    for (Work& work : works)
        while (!work.held.empty()) work.release("answer");
    const Sent last = g->listen(session, id);
    live({&g}, 5);
    while (!works[3].held.empty()) works[3].release("answer");
    RC_ASSERT(last.writer->messages().size() == 1U);
    for (const Sent& stream : streams) RC_ASSERT(stream.writer->messages().size() <= 1U);
    RC_ASSERT(starts() <= StoredCall::max_runs);
}

}  // namespace
}  // namespace tenon::test
