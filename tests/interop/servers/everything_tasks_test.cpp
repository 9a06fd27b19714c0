// Tasks, which are experimental in 2025-11-25. The client has no functions for them, so the tests send the methods by
// name.
#include "everything_fixture.hpp"

namespace tenon::test {
namespace {

json::object research(bool ambiguous) {
    return {{"name", "simulate-research-query"},
            {"arguments", {{"topic", "python"}, {"ambiguous", ambiguous}}},
            {"task", {{"ttl", 60000}}}};
}

TEST_P(Everything, a_task_is_created_listed_and_cancelled) {
    Client c = connected();
    // The tool requires tasks, so the client calls it as one, and waits for its result.
    const ToolResult followed = c.call_tool("simulate-research-query", {{"topic", "python"}});
    EXPECT_FALSE(followed.isError);
    EXPECT_TRUE(contains(text_of(followed), "# Research Report: python")) << text_of(followed);

    const json::value task = c.request("tools/call", research(false)).at("task");
    EXPECT_EQ(task.at("status"), json::value("working"));
    const json::object named = {{"taskId", task.at("taskId")}};
    EXPECT_EQ(c.request("tasks/get", named).at("taskId"), task.at("taskId"));
    EXPECT_EQ(c.request("tasks/list").at("tasks").as_array().size(), 2u);
    EXPECT_EQ(c.request("tasks/cancel", named).at("status"), json::value("cancelled"));
    EXPECT_EQ(c.request("tasks/get", named).at("status"), json::value("cancelled"));
}

// The server's question arrives while `tasks/result` is open. The task continues with the answer.
TEST_P(SlowEverything, a_question_of_a_task_is_answered) {
    Gathered<ElicitRequest> asked;
    ClientOptions o;
    o.on_elicit = [&](const ElicitRequest& request, std::stop_token) {
        asked.put(request);
        return ElicitResult{ElicitAction::accept, {{"interpretation", "snake"}}};
    };
    Client c = connected(std::move(o));
    const json::value task = c.request("tools/call", research(true)).at("task");
    const json::value result = c.request("tasks/result", {{"taskId", task.at("taskId")}});
    EXPECT_TRUE(contains(asked.take().message, "multiple interpretations"));
    const json::value& text = result.at("content").at(0).at("text");
    EXPECT_TRUE(contains(text.as_string(), "# Research Report: python (snake)")) << json::write(text);
}

INSTANTIATE_TEST_SUITE_P(Ways, SlowEverything, ::testing::Values(Way::stdio, Way::http),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace tenon::test
