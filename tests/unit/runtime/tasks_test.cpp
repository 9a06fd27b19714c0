// The extension io.modelcontextprotocol/tasks of 2026-07-28 (SEP-2663).
#include "protocol/write_task.hpp"
#include "unit/runtime/modern_task_fixture.hpp"

namespace tenon {
namespace {

class Tasks : public ModernTaskTest {};

TEST_F(Tasks, are_declared_when_a_tool_supports_tasks) {
    server().tool("plain", "Plain", [] { return 1; });
    EXPECT_FALSE(
        request(peer(), "server/discover", {}).at("result").at("capabilities").as_object().contains("extensions"));
    EXPECT_EQ(code_of(get(peer(), "x")), -32601);
    add_endless_tool();
    const auto found = request(peer(), "server/discover", {}).at("result");
    EXPECT_EQ(violation("2026-07-28", "DiscoverResult", found), "");
    EXPECT_TRUE(found.at("capabilities").at("extensions").as_object().contains("io.modelcontextprotocol/tasks"));
    EXPECT_FALSE(found.at("capabilities").as_object().contains("tasks"));
}

TEST_F(Tasks, extensions_of_server_and_client_are_declared_and_readable) {
    server({.extensions_without_methods = {{"org.example/x", json::object{{"depth", 3}}}}})
        .tool("has", "Has", [](Context& ctx) {
            return std::string(ctx.client_has_extension("org.example/y") ? "y" : "-") +
                   (ctx.client_has_extension("org.example/z") ? "z" : "-");
        });
    Peer& p = peer();
    const auto found = request(p, "server/discover", {}).at("result").at("capabilities").at("extensions");
    EXPECT_EQ(found.at("org.example/x").at("depth").as_int64(), 3);
    const json::object capabilities{
        {"extensions", json::object{{"org.example/y", json::object()}, {"org.example/z", 1}}}};
    EXPECT_EQ(call(p, "has", {}, capabilities).at("result").at("content").at(0).at("text").as_string(), "y-");
}

TEST_F(Tasks, a_call_becomes_a_task_and_another_session_gets_its_result) {
    server().tool("work", "Works", [](Context& ctx) { return ctx.task_id(); }, {.task = TaskSupport::optional});
    Peer& p = peer();
    const auto created =
        call(p, "work", {{"task", json::object{{"ttl", 5}}}}).at("result");  // ignored: `task` belongs to 2025-11-25
    EXPECT_EQ(created.at("resultType").as_string(), "task");
    EXPECT_EQ(created.at("status").as_string(), "working");
    EXPECT_EQ(created.at("createdAt").as_string(), "2027-01-15T08:00:00.000Z");
    EXPECT_EQ(created.at("ttlMs").as_int64(), 3'600'000);
    EXPECT_EQ(created.at("pollIntervalMs").as_int64(), 1000);
    for (const char* absent : {"task", "ttl", "pollInterval", "result", "error", "inputRequests", "requestState"})
        EXPECT_FALSE(created.as_object().contains(absent)) << absent;
    threads_.join();
    const std::string id(created.at("taskId").as_string());
    const auto done = get(peer(), id).at("result");
    EXPECT_EQ(done.at("resultType").as_string(), "complete");
    EXPECT_EQ(done.at("status").as_string(), "completed");
    EXPECT_EQ(done.at("result").at("content").at(0).at("text").as_string(), id);
    EXPECT_EQ(violation("2026-07-28", "CallToolResult", done.at("result")), "");
    EXPECT_FALSE(done.at("result").at("_meta").as_object().contains("io.modelcontextprotocol/related-task"));
    EXPECT_EQ(code_of(request(p, "tasks/result", {{"taskId", id}})), -32601);
    EXPECT_EQ(code_of(request(p, "tasks/list", {})), -32601);
}

TEST_F(Tasks, a_server_without_a_wall_clock_uses_the_clock_of_the_system) {
    server_.emplace("test", "1").tool("work", "Works", [] { return 1; }, {.task = TaskSupport::optional});
    const std::string before = protocol::iso_time(std::chrono::system_clock::now());
    const std::string created(call(peer(), "work").at("result").at("createdAt").as_string());
    EXPECT_LE(before, created);
    EXPECT_LE(created, protocol::iso_time(std::chrono::system_clock::now()));
}

TEST_F(Tasks, a_tool_error_completes_the_task_and_a_protocol_error_fails_it) {
    server();
    server_->tool("sad", "Fails", []() -> std::string { throw std::runtime_error("no"); },
                  {.task = TaskSupport::required});
    server_->tool("broken", "Breaks",
                  []() -> std::string {
                      throw ProtocolError({code::internal_error, "crashed"});
                  },
                  {.task = TaskSupport::optional});
    Peer& p = peer();
    const std::string sad = start(p, "sad"), broken = start(p, "broken");
    threads_.join();
    const auto completed = get(p, sad).at("result");
    EXPECT_EQ(completed.at("status").as_string(), "completed");
    EXPECT_TRUE(completed.at("result").at("isError").as_bool());
    const auto failed = get(p, broken).at("result");
    EXPECT_EQ(failed.at("status").as_string(), "failed");
    EXPECT_EQ(failed.at("error").at("code").as_int64(), -32603);
    EXPECT_EQ(failed.at("error").at("message").as_string(), "crashed");
    EXPECT_EQ(failed.at("statusMessage").as_string(), "crashed");
    EXPECT_FALSE(failed.as_object().contains("result"));
}

TEST_F(Tasks, without_the_extension_an_optional_task_runs_as_a_call_and_a_required_one_is_refused) {
    server().tool("work", "Works", [](Context& ctx) { return ctx.become_task() ? "task" : "call"; },
                  {.task = TaskSupport::optional});
    server_->tool("must", "Must", [] { return 1; }, {.task = TaskSupport::required});
    Peer& p = peer();
    const auto plain = call(p, "work", {}, {}).at("result");
    EXPECT_EQ(plain.at("resultType").as_string(), "complete");
    EXPECT_EQ(plain.at("content").at(0).at("text").as_string(), "call");
    const json::object legacy{{"tasks", json::object{{"requests", json::object()}}}};
    for (const auto& answer :
         {call(p, "must", {}, legacy), request(p, "tasks/get", {{"taskId", "x"}}, {}),
          request(p, "tasks/update", {{"taskId", "x"}}, {}), request(p, "tasks/cancel", {{"taskId", "x"}}, {}),
          request(p, "subscriptions/listen", {{"notifications", json::object{{"taskIds", json::array{"x"}}}}}, {})}) {
        EXPECT_EQ(code_of(answer), -32021);
        EXPECT_TRUE(answer.at("error")
                        .at("data")
                        .at("requiredCapabilities")
                        .at("extensions")
                        .as_object()
                        .contains("io.modelcontextprotocol/tasks"));
        EXPECT_EQ(violation("2026-07-28", "MissingRequiredClientCapabilityError", answer), "");
    }
}

TEST_F(Tasks, unknown_ids_are_invalid_params) {
    server();
    add_endless_tool();
    Peer& p = peer();
    EXPECT_EQ(code_of(get(p, "x")), -32602);
    EXPECT_EQ(code_of(request(p, "tasks/cancel", {{"taskId", "x"}})), -32602);
    EXPECT_EQ(code_of(request(p, "tasks/update", {{"taskId", "x"}, {"inputResponses", json::object()}})), -32602);
    EXPECT_EQ(code_of(request(p, "tasks/update", {{"taskId", "x"}})), -32602);
    EXPECT_EQ(code_of(request(p, "tasks/get", {{"taskId", 5}})), -32602);
    EXPECT_EQ(code_of(request(p, "tasks/get", {})), -32602);
}

TEST_F(Tasks, cancelling_stops_the_handler_and_can_be_repeated) {
    server();
    add_endless_tool();
    Peer& p = peer();
    const std::string id = start(p, "endless");
    EXPECT_EQ(get(p, id).at("result").at("status").as_string(), "working");
    for (int i = 0; i < 2; ++i) {
        const json::object acknowledged = request(peer(), "tasks/cancel", {{"taskId", id}}).at("result").as_object();
        EXPECT_EQ(acknowledged.at("resultType").as_string(), "complete");
        EXPECT_EQ(acknowledged.size(), 2u);  // resultType and _meta
        threads_.join();                     // the handler was stopped, and its result is too late
        EXPECT_EQ(get(p, id).at("result").at("status").as_string(), "cancelled");
    }
}

TEST_F(Tasks, running_and_finished_tasks_expire) {
    Limits limits;
    limits.task_ttl = 10s;
    server({.limits = limits}).tool("quick", "Quick", [] { return 1; }, {.task = TaskSupport::optional});
    add_endless_tool();
    Peer& p = peer();
    const std::string quick = start(p, "quick"), endless = start(p, "endless");
    ASSERT_TRUE(p.session().next_deadline());
    pass(9'999ms);
    EXPECT_EQ(get(p, endless).at("result").at("status").as_string(), "working");
    pass(1ms);
    p.session().tick();
    threads_.join();  // the handler was stopped
    EXPECT_EQ(code_of(get(p, quick)), -32602);
    EXPECT_EQ(code_of(get(p, endless)), -32602);
    EXPECT_FALSE(p.session().next_deadline());
}

TEST_F(Tasks, tasks_over_max_tasks_are_refused) {
    Limits limits;
    limits.max_tasks = 1;
    server({.limits = limits});
    add_endless_tool();
    Peer& p = peer();
    start(p, "endless");
    const auto refused = call(p, "endless");
    EXPECT_EQ(code_of(refused), -32603);
    EXPECT_EQ(refused.at("error").at("message").as_string(),
              "Too many tasks: the limit is 1; call again when some have expired");
    pass(1h);
    EXPECT_EQ(call(p, "endless").at("result").at("resultType").as_string(), "task");
}

TEST_F(Tasks, tasks_over_max_tasks_per_owner_are_refused) {
    Limits limits;
    limits.max_tasks_per_owner = 1;
    server({.limits = limits});
    add_endless_tool();
    start(peer({.owner = "ada"}), "endless");
    const auto refused = call(peer({.owner = "ada"}), "endless");
    EXPECT_EQ(refused.at("error").at("message").as_string(),
              "Too many tasks of this client: the limit is 1; call again when some have expired");
    start(peer({.owner = "bob"}), "endless");
    start(peer(), "endless"), start(peer(), "endless");  // anonymous callers have no limit of their own
    pass(1h);
    start(peer({.owner = "ada"}), "endless");
}

TEST_F(Tasks, a_call_refused_by_middleware_creates_no_task) {
    Limits limits;
    limits.max_tasks = 1;
    server({.limits = limits});
    add_endless_tool();
    server_->tool("quick", "Quick", [] { return "done"; }, {.task = TaskSupport::optional});
    std::atomic<int> passed = 0;
    server_->use([&](Context&, const Request& request, Next next) {
        if (request.name == "endless") return std::move(next).refuse({-7, "not today"});
        std::move(next).run([&](const Outcome& outcome) { passed += outcome.error ? 0 : 1; });
    });
    Peer& p = peer();
    EXPECT_EQ(code_of(call(p, "endless")), -7);
    EXPECT_EQ(call(p, "quick").at("result").at("resultType").as_string(), "task")
        << "the refused call must not count as a task";
    threads_.join();
    EXPECT_EQ(passed, 1);
}

TEST_F(Tasks, tasks_are_visible_only_to_their_owner) {
    server();
    add_endless_tool();
    const std::string id = start(peer({.owner = "ada"}), "endless");
    EXPECT_EQ(get(peer({.owner = "ada"}), id).at("result").at("taskId").as_string(), id);
    for (const char* other : {"", "bob"}) {
        Peer& foreign = peer({.owner = other});
        EXPECT_EQ(code_of(get(foreign, id)), -32602);
        EXPECT_EQ(code_of(request(foreign, "tasks/cancel", {{"taskId", id}})), -32602);
        EXPECT_FALSE(watch(foreign, id).at("params").at("notifications").as_object().contains("taskIds"));
    }
}

TEST_F(Tasks, tasks_end_with_their_session_unless_keep_tasks_is_set) {
    server();
    add_endless_tool();
    Peer& one = peer();
    Peer& two = peer({.keep_tasks = true});
    const std::string ended = start(one, "endless"), kept = start(two, "endless");
    one.session().shut_down("over");
    two.session().shut_down("over");
    EXPECT_EQ(get(peer(), ended).at("result").at("status").as_string(), "cancelled");
    EXPECT_EQ(get(peer(), kept).at("result").at("status").as_string(), "working");
}

}  // namespace
}  // namespace tenon
