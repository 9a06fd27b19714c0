// The experimental tasks of 2025-11-25: the client requests them, and they belong to its session.
#include "unit/runtime/task_fixture.hpp"

namespace tenon {
namespace {

class LegacyTasks : public TaskTest {
 protected:
    Peer& session(SessionOptions options = {}, const char* revision = "2025-11-25") {
        Peer& p = peer(std::move(options));
        introduction_ = p.ask("initialize", {{"protocolVersion", revision},
                                             {"capabilities", json::object{{"elicitation", json::object()}}},
                                             {"clientInfo", json::object{{"name", "t"}, {"version", "1"}}}})
                            .at("result");
        p.receive({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
        return p;
    }
    static json::value call(Peer& p, std::string_view tool, json::object task = {}) {
        return p.ask("tools/call", {{"name", tool}, {"task", std::move(task)}});
    }
    static std::string start(Peer& p, std::string_view tool) {
        return std::string(call(p, tool).at("result").at("task").at("taskId").as_string());
    }
    static json::value get(Peer& p, const std::string& id) { return p.ask("tasks/get", {{"taskId", id}}); }
    static std::string related(const json::value& meta_owner) {
        return std::string(meta_owner.at("_meta").at("io.modelcontextprotocol/related-task").at("taskId").as_string());
    }
    static std::string wrong(std::string_view definition, const json::value& v) {
        return violation("2025-11-25", definition, v);
    }

    json::value introduction_;
};

TEST_F(LegacyTasks, are_declared_when_a_tool_supports_tasks) {
    server().tool("plain", "Plain", [] { return 1; });
    session();
    EXPECT_FALSE(introduction_.at("capabilities").as_object().contains("tasks"));
    add_endless_tool(TaskSupport::required);
    Peer& p = session();
    EXPECT_TRUE(introduction_.at("capabilities").at("tasks").at("requests").at("tools").as_object().contains("call"));
    EXPECT_FALSE(introduction_.at("capabilities").as_object().contains("extensions"));
    EXPECT_EQ(wrong("InitializeResult", introduction_), "");
    const auto tools = p.ask("tools/list", {}).at("result");
    EXPECT_EQ(wrong("ListToolsResult", tools), "");
    EXPECT_FALSE(tools.at("tools").at(0).as_object().contains("execution"));
    EXPECT_EQ(tools.at("tools").at(1).at("execution").at("taskSupport").as_string(), "required");
    Peer& old = session({}, "2025-06-18");
    EXPECT_FALSE(introduction_.at("capabilities").as_object().contains("tasks"));
    EXPECT_FALSE(old.ask("tools/list", {}).at("result").at("tools").at(1).as_object().contains("execution"));
    EXPECT_EQ(code_of(old.ask("tasks/get", {{"taskId", "x"}})), -32601);
}

TEST_F(LegacyTasks, a_call_becomes_a_task_if_the_client_asks_and_the_tool_allows_it) {
    server().tool("no", "No", [] { return "called"; });
    server_->tool("may", "May", [] { return "called"; }, {.task = TaskSupport::optional});
    server_->tool("must", "Must", [] { return "called"; }, {.task = TaskSupport::required});
    Peer& p = session();
    EXPECT_EQ(code_of(call(p, "no")), -32601);
    EXPECT_EQ(code_of(p.ask("tools/call", {{"name", "must"}})), -32601);
    EXPECT_EQ(code_of(p.ask("tools/call", {{"name", "may"}, {"task", 5}})), -32602);
    EXPECT_EQ(code_of(call(p, "may", {{"ttl", "long"}})), -32602);
    EXPECT_EQ(code_of(call(p, "may", {{"ttl", -1}})), -32602);
    EXPECT_TRUE(p.ask("tools/call", {{"name", "may"}}).at("result").as_object().contains("content"));
    EXPECT_EQ(wrong("CreateTaskResult", call(p, "must").at("result")), "");
}

TEST_F(LegacyTasks, the_task_member_is_ignored_if_no_tool_supports_tasks) {
    server().tool("no", "No", [] { return "called"; });
    EXPECT_TRUE(call(session(), "no").at("result").as_object().contains("content"));
}

TEST_F(LegacyTasks, the_clients_ttl_is_used_within_limits) {
    server();
    add_endless_tool();
    Peer& p = session();
    const auto ttl = [&](json::object task) {
        return call(p, "endless", std::move(task)).at("result").at("task").at("ttl").as_int64();
    };
    EXPECT_EQ(ttl({{"ttl", 60'000}}), 60'000);
    EXPECT_EQ(ttl({}), 3'600'000);
    EXPECT_EQ(ttl({{"ttl", 1e300}}), 86'400'000);
    EXPECT_EQ(ttl({{"ttl", 0}}), 1000);
}

TEST_F(LegacyTasks, tasks_result_waits_and_can_be_repeated) {
    std::mutex gate;
    gate.lock();
    server().tool("work", "Works",
                  [&] {
                      const std::lock_guard wait(gate);
                      return "done";
                  },
                  {.task = TaskSupport::optional});
    Peer& p = session();
    const std::string id = start(p, "work");
    const auto first = p.send("tasks/result", {{"taskId", id}});
    EXPECT_EQ(wrong("GetTaskResult", get(p, id).at("result")), "");
    EXPECT_TRUE(p.heard().empty());  // no result yet
    gate.unlock();
    for (const auto& answer : {p.answer(first), p.ask("tasks/result", {{"taskId", id}})}) {
        EXPECT_EQ(answer.at("result").at("content").at(0).at("text").as_string(), "done");
        EXPECT_EQ(related(answer.at("result")), id);
        EXPECT_EQ(wrong("CallToolResult", answer.at("result")), "");
    }
    const auto told = p.message("notifications/tasks/status");
    EXPECT_EQ(told.at("params").at("status").as_string(), "completed");
    EXPECT_EQ(wrong("TaskStatusNotification", told), "");
    EXPECT_EQ(code_of(p.ask("tasks/result", {{"taskId", "x"}})), -32602);
}

TEST_F(LegacyTasks, a_tool_error_and_a_protocol_error_both_fail_the_task) {
    server();
    server_->tool("sad", "Fails", []() -> std::string { throw std::runtime_error("no"); },
                  {.task = TaskSupport::optional});
    server_->tool("broken", "Breaks",
                  []() -> std::string {
                      throw ProtocolError({-32099, "crashed"});
                  },
                  {.task = TaskSupport::optional});
    Peer& p = session();
    const std::string sad = start(p, "sad"), broken = start(p, "broken");
    threads_.join();
    EXPECT_EQ(get(p, sad).at("result").at("status").as_string(), "failed");
    EXPECT_TRUE(p.ask("tasks/result", {{"taskId", sad}}).at("result").at("isError").as_bool());
    EXPECT_EQ(get(p, broken).at("result").at("statusMessage").as_string(), "crashed");
    EXPECT_EQ(code_of(p.ask("tasks/result", {{"taskId", broken}})), -32099);
}

TEST_F(LegacyTasks, cancelling_returns_the_task_and_works_only_once) {
    server();
    add_endless_tool();
    Peer& p = session();
    const std::string id = start(p, "endless");
    const auto waiting = p.send("tasks/result", {{"taskId", id}});
    const auto cancelled = p.ask("tasks/cancel", {{"taskId", id}}).at("result");
    EXPECT_EQ(cancelled.at("status").as_string(), "cancelled");
    EXPECT_EQ(wrong("CancelTaskResult", cancelled), "");
    EXPECT_EQ(code_of(p.answer(waiting)), -32602);
    threads_.join();
    EXPECT_EQ(get(p, id).at("result").at("status").as_string(), "cancelled");
    EXPECT_EQ(code_of(p.ask("tasks/cancel", {{"taskId", id}})), -32602);
}

TEST_F(LegacyTasks, questions_and_progress_name_their_task) {
    server().tool("ask", "Asks",
                  [](Context& ctx) {
                      ctx.progress(1, 2, "half");
                      return ctx.elicit<Name>("Who?")->name;
                  },
                  {.task = TaskSupport::optional});
    Peer& p = session();
    const auto created = p.ask(
        "tools/call", {{"name", "ask"}, {"task", json::object()}, {"_meta", json::object{{"progressToken", "t"}}}});
    const std::string id(created.at("result").at("task").at("taskId").as_string());
    EXPECT_EQ(related(p.message("notifications/progress").at("params")), id);
    const auto question = p.message("elicitation/create");
    EXPECT_EQ(related(question.at("params")), id);
    EXPECT_EQ(wrong("ElicitRequest", question), "");
    EXPECT_EQ(get(p, id).at("result").at("status").as_string(), "input_required");
    p.receive({{"jsonrpc", "2.0"}, {"id", question.at("id")}, {"result", accept("Ada")}});
    EXPECT_EQ(p.ask("tasks/result", {{"taskId", id}}).at("result").at("content").at(0).at("text").as_string(), "Ada");
    threads_.join();
    std::vector<std::string> states;
    for (const auto& m : p.heard()) states.emplace_back(m.at("params").at("status").as_string());
    EXPECT_EQ(states, (std::vector<std::string>{"input_required", "working", "completed"}));
}

TEST_F(LegacyTasks, cancelling_a_task_cancels_its_question) {
    server().tool("ask", "Asks", [](Context& ctx) { return ctx.elicit<Name>("Who?")->name; },
                  {.task = TaskSupport::optional});
    Peer& p = session();
    const std::string id = start(p, "ask");
    const auto question = p.message("elicitation/create");
    p.ask("tasks/cancel", {{"taskId", id}});
    EXPECT_EQ(p.message("notifications/cancelled").at("params").at("requestId"), question.at("id"));
    threads_.join();
    EXPECT_EQ(get(p, id).at("result").at("status").as_string(), "cancelled");
}

TEST_F(LegacyTasks, are_listed_in_pages) {
    Limits limits;
    limits.page_size = 2;
    server({.limits = limits});
    add_endless_tool();
    Peer& p = session();
    std::vector<std::string> ids, seen;
    for (int i = 0; i < 5; ++i) ids.push_back(start(p, "endless"));
    json::object params;
    for (int page = 0; page < 3; ++page) {
        const auto answer = p.ask("tasks/list", params).at("result");
        EXPECT_EQ(wrong("ListTasksResult", answer), "");
        for (const auto& task : answer.at("tasks").as_array()) seen.emplace_back(task.at("taskId").as_string());
        if (page < 2) params["cursor"] = answer.at("nextCursor");
        EXPECT_EQ(answer.as_object().contains("nextCursor"), page < 2);
    }
    EXPECT_EQ(seen, ids);
    EXPECT_EQ(code_of(p.ask("tasks/list", {{"cursor", "forged"}})), -32602);
}

TEST_F(LegacyTasks, are_visible_only_to_their_session) {
    server();
    add_endless_tool();
    Peer& mine = session();
    const std::string id = start(mine, "endless");
    Peer& other = session();
    for (const char* method : {"tasks/get", "tasks/result", "tasks/cancel"})
        EXPECT_EQ(code_of(other.ask(method, {{"taskId", id}})), -32602) << method;
    EXPECT_TRUE(other.ask("tasks/list", {}).at("result").at("tasks").as_array().empty());
    EXPECT_EQ(get(mine, id).at("result").at("status").as_string(), "working");
    mine.ask("tasks/cancel", {{"taskId", id}});
    mine.message("notifications/tasks/status");
    EXPECT_TRUE(other.heard().empty());  // the other session gets no notification either
}

TEST_F(LegacyTasks, are_visible_to_other_sessions_of_the_same_owner) {
    server();
    add_endless_tool();
    const std::string id = start(session({.owner = "ada"}), "endless");
    EXPECT_EQ(get(session({.owner = "ada"}), id).at("result").at("taskId").as_string(), id);
    EXPECT_EQ(code_of(get(session({.owner = "bob"}), id)), -32602);
}

}  // namespace
}  // namespace tenon
