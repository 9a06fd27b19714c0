// The key ring of several nodes: request states and cursors stay valid while keys are replaced, while the store is
// broken, and after it has lost or damaged the ring.
#include <optional>

#include "cluster/cluster_world.hpp"
#include "cluster/slow_values.hpp"

namespace tenon::test {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr jose::RingTimes times{hours(24), minutes(10)};

/// Two nodes with a key ring. Each has its own connection to the store, and its own wall clock.
struct KeyCluster : testing::Test {
    struct KeyNode {
        KeyNode(KeyCluster& test, const std::string& name, Duration skew = {})
            : store(std::make_shared<NodeStore>(test.shared)),
              keys(std::make_shared<SharedKeys>(
                  SharedKeys::Options{.store = store,
                                      .times = times,
                                      .clock = [&test] { return test.steady; },
                                      .note = [this](LogLevel, std::string_view text) { log.emplace_back(text); }})) {
            keys->read([this](const std::optional<Error>& error) { started = error; });
            const auto wall = [&test, skew] { return test.now + std::chrono::duration_cast<WallTime::duration>(skew); };
            const auto add = [](Server& server) {
                server.tool("other", "Another tool, so that there are pages", [] { return ""; });
            };
            node.emplace(store, name, add, wall, Limits{.page_size = 2}, [this](Server& server, EndpointOptions& o) {
                o.keys = keys;
                server.impl()->states().default_seal([this] { return keys->seal(); });
                server.impl()->default_cursors(base::CursorSeal([k = keys] { return k->cursor_keys(); }));
            });
        }
        HttpWorld* operator->() const { return node->world.get(); }
        void read() {
            keys->read([](const auto&) {});
        }

        std::vector<std::string> log;
        std::optional<Error> started;
        std::shared_ptr<NodeStore> store;
        std::shared_ptr<SharedKeys> keys;
        std::optional<Node> node;
    };
    void advance(Duration time) {
        now += std::chrono::duration_cast<WallTime::duration>(time);
        steady += time;
        for (KeyNode* one : {&a, &b}) one->node->world->advance(time);
    }
    /// The time passes as on real nodes, which are called every half second; here every minute.
    void live(Duration time) {
        for (Duration left = time; left > Duration::zero(); left -= minutes(1)) advance(minutes(1));
    }
    /// Begins a call that asks, and returns its state.
    static std::string ask(KeyNode& node) {
        const Sent asked = node->post_alone(tool_request(1, "ask", {}, modern_meta(can_ask)));
        node->run_all();
        return std::string(asked.answer().at("result").at("requestState").as_string());
    }
    static Sent answer(KeyNode& node, const std::string& state) {
        json::object again = tool_request(2, "ask", {}, modern_meta(can_ask));
        json::object& params = again.at("params").as_object();
        params["requestState"] = state;
        params["inputResponses"] =
            json::object{{"who", json::object{{"action", "accept"}, {"content", json::object{{"name", "Zoe"}}}}}};
        Sent sent = node->post_alone(again);
        node->run_all();
        return sent;
    }
    static std::uint32_t key_of(const std::string& state) { return jose::split_key_id(state).value().id; }
    std::optional<std::string> stored() const {
        std::optional<std::string> out;
        shared->values().get("key_ring", make_reply<std::optional<std::string>>([&](auto bytes) { out = *bytes; }));
        return out;
    }
    void overwrite(std::string bytes) const {
        shared->values().set("key_ring", std::move(bytes), milliseconds::max(), make_reply<void>([](const auto&) {}));
    }
    jose::KeyRing ring() const { return jose::KeyRing::decode(stored().value()).value(); }

    static inline const json::object can_ask{{"elicitation", json::object()}};
    WallTime now{hours(24 * 365)};
    TimePoint steady = Clock::time_point() + hours(24);
    const std::shared_ptr<Store> shared = memory_store({.clock = [this] { return now; }});
    KeyNode a{*this, "a"}, b{*this, "b"};
};

TEST_F(KeyCluster, the_first_node_makes_a_key_and_the_others_use_it) {
    EXPECT_FALSE(a.started);
    EXPECT_EQ(ring().keys().size(), 1U);
    const std::string state = ask(a);
    EXPECT_EQ(key_of(state), key_of(ask(b)));
    EXPECT_EQ(answer(b, state).text(), "Zoe");
}

TEST_F(KeyCluster, exactly_one_node_makes_the_next_key_and_all_know_it_before_it_is_used) {
    const std::uint32_t first = ring().keys().front().id;
    live(hours(24) + minutes(3));
    ASSERT_EQ(ring().keys().size(), 2U);
    const jose::RingKey second = ring().keys().back();
    EXPECT_EQ(key_of(ask(a)), first);
    EXPECT_EQ(key_of(ask(b)), first);
    const std::string old = ask(a);
    live(minutes(8));
    EXPECT_EQ(key_of(ask(a)), second.id);
    EXPECT_EQ(key_of(ask(b)), second.id);
    EXPECT_EQ(answer(b, old).text(), "Zoe") << "old keys still open";
    EXPECT_EQ(answer(b, ask(a)).text(), "Zoe");
    live(hours(24 * 5));
    EXPECT_EQ(ring().keys().size(), 3U) << "old keys are dropped";
    EXPECT_EQ(answer(a, ask(b)).text(), "Zoe");
}

TEST_F(KeyCluster, two_nodes_that_make_a_key_at_once_agree_on_one) {
    for (KeyNode* node : {&a, &b}) node->store->gate.held = true;
    now += hours(25), steady += hours(25);
    a.read(), b.read();
    // Both have read the old ring before one of them writes.
    for (int round = 0; round < 6; ++round)
        for (KeyNode* node : {&a, &b}) {
            if (node->store->gate.waiting.empty()) continue;
            const auto next = std::move(node->store->gate.waiting.front());
            node->store->gate.waiting.pop_front();
            next();
        }
    EXPECT_EQ(ring().keys().size(), 2U);
    now += hours(1), steady += hours(1);
    EXPECT_EQ(key_of(ask(a)), ring().keys().back().id);
    EXPECT_EQ(key_of(ask(b)), ring().keys().back().id);
}

TEST_F(KeyCluster, a_node_that_cannot_read_the_ring_goes_on_with_its_keys) {
    b.store->gate.broken = true;
    live(hours(24) + minutes(5));
    const std::string old = ask(b);
    EXPECT_EQ(key_of(old), ring().keys().front().id);
    EXPECT_EQ(answer(b, old).text(), "Zoe");
    EXPECT_EQ(answer(a, old).text(), "Zoe");
    ASSERT_EQ(b.log.size(), 1U) << "one line, however often it failed";
    EXPECT_NE(b.log[0].find("goes on with the keys that it has"), std::string::npos);

    // Only a state with the newest key needs the store.
    live(minutes(10));
    const std::string state = ask(a);
    EXPECT_NE(key_of(state), key_of(old));
    const Sent refused = answer(b, state);
    EXPECT_EQ(refused.status(), 503);
    EXPECT_NE(refused.writer->field("Retry-After"), "");
    b.store->gate.broken = false;
    advance(seconds(2));
    EXPECT_EQ(answer(b, state).text(), "Zoe");
    EXPECT_EQ(b.log.back(), "the key ring can be read again");
}

TEST_F(KeyCluster, a_request_with_a_new_key_waits_until_the_ring_is_read) {
    b.store->gate.broken = true;
    live(hours(24) + minutes(15));
    const std::string state = ask(a);
    b.store->gate.broken = false;
    b.store->gate.held = true;
    steady += seconds(2);
    const int before = b.store->gate.passed;
    const Sent one = answer(b, state), two = answer(b, state);
    Sent three = answer(b, state);
    EXPECT_FALSE(one.over());
    three.disconnect();
    EXPECT_EQ(b.store->gate.passed, before + 1) << "they share one reading";
    b.store->gate.open();
    b->run_all();
    EXPECT_EQ(one.text(), "Zoe");
    EXPECT_EQ(two.text(), "Zoe");
    EXPECT_EQ(three.writer->misuses, 0) << "its client has left";
}

TEST_F(KeyCluster, invented_keys_cause_one_reading_per_second) {
    steady += minutes(1);
    const int before = b.store->gate.passed;
    for (std::uint32_t id = 0; id < 100; ++id)
        EXPECT_EQ(answer(b, jose::with_key_id(id, "forged")).error(), code::invalid_params);
    EXPECT_EQ(b.store->gate.passed, before + 1);
    steady += seconds(1);
    answer(b, jose::with_key_id(1, "forged"));
    answer(b, "forged");
    EXPECT_EQ(b.store->gate.passed, before + 2);
}

TEST_F(KeyCluster, at_most_max_waiting_requests_wait_for_the_ring) {
    steady += minutes(1);
    b.store->gate.held = true;
    std::size_t refused = 0, read = 0;
    for (std::size_t i = 0; i < SharedKeys::max_waiting + 5; ++i)
        b.keys->read_for_request([&](const std::optional<Error>& error) { ++(error ? refused : read); });
    EXPECT_EQ(refused, 5U);
    b.store->gate.open();
    EXPECT_EQ(read, SharedKeys::max_waiting);
}

TEST_F(KeyCluster, a_damaged_ring_is_not_used_and_not_overwritten) {
    const std::string state = ask(a), good = stored().value();
    overwrite("junk");
    live(hours(26));
    EXPECT_EQ(stored(), "junk");
    EXPECT_EQ(answer(b, ask(a)).text(), "Zoe") << "with the keys that they have";
    ASSERT_FALSE(b.log.empty());
    EXPECT_NE(b.log[0].find("`key_ring` of the store is not a key ring of tenon"), std::string::npos);
    KeyNode late(*this, "late");
    ASSERT_TRUE(late.started);
    EXPECT_TRUE(store::is_corrupt(*late.started));
    overwrite(good);
    live(hours(1));
    EXPECT_EQ(ring().keys().size(), 2U) << "the rotation goes on";
}

TEST_F(KeyCluster, a_ring_that_the_store_has_lost_is_put_back) {
    const std::string before = stored().value(), state = ask(a);
    shared->values().remove("key_ring", make_reply<bool>([](const auto&) {}));
    live(minutes(5));
    EXPECT_EQ(stored(), before);
    KeyNode late(*this, "late");
    EXPECT_EQ(answer(late, state).text(), "Zoe");
}

TEST_F(KeyCluster, states_of_a_lost_ring_stay_valid_on_the_nodes_that_knew_it) {
    const std::string state = ask(a);
    overwrite(jose::KeyRing().rotated(hours(24 * 365), times, 77, {}).encode());
    live(minutes(5));
    EXPECT_EQ(key_of(ask(a)), 77U);
    EXPECT_EQ(answer(b, state).text(), "Zoe");
}

// The clock of one node is a minute fast, or a minute slow.
TEST_F(KeyCluster, a_minute_of_clock_skew_does_not_end_a_state_early) {
    KeyNode fast(*this, "fast", minutes(1)), slow(*this, "slow", minutes(-1));
    const std::string of_a = ask(a), of_slow = ask(slow);
    now += Limits{}.request_state_time, steady += Limits{}.request_state_time;
    EXPECT_EQ(answer(fast, of_a).text(), "Zoe");
    EXPECT_EQ(answer(a, of_slow).text(), "Zoe");
    now += minutes(2) + seconds(1), steady += minutes(2) + seconds(1);
    EXPECT_EQ(answer(b, of_a).error(), code::invalid_params) << "but it ends";
}

TEST_F(KeyCluster, the_clock_of_a_node_does_not_decide_when_a_key_is_used) {
    KeyNode fast(*this, "fast", hours(48));
    EXPECT_EQ(key_of(ask(fast)), ring().keys().front().id);
    EXPECT_EQ(ring().keys().size(), 1U);
}

TEST_F(KeyCluster, a_cursor_is_valid_on_all_nodes_and_after_a_new_key) {
    const auto list = [](KeyNode& node, const json::object& params) {
        json::object all = params;
        all["_meta"] = modern_meta();
        const Sent sent = node->post_alone(request(1, "tools/list", all));
        node->run_all();
        return sent.answer();
    };
    const json::value cursor = list(a, {}).at("result").at("nextCursor");
    EXPECT_TRUE(list(b, {{"cursor", cursor}}).as_object().contains("result"));
    live(hours(24) + minutes(15));
    EXPECT_TRUE(list(b, {{"cursor", cursor}}).as_object().contains("result"));
    EXPECT_NE(list(b, {}).at("result").at("nextCursor"), cursor);
    EXPECT_TRUE(list(a, {{"cursor", list(b, {}).at("result").at("nextCursor")}}).as_object().contains("result"));
    live(hours(24 * 4));
    EXPECT_FALSE(list(b, {{"cursor", cursor}}).as_object().contains("result")) << "its key is gone";
}

TEST_F(KeyCluster, a_node_that_left_keeps_its_keys_but_not_the_store) {
    auto own = std::make_shared<NodeStore>(shared);
    const auto keys = std::make_shared<SharedKeys>(SharedKeys::Options{.store = own, .times = times});
    keys->read({});
    const auto sealed = keys->close("state", "binding", now);
    const std::weak_ptr<Store> weak = own;
    own.reset();
    EXPECT_FALSE(weak.expired());
    keys->leave();
    EXPECT_TRUE(weak.expired());
    keys->tick();
    EXPECT_EQ(keys->open(*sealed, "binding", now).value(), "state");
    EXPECT_FALSE(keys->should_read_for(jose::with_key_id(5, "x")));
    std::optional<Error> why;
    keys->read([&](const std::optional<Error>& error) { why = error; });
    EXPECT_TRUE(why && store::is_unavailable(*why));
}

}  // namespace
}  // namespace tenon::test
