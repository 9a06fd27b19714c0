// The limits of tasks.
#include "limits/endpoint_limit.hpp"

namespace tenon::test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

struct TaskEndpointLimit : EndpointLimit {
    TaskEndpointLimit() { keeps_tasks = true; }
    Sent begin_task(const std::string& fields = {}) {
        Sent sent = world->post_alone(as_task(), fields);
        world->run_all();
        return sent;
    }
    Sent get(const Sent& created, const std::string& fields = {}) {
        const json::value answer = created.answer();
        const json::object meta =
            modern_meta({{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}}});
        const json::value id = answer.at("result").at("taskId");
        Sent sent = world->post_alone(request(1, "tasks/get", {{"taskId", id}, {"_meta", meta}}),
                                      "Mcp-Name: " + std::string(id.as_string()) + "\r\n" + fields);
        world->run_all();
        return sent;
    }
    static auto by_name() {
        return [](std::string_view who) -> std::optional<std::string> { return std::string(who); };
    }
};

TEST_F(TaskEndpointLimit, max_tasks) {
    HttpWorld& w = start({.max_tasks = 3});
    const std::string other = w.begin();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(begin_task().error(), 0);
    const Sent refused = begin_task();
    EXPECT_TRUE(says(refused, "the limit is 3")) << why(refused);
    expect_others_are_served(other);
}

TEST_F(TaskEndpointLimit, max_tasks_per_owner) {
    HttpWorld& w = start({.max_tasks_per_owner = 2}, {.authenticate = by_name()});
    const std::string ann = "Authorization: ann\r\n", bob = "Authorization: bob\r\n";
    for (int i = 0; i < 2; ++i) EXPECT_EQ(begin_task(ann).error(), 0);
    const Sent refused = begin_task(ann);
    EXPECT_TRUE(says(refused, "the limit is 2")) << why(refused);
    EXPECT_EQ(begin_task(bob).error(), 0) << "another principal has a share of its own";
    const Sent call = w.post_alone(tool_request(1, "echo", {{"message", "x"}}, modern_meta()), bob);
    w.run_all();
    EXPECT_EQ(call.text(), "x");
}

TEST_F(TaskEndpointLimit, task_ttl) {
    HttpWorld& w = start({.max_tasks = 1, .task_ttl = minutes(30)});
    const std::string other = w.begin();
    const Sent created = begin_task();
    EXPECT_EQ(created.answer().at("result").at("ttlMs").as_int64(), 1'800'000);
    wall += minutes(29);
    EXPECT_EQ(get(created).error(), 0);
    EXPECT_NE(begin_task().error(), 0) << "there is room for one";
    wall += minutes(2);
    EXPECT_TRUE(says(get(created), "expired"));
    EXPECT_EQ(begin_task().error(), 0) << "its room is free again";
    expect_others_are_served(other);
}

TEST_F(TaskEndpointLimit, max_task_ttl) {
    HttpWorld& w = start({.max_task_ttl = minutes(2)});
    const std::string session = w.begin("2025-11-25", {{"tasks", json::object()}}), other = w.begin();
    json::object call = tool_request(1, "work");
    call["params"].as_object()["task"] = json::object{{"ttl", 3'600'000}};
    const Sent created = w.post(call, w.in_session(session));
    w.run_all();
    EXPECT_EQ(created.answer().at("result").at("task").at("ttl").as_int64(), 120'000);
    expect_others_are_served(other);
}

TEST_F(TaskEndpointLimit, task_poll_interval) {
    HttpWorld& w = start({.task_poll_interval = milliseconds(1234)});
    const std::string other = w.begin();
    EXPECT_EQ(begin_task().answer().at("result").at("pollIntervalMs").as_int64(), 1234);
    expect_others_are_served(other);
}

}  // namespace
}  // namespace tenon::test
