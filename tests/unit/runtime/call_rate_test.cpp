// Rate limits that hold by default: calls of a peer, and notifications of a call.
// rules: TOOL-12
#include "one_client.hpp"
#include "runtime/call_rates.hpp"
#include "support/allocated_bytes.hpp"

namespace tenon {
namespace {

using namespace std::chrono_literals;

struct CallRate : testing::TestWithParam<Era> {
    void make(Limits limits) {
        server.emplace("test", "1", ServerOptions{.limits = limits});
        server->tool("echo", "E", [] { return "hi"; });
        server->tool("ask", "A",
                     [](Context& ctx) { return ctx.roots("where").at(0).uri + ctx.roots("again").at(0).uri; });
        server->prompt(
            "p", "P",
            args(arg<std::string>("a").complete([](std::string_view) { return std::vector<std::string>{"x"}; })),
            [](std::string) { return "p"; });
    }
    SessionOptions as(std::string who = {}) {
        return {.owner = std::move(who), .clock = [this] { return now; }};
    }
    json::object complete(OneClient& client) {
        return client.ask("completion/complete", {{"ref", {{"type", "ref/prompt"}, {"name", "p"}}},
                                                  {"argument", {{"name", "a"}, {"value", ""}}}});
    }
    TimePoint now{1h};
    std::optional<Server> server;
};
INSTANTIATE_TEST_SUITE_P(Eras, CallRate, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

TEST_P(CallRate, calls_and_completions_are_limited_by_default) {
    make({});
    OneClient client(*server, GetParam(), as());
    for (int i = 0; i < 5000; ++i) {
        ASSERT_EQ(client.code_of(client.call("echo")), 0) << i;
        ASSERT_EQ(client.code_of(complete(client)), 0) << i;
    }
    for (const auto& refused : {client.call("echo"), complete(client)}) {
        EXPECT_EQ(client.code_of(refused), code::too_many_calls);
        EXPECT_EQ(client.message_of(refused),
                  "Too many calls: the limit is 1000 per second (Limits::max_calls_per_second); try again in 1 ms");
        EXPECT_EQ(refused.at("error").at("data").at("retryAfterMs"), 1);
    }
    EXPECT_EQ(client.code_of(client.ask("tools/list")), 0) << "other methods are not counted";
    now += 1ms;
    EXPECT_EQ(client.code_of(client.call("echo")), 0);
}

TEST_P(CallRate, a_principal_has_one_count_in_all_its_sessions) {
    make({.max_calls_per_second = 1});
    for (int i = 0; i < 10; ++i) {
        OneClient client(*server, GetParam(), as("alice"));
        ASSERT_EQ(client.code_of(client.call("echo")), 0) << i;
    }
    OneClient alice(*server, GetParam(), as("alice")), bob(*server, GetParam(), as("bob")),
        other(*server, GetParam(), as());
    EXPECT_EQ(alice.code_of(alice.call("echo")), code::too_many_calls);
    EXPECT_EQ(bob.code_of(bob.call("echo")), 0);
    EXPECT_EQ(other.code_of(other.call("echo")), 0);
}

TEST(ModernCallRate, a_call_that_asks_counts_once) {
    const auto rounds = [](Server& server) {
        OneClient client(server, Era::modern, {.clock = [] { return TimePoint(1h); }}, {{"roots", json::object()}});
        const json::object here{{"roots", json::array{json::object{{"uri", "file:///a"}}}}};
        const auto one = client.call("ask");
        const auto two =
            client.call("ask", {}, {{"requestState", one.at("requestState")}, {"inputResponses", {{"where", here}}}});
        const auto three =
            client.call("ask", {}, {{"requestState", two.at("requestState")}, {"inputResponses", {{"again", here}}}});
        EXPECT_EQ(client.text_of(three), "file:///afile:///a");
        return client.code_of(client.call("ask"));
    };
    const auto ask = [](Context& ctx) { return ctx.roots("where").at(0).uri + ctx.roots("again").at(0).uri; };
    Server limited("test", "1", {.rate_limits = {.each = {.calls = 1, .per = std::chrono::hours(1)}}});
    limited.tool("ask", "A", ask);
    EXPECT_EQ(rounds(limited), code::too_many_calls) << "only the second call is above the limit, not the rounds";
    Server by_default("test", "1", {.limits = {.max_calls_per_second = 1}});
    by_default.tool("ask", "A", ask);
    for (int i = 0; i < 8; ++i) EXPECT_EQ(rounds(by_default), 0) << "each session is a peer of its own";
}

TEST_P(CallRate, progress_above_the_limit_is_merged_and_log_messages_are_dropped) {
    std::string notes;
    server.emplace("test", "1",
                   ServerOptions{.limits = {.max_notifications_per_second = 3},
                                 .log = [&](const LogRecord& r) { notes += r.message; }});
    server->tool("count", "C", [](Context& ctx) {
        for (int i = 1; i <= 100; ++i) ctx.progress(i, 100);
        for (int i = 0; i < 50; ++i) ctx.error("again");
        return "ok";
    });
    OneClient client(*server, GetParam(), as());
    const auto sent = client.send(
        "tools/call", {{"name", "count"},
                       {"_meta", json::object{{"progressToken", 7}, {"io.modelcontextprotocol/logLevel", "debug"}}}});
    ASSERT_EQ(sent.size(), 5u);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(sent[static_cast<std::size_t>(i)].at("params").at("progress"), i + 1);
    EXPECT_EQ(sent[3].at("params").at("progress"), 100) << "the newest one, before the result";
    EXPECT_TRUE(sent[4].as_object().contains("result"));
    EXPECT_NE(notes.find("dropped 50 log messages of tools/call count"), std::string::npos) << notes;
}

// rules: SEC-7
TEST(CallRates, many_principals_with_long_names_do_not_grow_the_table) {
    constexpr std::size_t most = 5000;
    const base::BucketSize size{1, 10};
    const std::string longest(10'000, 'x');
    const TimePoint now{1h};
    const std::size_t before = test::allocated_bytes();
    CallRates rates({}, most);
    for (int i = 0; i < 20'000; ++i) {
        ASSERT_EQ(rates.count(longest + std::to_string(i), false, size, now), Duration::zero());
        ASSERT_LE(rates.counted(), most);
        ASSERT_LE(test::allocated_bytes(), before + most * CallRates::max_bytes_per_principal + 10'000);
    }
    EXPECT_EQ(rates.counted(), most);
}

TEST(CallRates, the_memory_budget_pays_for_the_table_and_limits_it) {
    const auto budget = std::make_shared<base::MemoryBudget>(64 * 1024, 64 * 1024);
    {
        CallRates rates({}, 1'000'000, base::MemoryCharge(std::make_shared<base::MemoryAccount>(budget)));
        for (int i = 0; i < 10'000; ++i) {
            rates.count(std::to_string(i), false, {1, 1}, {});
            ASSERT_LE(rates.counted() * CallRates::max_bytes_per_principal, budget->used());
        }
        EXPECT_LE(budget->used(), budget->total());
        EXPECT_NE(rates.count("9999", false, {1, 1}, {}), Duration::zero());  // the newest are still counted
    }
    EXPECT_EQ(budget->used(), 0U);
}

TEST(CallRates, a_principal_that_keeps_calling_stays_counted) {
    CallRates rates({}, 2);
    const base::BucketSize size{1, 10};
    const TimePoint now{1h};
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(rates.count("busy", false, size, now), Duration::zero());
        rates.count("other " + std::to_string(i), false, size, now);
    }
    EXPECT_GT(rates.count("busy", false, size, now), Duration::zero()) << "the silent ones are forgotten first";
    EXPECT_EQ(rates.count("busy", true, size, now), Duration::zero()) << "more rounds are counted apart";
}

// rules: LIFE-14
TEST(Ping, a_silent_client_is_pinged_and_a_missing_answer_is_logged) {
    std::string notes;
    Server server("test", "1", {.limits = {.ping_interval = 1min, .ask_time = 10s}, .log = [&](const LogRecord& r) {
                                    notes += r.message;
                                }});
    TimePoint now{1h};
    OneClient client(server, Era::legacy, {.clock = [&] { return now; }});
    EXPECT_EQ(client.session().next_deadline(), now + 1min);
    now += 1min;
    client.session().tick();
    auto sent = client.take();
    ASSERT_EQ(sent.size(), 1u);
    EXPECT_EQ(sent[0].at("method"), "ping");
    client.session().receive(
        json::write(json::object{{"jsonrpc", "2.0"}, {"id", sent[0].at("id")}, {"result", json::object()}}));
    EXPECT_EQ(client.session().next_deadline(), now + 1min);
    now += 1min;
    client.session().tick();
    EXPECT_EQ(client.take().size(), 1u);
    now += 10s;
    client.session().tick();
    EXPECT_NE(notes.find("did not answer a ping"), std::string::npos) << notes;
}

TEST(Ping, is_off_by_default_and_in_2026_07_28) {
    Server quiet("test", "1"), modern("test", "1", {.limits = {.ping_interval = 1min}});
    TimePoint now{1h};
    OneClient a(quiet, Era::legacy, {.clock = [&] { return now; }}),
        b(modern, Era::modern, {.clock = [&] { return now; }});
    b.ask("tools/list");
    EXPECT_FALSE(a.session().next_deadline());
    EXPECT_FALSE(b.session().next_deadline());
}

}  // namespace
}  // namespace tenon
