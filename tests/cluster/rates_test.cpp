// Rate limits of several nodes: a principal that uses all nodes gets about as many calls as on one node.
#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "cluster/cluster_world.hpp"
#include "cluster/slow_values.hpp"

namespace tenon::test {
namespace {

using std::chrono::milliseconds;

/// Three nodes that count calls together. `burst` calls are allowed at once: ten times the limit per second.
struct Rates : testing::Test {
    static constexpr int per_second = 20, burst = 10 * per_second, portion = burst / 32;
    struct RateNode {
        RateNode(Rates& test, const std::string& name) : store(std::make_shared<NodeStore>(test.shared)) {
            node.emplace(store, name, nothing_else, std::function<WallTime()>(),
                         Limits{.max_calls_per_second = per_second}, [&](Server& server, EndpointOptions& options) {
                             rates =
                                 server.impl()->share_rates({.store = store, .clock = [&test] { return test.steady; }});
                             rates->tick();
                             options.rates = rates;
                         });
        }
        std::shared_ptr<NodeStore> store;
        std::shared_ptr<SharedRates> rates;
        std::optional<Node> node;
    };
    bool call(RateNode& node, const std::string& who) {
        HttpWorld& world = *node.node->world;
        const Sent sent = world.post_alone(tool_request(1, "hello", {}, modern_meta()), who);
        world.run_all();
        if (sent.error() == 0) return true;
        EXPECT_EQ(sent.error(), code::too_many_calls);
        const json::value answer = sent.answer();
        EXPECT_GT(answer.at("error").at("data").at("retryAfterMs").as_int64(), 0);
        return false;
    }
    int calls(RateNode& node, const std::string& who, int count) {
        int out = 0;
        for (int i = 0; i < count; ++i) out += call(node, who) ? 1 : 0;
        return out;
    }
    void pass(Duration time) {
        now += std::chrono::duration_cast<WallTime::duration>(time);
        steady += time;
        for (RateNode* one : nodes()) one->node->world->advance(time);
    }
    std::vector<RateNode*> nodes() { return {&a, &b, &c}; }

    WallTime now{std::chrono::hours(24 * 365)};
    TimePoint steady = Clock::time_point() + std::chrono::hours(24);
    const std::shared_ptr<Store> shared = memory_store({.clock = [this] { return now; }});
    RateNode a{*this, "a"}, b{*this, "b"}, c{*this, "c"};
};

TEST_F(Rates, a_principal_that_uses_all_nodes_gets_the_limit_once) {
    int allowed = 0;
    for (int i = 0; i < burst; ++i)
        for (RateNode* node : nodes()) allowed += call(*node, ann) ? 1 : 0;
    EXPECT_GE(allowed, burst);
    EXPECT_LE(allowed, burst + 3 * portion);
    EXPECT_EQ(calls(a, bob, 50) + calls(b, bob, 50), 100) << "others are not affected";
}

TEST_F(Rates, a_node_that_was_not_used_before_allows_one_portion_more) {
    EXPECT_EQ(calls(a, ann, 2 * burst), burst);
    EXPECT_EQ(calls(b, ann, burst), portion);
    EXPECT_EQ(calls(c, ann, burst), portion);
    EXPECT_EQ(calls(a, ann, 5), 0);
}

// What was allowed too much is made up for, so the average is exact.
TEST_F(Rates, the_average_over_some_time_is_the_limit) {
    int allowed = 0;
    for (int second = 0; second < 60; ++second) {
        for (RateNode* node : nodes()) allowed += calls(*node, ann, 2 * per_second);
        pass(std::chrono::seconds(1));
    }
    EXPECT_GE(allowed, burst + 59 * per_second - 3 * portion);
    EXPECT_LE(allowed, burst + 60 * per_second + 3 * portion);
}

TEST_F(Rates, the_limit_of_one_node_is_not_lowered) {
    EXPECT_EQ(calls(a, ann, burst), burst);
    for (int second = 0; second < 30; ++second) {
        pass(std::chrono::seconds(1));
        EXPECT_EQ(calls(a, ann, per_second), per_second);
    }
}

TEST_F(Rates, few_calls_do_not_touch_the_store) {
    const int before = a.store->gate.passed;
    EXPECT_EQ(calls(a, ann, portion - 1), portion - 1);
    EXPECT_EQ(a.store->gate.passed, before);
    EXPECT_EQ(calls(a, ann, 1), 1);
    EXPECT_EQ(a.store->gate.passed, before + 2) << "a report reads and writes";
}

TEST_F(Rates, calls_do_not_wait_for_a_slow_store) {
    a.store->gate.held = true;
    EXPECT_EQ(calls(a, ann, burst / 2), burst / 2);
    EXPECT_EQ(a.store->gate.waiting.size(), 1U) << "one report at a time";
    a.store->gate.open();
    EXPECT_EQ(calls(a, ann, portion), portion);
    const int of_b = calls(b, ann, burst);
    EXPECT_LE(of_b, burst / 2 + portion);
    EXPECT_GE(of_b, burst / 2 - 2 * portion);
}

TEST_F(Rates, without_the_store_each_node_counts_for_itself) {
    for (RateNode* node : nodes()) node->store->gate.broken = true;
    for (RateNode* node : nodes()) EXPECT_EQ(calls(*node, ann, 2 * burst), burst);
    const int before = a.store->gate.passed;
    EXPECT_EQ(calls(a, ann, burst), 0);
    EXPECT_EQ(a.store->gate.passed, before) << "a broken store is left alone for a moment";

    for (RateNode* node : nodes()) node->store->gate.broken = false;
    pass(std::chrono::seconds(20));
    EXPECT_EQ(calls(a, ann, 2 * burst), burst) << "the time without the store is not held against anybody";
    EXPECT_LE(calls(b, ann, 2 * burst), portion);
}

TEST_F(Rates, a_foreign_value_counts_as_nothing_and_is_replaced) {
    EXPECT_EQ(calls(a, ann, burst), burst);
    // The name of the value is the digest of the limit and the principal.
    const base::Sha256Digest digest = base::sha256("\nann");
    const std::string key = "rate:" + base::base64url_encode({digest.data(), 24});
    for (const char* foreign : {"junk", "-5", "9223372036854775807", ""}) {
        shared->values().set(key, foreign, milliseconds::max(), make_reply<void>([](const auto&) {}));
        EXPECT_EQ(calls(b, bob, 1), 1);
        pass(std::chrono::seconds(60));
        EXPECT_EQ(calls(b, ann, burst), burst) << foreign;
        pass(std::chrono::seconds(60));
    }
}

TEST_F(Rates, limits_of_single_tools_count_on_all_nodes) {
    const RateLimits limits{.tools = {{"hello", {.calls = 64, .per = std::chrono::hours(1)}}}};
    std::vector<std::unique_ptr<Server>> servers;
    std::vector<std::shared_ptr<SharedRates>> rates;
    int allowed = 0;
    std::vector<std::unique_ptr<HttpWorld>> worlds;
    for (const char* name : {"x", "y", "z"}) {
        servers.push_back(std::make_unique<Server>("s", "1", ServerOptions{.rate_limits = limits}));
        servers.back()->tool("hello", "Greets", [] { return "hello"; });
        rates.push_back(servers.back()->impl()->share_rates({.store = shared, .clock = [this] { return steady; }}));
        rates.back()->tick();
        EndpointOptions options;
        options.authenticate = [](std::string_view who) { return std::optional(std::string(who)); };
        worlds.push_back(std::make_unique<HttpWorld>(*servers.back(), std::move(options), name));
    }
    for (int i = 0; i < 64; ++i)
        for (const auto& world : worlds) {
            const Sent sent = world->post_alone(tool_request(1, "hello", {}, modern_meta()), ann);
            world->run_all();
            allowed += sent.error() == 0 ? 1 : 0;
        }
    EXPECT_GE(allowed, 64);
    EXPECT_LE(allowed, 64 + 3 * 2);
}

TEST_F(Rates, silent_principals_are_forgotten_first) {
    const auto few = std::make_shared<SharedRates>(
        SharedRates::Options{.store = shared, .max_counted = 2, .clock = [this] { return steady; }});
    few->tick();
    const auto pace = base::BucketPace::of(1, std::chrono::hours(1));
    EXPECT_EQ(few->count("", "p1", pace), Duration::zero());
    EXPECT_GT(few->count("", "p1", pace), Duration::zero());
    few->count("", "p2", pace), few->count("", "p3", pace);
    EXPECT_EQ(few->count("", "p1", pace), Duration::zero()) << "forgotten here; its report tells the store's count";
    EXPECT_GT(few->count("", "p1", pace), Duration::zero());
    few->leave();
    EXPECT_EQ(few->count("", "p1", pace), Duration::zero());
}

}  // namespace
}  // namespace tenon::test
