// Tasks of a client, against a server in the same process, in both eras.
#include <tenon/client_task.hpp>

#include <gtest/gtest.h>

#include <future>
#include <latch>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/memory.hpp>

namespace tenon {
namespace {

using namespace std::chrono_literals;

struct Person {
    std::string name;
};
BOOST_DESCRIBE_STRUCT(Person, (), (name))

ServerOptions quick_polls() {
    ServerOptions options;
    options.limits.task_poll_interval = 1ms;
    return options;
}

class ClientTasks : public testing::TestWithParam<Era> {
 protected:
    ClientTasks() : server_("tasks", "1", quick_polls()) {
        server_.tool("quick", "No task", [] { return "quick"; });
        server_.tool("slow", "Must be a task", [] { return "slow"; }, {.task = TaskSupport::required});
        server_.tool("greet", "Asks",
                     [](Context& ctx) {
                         const auto who = ctx.elicit<Person>("Who?");
                         return "Hello, " + (who ? who->name : std::string("nobody"));
                     },
                     {.task = TaskSupport::required});
        server_.tool("fail", "Fails",
                     []() -> std::string {
                         throw ProtocolError({code::invalid_params, "no"});
                     },
                     {.task = TaskSupport::required});
        server_.tool("endless", "Runs until it is cancelled",
                     [this](Context& ctx) {
                         std::promise<void> stop;
                         const std::stop_callback on_stop(ctx.stop_token(), [&] { stop.set_value(); });
                         began_.count_down();
                         stop.get_future().wait();
                         return "stopped";
                     },
                     {.task = TaskSupport::required});
    }
    Client client() {
        ClientOptions options;
        options.era = GetParam();
        options.limits.min_task_poll_time = 1ms;
        options.on_elicit = [](const ElicitRequest&, const std::stop_token&) {
            return ElicitResult{ElicitAction::accept, {{"name", "Ada"}}};
        };
        return Client(memory_transport(server_), std::move(options));
    }
    static std::string text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }
    static int code_of(const std::function<void()>& f) {
        try {
            f();
        } catch (const Exception& e) {
            return e.error().code;
        }
        return 0;
    }

    std::latch began_{1};
    Server server_;
};

// rules: TOOL-14
TEST_P(ClientTasks, call_tool_follows_a_task_to_its_end) {
    Client c = client();
    EXPECT_EQ(text(c.call_tool("slow")), "slow");
    EXPECT_EQ(text(c.call_tool("quick")), "quick");
    EXPECT_EQ(text(c.call_tool("greet")), "Hello, Ada");
    EXPECT_EQ(code_of([&] { c.call_tool("fail"); }), code::invalid_params);
    EXPECT_EQ(c.request("tools/call", {{"name", "slow"}}).at("content").at(0).at("text").as_string(), "slow");
    std::promise<std::string> later;
    c.async_call_tool("slow", {}, make_reply<ToolResult>([&](Result<ToolResult> r) { later.set_value(text(*r)); }));
    EXPECT_EQ(later.get_future().get(), "slow");
}

// rules: TOOL-14
TEST_P(ClientTasks, a_started_task_can_be_polled_waited_for_and_resumed_by_its_id) {
    Client c = client();
    const ClientTask task = c.start_tool("greet");
    ASSERT_FALSE(task.id().empty());
    EXPECT_EQ(task.poll().id, task.id());
    EXPECT_EQ(text(task.result()), "Hello, Ada");
    const ClientTask again = c.task(task.id());
    EXPECT_EQ(again.wait().status, TaskStatus::completed);
    EXPECT_EQ(text(again.result()), "Hello, Ada");
    std::promise<std::string> later;
    again.async_result(make_reply<ToolResult>([&](Result<ToolResult> r) { later.set_value(text(*r)); }));
    EXPECT_EQ(later.get_future().get(), "Hello, Ada");
    EXPECT_NE(code_of([&] { c.task("unknown").poll(); }), 0);
}

TEST_P(ClientTasks, a_tool_without_tasks_ends_before_start_tool_returns) {
    Client c = client();
    const ClientTask done = c.start_tool("quick");
    EXPECT_TRUE(done.id().empty());
    EXPECT_EQ(done.poll().status, TaskStatus::completed);
    EXPECT_EQ(done.wait().status, TaskStatus::completed);
    EXPECT_EQ(text(done.result()), "quick");
    done.cancel();
    EXPECT_EQ(code_of([&] { done.provide_input({}); }), code::invalid_params);
}

TEST_P(ClientTasks, a_task_can_be_cancelled) {
    Client c = client();
    const ClientTask task = c.start_tool("endless");
    began_.wait();
    task.cancel();
    EXPECT_EQ(task.wait().status, TaskStatus::cancelled);
    EXPECT_NE(code_of([&] { task.result(); }), 0);
}

TEST_P(ClientTasks, stopping_the_wait_does_not_cancel_the_task) {
    Client c = client();
    const ClientTask task = c.start_tool("endless");
    began_.wait();
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(code_of([&] { task.result({.stop = stop.get_token()}); }), code::call_cancelled);
    EXPECT_EQ(task.poll().status, TaskStatus::working);
    task.cancel();
}

TEST_P(ClientTasks, tasks_are_listed_in_2025_11_25_only) {
    Client c = client();
    const ClientTask task = c.start_tool("slow");
    if (GetParam() == Era::modern) {
        EXPECT_EQ(code_of([&] { c.list_tasks().all(); }), code::method_not_found);
        EXPECT_EQ(code_of([&] { task.provide_input({}); }), 0);
        return;
    }
    const auto tasks = c.list_tasks().all();
    ASSERT_EQ(tasks.size(), 1u);
    EXPECT_EQ(tasks.front().id, task.id());
    EXPECT_EQ(code_of([&] { task.provide_input({}); }), code::method_not_found);
}

INSTANTIATE_TEST_SUITE_P(Eras, ClientTasks, testing::Values(Era::legacy, Era::modern),
                         [](const auto& era) { return era.param == Era::legacy ? "legacy" : "modern"; });

}  // namespace
}  // namespace tenon
