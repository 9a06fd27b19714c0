// rules: HTTP-8
// Consecutive requests of 2026-07-28. They may share an internal session, but must not affect each other.
#include <gtest/gtest.h>

#include <list>

#include "support/http_world.hpp"

namespace tenon::test {
namespace {

struct StatelessRequests : testing::Test {
    StatelessRequests() {
        const auto hold = [this](Context& ctx, Reply<std::string> reply) { held.push_back({std::move(reply), ctx}); };
        server.tool("hold", "Answers when the test wants", hold);
        server.tool("hold_as_task", "The same, as a task", hold,
                    {.task = TaskSupport::optional, .task_start = TaskStart::at_once});
        server.tool("who", "Who calls", [](Context& ctx) { return "<" + ctx.principal() + ">"; });
    }
    ~StatelessRequests() override { world.endpoint->shut_down("over"), held.clear(); }

    Sent call(std::string_view tool, const std::string& fields = {}, json::object meta = modern_meta()) {
        meta["progressToken"] = "p";
        meta["io.modelcontextprotocol/logLevel"] = "debug";
        return world.post_alone(tool_request(1, tool, {}, std::move(meta)), fields);
    }

    struct Held {
        Reply<std::string> reply;
        Context context;
    };
    std::list<Held> held;
    Server server{"test", "1"};
    HttpWorld world{server, {.authenticate = [](std::string_view who) { return std::optional<std::string>(who); }}};
};

TEST_F(StatelessRequests, messages_of_a_late_handler_do_not_reach_the_next_request) {
    const Sent first = call("hold");
    world.run_all();
    world.advance(std::chrono::hours(1));  // the call times out
    ASSERT_TRUE(first.over());
    const Sent second = call("hold");
    world.run_all();
    held.front().context.progress(1);
    held.front().context.info("late");
    std::move(held.front().reply).send("late");
    EXPECT_FALSE(second.writer->begun);
    EXPECT_FALSE(second.over());
    std::move(held.back().reply).send("mine");
    EXPECT_EQ(second.text(), "mine");
}

TEST_F(StatelessRequests, messages_of_a_task_do_not_reach_the_next_request) {
    const json::object tasks{{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object{}}}}};
    const Sent first = call("hold_as_task", {}, modern_meta(tasks));
    world.run_all();
    ASSERT_TRUE(first.over());
    const Sent second = call("hold");
    world.run_all();
    ASSERT_EQ(held.size(), 2U);
    held.front().context.progress(1);
    held.front().context.info("from the task");
    std::move(held.front().reply).send("of the task");
    EXPECT_FALSE(second.writer->begun);
    EXPECT_FALSE(second.over());
    std::move(held.back().reply).send("mine");
    EXPECT_EQ(second.text(), "mine");
}

TEST_F(StatelessRequests, a_cancelled_request_does_not_stop_the_next) {
    Sent first = call("hold");
    world.run_all();
    first.disconnect();
    const Sent second = call("hold");
    world.run_all();
    ASSERT_EQ(held.size(), 2U);
    EXPECT_FALSE(held.back().context.cancelled());
    std::move(held.back().reply).send("mine");
    EXPECT_EQ(second.text(), "mine");
}

TEST_F(StatelessRequests, a_disconnect_after_the_answer_does_not_stop_the_next_request) {
    Sent first = call("hold");
    world.run_all();
    std::move(held.front().reply).send("mine");
    const Sent second = call("hold");
    world.run_all();
    first.responder->client_gone(*first.writer);  // as late as possible
    EXPECT_FALSE(held.back().context.cancelled());
    std::move(held.back().reply).send("mine too");
    EXPECT_EQ(second.text(), "mine too");
}

TEST_F(StatelessRequests, each_request_has_its_own_principal) {
    for (const char* name : {"ann", "bob", "ann", "ann", "bob"}) {
        const Sent sent = call("who", std::string("Authorization: ") + name + "\r\n");
        world.run_all();
        EXPECT_EQ(sent.text(), std::string("<") + name + ">");
    }
}

TEST_F(StatelessRequests, many_concurrent_requests_are_answered) {
    std::vector<Sent> sent;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 100; ++i) sent.push_back(call("hold"));
        world.run_all();
        EXPECT_FALSE(world.endpoint->idle());
        for (int i = 0; !held.empty(); ++i) {
            const auto which = i % 2 == 0 ? held.begin() : std::prev(held.end());
            std::move(which->reply).send("done");
            held.erase(which);
        }
        EXPECT_TRUE(world.endpoint->idle());
    }
    for (const Sent& one : sent) EXPECT_EQ(one.text(), "done");
}

}  // namespace
}  // namespace tenon::test
