// Questions and progress of a running task of 2026-07-28.
#include <semaphore>

#include "unit/runtime/modern_task_fixture.hpp"

namespace tenon {
namespace {

class TaskInput : public ModernTaskTest {};

TEST_F(TaskInput, a_task_can_be_answered_in_parts_and_its_handler_resumes) {
    server().tool("both", "Asks",
                  [](Context& ctx) {
                      auto [a, b] = ctx.ask_all(ask::form<Name>("A?", "a"), ask::form<Name>("B?"));
                      const auto again = ctx.elicit<Name>("Again?", "a");
                      return a->name + b->name + again->name;
                  },
                  {.task = TaskSupport::optional});
    Peer& p = peer();
    const std::string id = start(p, "both");
    watch(p, id);
    auto state = until(p, "input_required");
    EXPECT_EQ(state.at("inputRequests").at("a").at("method").as_string(), "elicitation/create");
    EXPECT_EQ(violation("2026-07-28", "ElicitRequest", state.at("inputRequests").at("a")), "");
    EXPECT_EQ(get(p, id).at("result").at("inputRequests"), state.at("inputRequests"));
    const auto update = [&](json::object responses) {
        return request(peer(), "tasks/update", {{"taskId", id}, {"inputResponses", std::move(responses)}});
    };
    EXPECT_EQ(code_of(update({{"a", 5}, {"input-2", accept("x")}})), -32602);
    EXPECT_EQ(update({{"unknown", 5}}).at("result").at("resultType").as_string(), "complete");
    update({{"a", accept("1")}});
    const auto part = get(p, id).at("result");
    EXPECT_EQ(part.at("status").as_string(), "input_required");
    EXPECT_FALSE(part.at("inputRequests").as_object().contains("a"));
    EXPECT_TRUE(part.at("inputRequests").as_object().contains("input-2"));
    update({{"a", accept("late")}, {"input-2", accept("2")}});
    until(p, "working");
    state = until(p, "input_required");
    EXPECT_TRUE(state.at("inputRequests").as_object().contains("a-2"));  // a key is never used for a second question
    update({{"a-2", accept("3")}});
    state = until(p, "completed");
    EXPECT_EQ(state.at("result").at("content").at(0).at("text").as_string(), "123");
    EXPECT_TRUE(state.at("_meta").as_object().contains("io.modelcontextprotocol/subscriptionId"));
}

TEST_F(TaskInput, a_question_without_the_client_capability_fails_the_task) {
    server().tool("ask", "Asks", [](Context& ctx) { return ctx.sample("x").text(); }, {.task = TaskSupport::optional});
    Peer& p = peer();
    const std::string id = start(p, "ask");
    threads_.join();
    EXPECT_EQ(get(p, id).at("result").at("error").at("code").as_int64(), -32021);
}

// The request that carried the answer has ended, and its memory was freed.
TEST_F(TaskInput, an_answer_outlives_the_request_that_carried_it) {
    json::object input;
    bool on_the_heap = false;
    server().tool("ask", "Asks",
                  [&](Context& ctx) {
                      const SampleResult answer = ctx.sample("x");
                      const auto& use = std::get<ToolUse>(answer.content.at(0));
                      on_the_heap = *use.input.storage() == *json::storage_ptr();
                      input = use.input;
                  },
                  {.task = TaskSupport::optional});
    Peer& p = peer();
    json::object samples = with_tasks;
    samples["sampling"] = json::object();
    const auto begun = call(p, "ask", {}, samples).at("result");
    const std::string id(begun.at("taskId").as_string());
    watch(p, id);
    until(p, "input_required");
    const json::object given{{"a", std::string(5000, 'a')}};
    const json::object use{{"type", "tool_use"}, {"id", "1"}, {"name", "n"}, {"input", given}};
    const json::object answer{{"role", "assistant"}, {"model", "m"}, {"content", use}};
    request(p, "tasks/update", {{"taskId", id}, {"inputResponses", json::object{{"input-1", answer}}}});
    threads_.join();
    EXPECT_EQ(input, given);
    EXPECT_TRUE(on_the_heap);
}

TEST_F(TaskInput, cancelling_a_task_fails_its_open_question) {
    std::string heard;
    server().tool("ask", "Asks",
                  [&](Context& ctx) {
                      try {
                          ctx.elicit<Name>("Who?");
                      } catch (const Exception& e) {
                          heard = e.what();
                      }
                  },
                  {.task = TaskSupport::optional});
    Peer& p = peer();
    const std::string id = start(p, "ask");
    watch(p, id);
    until(p, "input_required");
    request(p, "tasks/cancel", {{"taskId", id}});
    threads_.join();
    EXPECT_EQ(heard, "the client cancelled the task");
    EXPECT_FALSE(get(p, id).at("result").as_object().contains("inputRequests"));
}

TEST_F(TaskInput, a_handler_can_ask_before_it_becomes_a_task) {
    server().tool("later", "Later",
                  [](Context& ctx) {
                      const auto who = ctx.elicit<Name>("Who?", "who");
                      ctx.become_task();
                      return "Hello, " + who->name;
                  },
                  {.task = TaskSupport::required, .task_start = TaskStart::by_handler});
    Peer& p = peer();
    const auto first = call(p, "later").at("result");
    EXPECT_EQ(first.at("resultType").as_string(), "input_required");
    EXPECT_FALSE(first.as_object().contains("taskId"));
    const auto second =
        call(p, "later",
             {{"inputResponses", json::object{{"who", accept("Ada")}}}, {"requestState", first.at("requestState")}})
            .at("result");
    EXPECT_EQ(second.at("resultType").as_string(), "task");
    EXPECT_FALSE(second.as_object().contains("requestState"));
    threads_.join();
    const auto done = get(p, std::string(second.at("taskId").as_string())).at("result");
    EXPECT_EQ(done.at("result").at("content").at(0).at("text").as_string(), "Hello, Ada");
}

TEST_F(TaskInput, a_cancelled_call_cannot_become_a_task) {
    std::string heard;
    std::binary_semaphore runs(0);
    server().tool("late", "Late",
                  [&](Context& ctx) {
                      runs.release();
                      std::mutex mutex;
                      std::condition_variable_any stopped;
                      std::unique_lock lock(mutex);
                      stopped.wait(lock, ctx.stop_token(), [] { return false; });
                      try {
                          ctx.become_task();
                      } catch (const Exception& e) {
                          heard = e.what();
                      }
                  },
                  {.task = TaskSupport::optional, .task_start = TaskStart::by_handler});
    Peer& p = peer();
    const auto id = p.send("tools/call", {{"name", "late"}, {"_meta", meta()}});
    runs.acquire();
    p.receive({{"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", json::object{{"requestId", id}}}});
    threads_.join();
    EXPECT_EQ(heard, "the request is over, so it cannot become a task");
    EXPECT_FALSE(p.session().next_deadline());  // no task was created
}

TEST_F(TaskInput, progress_is_a_status_message_and_logs_are_not_sent) {
    server();
    server_->tool("report", "Reports",
                  [](Context& ctx) {
                      ctx.progress(1, 2, "half");
                      ctx.error("loud");
                      ctx.elicit<Name>("Go on?", "go");
                      return "done";
                  },
                  {.task = TaskSupport::optional});
    Peer& p = peer();
    json::object m = meta();
    m["progressToken"] = "t";
    m["io.modelcontextprotocol/logLevel"] = "debug";
    const auto created = p.ask("tools/call", {{"name", "report"}, {"_meta", m}}).at("result");
    watch(p, std::string(created.at("taskId").as_string()));
    EXPECT_EQ(until(p, "input_required").at("statusMessage").as_string(), "half");
    for (const auto& message : p.heard()) EXPECT_EQ(message.at("method").as_string(), "notifications/tasks");
}

}  // namespace
}  // namespace tenon
