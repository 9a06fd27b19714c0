// Sessions with threads. No test sleeps: every wait is for an event that must happen.
// rules: INT-1, INT-3, RPC-7, LIFE-17
#include <gtest/gtest.h>

#include <latch>
#include <map>
#include <mutex>
#include <semaphore>
#include <thread>

#include <tenon/tenon.hpp>

#include "support/handler_threads.hpp"

namespace tenon {
namespace {

std::string call(const std::string& id, const std::string& tool) {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + tool +
           R"(","_meta":{"progressToken":)" + id + "}}}";
}

void initialize(Session& session, const std::string& capabilities = "{}") {
    session.receive(
        R"({"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":)" +
        capabilities + R"(,"clientInfo":{"name":"c","version":"1"}}})");
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    session.take_output();
}

std::vector<json::object> messages(const std::string& output) {
    std::vector<json::object> out;
    std::size_t start = 0;
    for (std::size_t end = output.find('\n'); end != std::string::npos; end = output.find('\n', start)) {
        out.push_back(json::parse(output.substr(start, end - start)).value().get_object());
        start = end + 1;
    }
    EXPECT_EQ(start, output.size()) << "the output ends within a line";
    return out;
}

TEST(Session, concurrent_handlers_never_mix_their_messages) {
    constexpr int handlers = 8, steps = 50;
    Server server("s", "1");
    std::latch all_there(handlers);
    server.tool("count", "Counts", [&](Context& ctx) {
        all_there.arrive_and_wait();
        for (int i = 1; i <= steps; ++i) ctx.progress(i, steps, std::string(100, 'x'));
        return std::string(1000, 'y');
    });
    test::HandlerThreads threads;
    Session session(server, {.post = threads.post()});
    initialize(session);
    for (int i = 0; i < handlers; ++i) session.receive(call(std::to_string(i), "count"));
    threads.join();

    std::map<std::int64_t, int> seen;
    std::map<std::int64_t, bool> answered;
    for (const json::object& m : messages(session.take_output())) {
        if (m.contains("method")) {
            const auto token = m.at("params").at("progressToken").as_int64();
            EXPECT_FALSE(answered[token]) << "progress was sent after the answer";
            EXPECT_EQ(m.at("params").at("progress").to_number<int>(), ++seen[token]);
        } else {
            EXPECT_FALSE(std::exchange(answered[m.at("id").as_int64()], true));
        }
    }
    for (int i = 0; i < handlers; ++i) {
        EXPECT_EQ(seen[i], steps);
        EXPECT_TRUE(answered[i]);
    }
    EXPECT_TRUE(session.idle());
}

TEST(Session, a_handler_waits_while_too_much_output_is_queued) {
    constexpr std::size_t limit = 1000, message = 500;
    Server server("s", "1", {.limits = {.max_queued_output_bytes = limit}});
    server.tool("flood", "Logs a lot", [&](Context& ctx) {
        for (int i = 0; i < 100; ++i) ctx.info(std::string(message, 'x'));
        return "done";
    });
    test::HandlerThreads threads;
    std::counting_semaphore<> woken(0);
    Session session(server, {.post = threads.post(), .wake = [&] { woken.release(); }});
    initialize(session);
    session.receive(call("1", "flood"));
    std::size_t most = 0, all = 0;
    while (!session.idle()) {
        woken.acquire();
        most = std::max(most, session.queued_output());
        all += messages(session.take_output()).size();
    }
    threads.join();
    all += messages(session.take_output()).size();
    EXPECT_EQ(all, 101U);
    EXPECT_LE(most, limit + 2 * (message + 200));
}

TEST(Session, cancellation_ends_the_wait_of_a_handler_for_queued_output) {
    Server server("s", "1", {.limits = {.max_notifications_per_second = 0, .max_queued_output_bytes = 10}});
    server.tool("flood", "Logs a lot", [](Context& ctx) {
        while (!ctx.cancelled()) ctx.info("more than ten bytes");
        return "stopped";
    });
    test::HandlerThreads threads;
    Session session(server, {.post = threads.post()});
    initialize(session);
    session.receive(call("1", "flood"));
    while (session.queued_output() == 0) std::this_thread::yield();
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    threads.join();  // would block forever if the handler still waited
    for (const json::object& m : messages(session.take_output())) EXPECT_FALSE(m.contains("id"));
}

TEST(Session, wakes_its_owner_when_a_handler_answers_on_another_thread) {
    Server server("s", "1");
    server.tool("work", "Works", [] { return "done"; });
    test::HandlerThreads threads;
    std::counting_semaphore<> woken(0);
    Session session(server, {.post = threads.post(), .wake = [&] { woken.release(); }});
    initialize(session);
    while (woken.try_acquire()) {
    }
    session.receive(call("1", "work"));
    woken.acquire();  // woken by the new deadline or by the answer
    threads.join();
    EXPECT_EQ(messages(session.take_output()).size(), 1U);
}

TEST(Session, wakes_its_owner_only_for_an_earlier_deadline) {
    Server server("s", "1");
    std::vector<Reply<std::string>> parked;
    const auto keep = [&](Reply<std::string> reply) { parked.push_back(std::move(reply)); };
    server.tool("slow", "Slow", keep, {.time_limit = std::chrono::seconds(100)});
    server.tool("quick", "Quick", keep, {.time_limit = std::chrono::seconds(10)});
    int wakes = 0;
    TimePoint now = {};
    Session session(server, {.wake = [&] { ++wakes; }, .clock = [&] { return now; }});
    initialize(session);
    wakes = 0;
    session.receive(call("1", "slow"));
    EXPECT_EQ(wakes, 1);
    EXPECT_EQ(session.next_deadline(), now + std::chrono::seconds(100));
    session.receive(call("2", "slow"));
    EXPECT_EQ(wakes, 1);
    session.receive(call("3", "quick"));
    EXPECT_EQ(wakes, 2);
    EXPECT_EQ(session.next_deadline(), now + std::chrono::seconds(10));
    now += std::chrono::seconds(10);
    session.tick();
    EXPECT_EQ(messages(session.take_output()).size(), 1U);
    EXPECT_EQ(session.next_deadline(), TimePoint(std::chrono::seconds(100)));
}

TEST(Session, a_handler_on_a_worker_may_wait_for_the_client) {
    Server server("s", "1");
    server.tool("ask", "Asks", [](Context& ctx) { return ctx.roots().at(0).uri; });
    test::HandlerThreads threads;
    std::counting_semaphore<> woken(0);
    Session session(server, {.post = threads.post(), .wake = [&] { woken.release(); }});
    initialize(session, R"({"roots":{}})");
    session.receive(call("7", "ask"));
    std::string output;
    while (output.find("roots/list") == std::string::npos) {
        woken.acquire();
        output += session.take_output();
    }
    session.receive(R"({"jsonrpc":"2.0","id":1,"result":{"roots":[{"uri":"file:///home"}]}})");
    threads.join();
    EXPECT_EQ(messages(session.take_output()).at(0).at("result").at("content").at(0).at("text").as_string(),
              "file:///home");
}

TEST(Session, a_handler_may_outlive_its_session) {
    Server server("s", "1");
    std::binary_semaphore begun(0), gone(0);
    std::atomic<bool> stopped = false;
    server.tool("work", "Works", [&](Context& ctx) {
        begun.release();
        gone.acquire();
        stopped = ctx.cancelled();
        ctx.progress(1);
        ctx.info("anyone?");
        return "done";
    });
    test::HandlerThreads threads;
    {
        Session session(server, {.post = threads.post()});
        initialize(session);
        session.receive(call("1", "work"));
        begun.acquire();  // a call that ends before its handler begins never runs
    }
    gone.release();
    threads.join();
    EXPECT_TRUE(stopped);
}

TEST(Session, sessions_of_one_server_get_only_their_own_answers) {
    Server server("s", "1");
    server.tool("echo", "Echoes", [](Context& ctx) { return ctx.request_id(); });
    Session one(server), two(server);
    initialize(one);
    initialize(two);
    one.receive(call("1", "echo"));
    two.receive(call("2", "echo"));
    const auto first = messages(one.take_output()), second = messages(two.take_output());
    ASSERT_EQ(first.size(), 1U);
    ASSERT_EQ(second.size(), 1U);
    EXPECT_EQ(first[0].at("id"), json::value(1));
    EXPECT_EQ(second[0].at("id"), json::value(2));
}

TEST(Session, every_session_is_notified_of_a_list_change) {
    Server server("s", "1");
    server.tool("a", "A", [] {});
    Session one(server), two(server);
    initialize(one);
    initialize(two);
    server.tool("b", "B", [] {});
    EXPECT_EQ(messages(one.take_output()).size(), 1U);
    EXPECT_EQ(messages(two.take_output()).size(), 1U);
}

TEST(Session, a_subscription_belongs_to_one_session) {
    Server server("s", "1");
    server.resource("a:b", "r", [] { return "x"; });
    Session one(server), two(server);
    initialize(one);
    initialize(two);
    one.receive(R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"a:b"}})");
    one.take_output();
    server.resource_updated("a:b");
    EXPECT_EQ(messages(one.take_output()).size(), 1U);
    EXPECT_EQ(two.take_output(), "");
}

TEST(Session, a_handler_that_moves_its_reply_and_throws_answers_once) {
    Server server("s", "1");
    std::optional<Reply<std::string>> kept;
    server.tool("both", "Keeps its reply and throws", [&](Reply<std::string> reply) {
        kept = std::move(reply);
        throw std::runtime_error("after all");
    });
    Session session(server);
    initialize(session);
    session.receive(call("1", "both"));
    std::move(*kept).send("too late");
    const auto all = messages(session.take_output());
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].at("result").at("content").at(0).at("text").as_string(), "after all");
}

TEST(Session, a_handler_that_cannot_be_started_gets_an_error_response) {
    Server server("s", "1");
    server.tool("work", "Works", [] { return "done"; });
    Session session(server,
                    {.post = [](const std::function<void()>&) { throw std::runtime_error("no threads left"); }});
    initialize(session);
    session.receive(call("1", "work"));
    const auto all = messages(session.take_output());
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].at("error").at("code"), json::value(-32603));
    EXPECT_TRUE(session.idle());
}

TEST(Context, once_runs_its_function_the_first_time_only) {
    Server server("s", "1");
    int runs = 0;
    server.tool("pay", "Pays", [&](Context& ctx) {
        const int a = ctx.once("charge", [&] { return ++runs; });
        const int b = ctx.once("charge", [&] { return ++runs; });
        const int c = ctx.once("other", [&] { return ++runs; });
        return std::to_string(a) + std::to_string(b) + std::to_string(c);
    });
    Session session(server);
    initialize(session);
    session.receive(call("1", "pay"));
    EXPECT_EQ(messages(session.take_output()).at(0).at("result").at("content").at(0).at("text").as_string(), "112");
}

TEST(Server, an_invalid_registration_throws_an_explaining_exception) {
    Server server("s", "1");
    try {
        server.tool("a", "", [] {});
        FAIL() << "a tool without a description was accepted";
    } catch (const Exception& e) {
        EXPECT_NE(std::string(e.what()).find("needs a description"), std::string::npos);
    }
}

}  // namespace
}  // namespace tenon
