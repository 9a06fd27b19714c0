// Three nodes whose clocks differ by a minute, and that share tasks in a store.
#pragma once

#include "cluster/cluster_world.hpp"
#include "cluster/slow_tasks.hpp"
#include "protocol/write_task.hpp"

namespace tenon::test {

struct TaskCluster : testing::Test {
    TaskCluster() {
        for (Node* node : {&a, &b, &c}) {
            const auto hold = [node](Context& ctx, Reply<std::string> reply) {
                node->held.push_back({std::move(reply), ctx});
            };
            node->server.tool("work", "Works until the test ends it", hold, {.task = TaskSupport::optional});
            node->server.tool("become", "Becomes a task by itself",
                              [node](Context& ctx, Reply<std::string> reply) {
                                  ctx.become_task();
                                  node->held.push_back({std::move(reply), ctx});
                              },
                              {.task = TaskSupport::optional, .task_start = TaskStart::by_handler});
            node->server.tool("asks", "Asks the user",
                              [](Context& ctx, Reply<std::string> reply) {
                                  auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
                                  ctx.async_elicit(
                                      "Who?", form, make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                                          if (!answer) return std::move(*kept).send(answer.error());
                                          std::move(*kept).send(std::string(answer->content.at("name").as_string()));
                                      }),
                                      "who");
                              },
                              {.task = TaskSupport::required});
        }
    }

    void run_all() { run_handlers({&a, &b, &c}); }
    /// Lets time pass, in steps as the clock of a server, on these nodes only. The others do not run.
    void advance(Duration time, std::initializer_list<Node*> nodes) {
        for (Duration step = seconds(1); time > Duration::zero(); time -= step) {
            now += step;
            for (Node* node : nodes) (*node)->advance(step);
        }
    }
    void advance(Duration time) { advance(time, {&a, &b, &c}); }

    static json::object meta() {
        return modern_meta({{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}},
                            {"elicitation", json::object()}});
    }
    /// Starts a task without a session, and returns its id.
    std::string start(Node& node, std::string_view tool, const std::string& fields = ann) {
        const Sent sent = node->post_alone(tool_request(1, tool, {}, meta()), fields);
        run_all();
        return std::string(sent.answer().at("result").at("taskId").as_string());
    }
    static Sent ask(Node& node, std::string_view method, const std::string& id, const std::string& fields = ann,
                    json::object more = {}) {
        json::object params = std::move(more);
        params["taskId"] = id;
        params["_meta"] = meta();
        return node->post_alone(request(2, method, std::move(params)), "Mcp-Name: " + id + "\r\n" + fields);
    }
    static json::object state(Node& node, const std::string& id, const std::string& fields = ann) {
        return ask(node, "tasks/get", id, fields).answer().at("result").as_object();
    }
    static std::string status(Node& node, const std::string& id, const std::string& fields = ann) {
        return std::string(state(node, id, fields).at("status").as_string());
    }
    /// Starts a task in a session (2025-11-25), and returns its id.
    std::string start_in(Node& node, const std::string& session, std::string_view tool = "work",
                         const std::string& fields = {}) {
        json::object call = tool_request(1, tool);
        call["params"].as_object()["task"] = json::object();
        const Sent sent = node->post(call, HttpWorld::in_session(session) + fields);
        run_all();
        return std::string(sent.answer().at("result").at("task").at("taskId").as_string());
    }
    static Sent ask_in(Node& node, const std::string& session, std::string_view method, const std::string& id,
                       const std::string& fields = {}) {
        return node->post(request(2, method, {{"taskId", id}}), HttpWorld::in_session(session) + fields);
    }
    /// Lets the lease of a task run out, as after lease_time without a sign of its node.
    void end_lease(const std::string& id) {
        const auto found = answer_of<store::StoredTask>([&](auto r) { store->tasks().load(id, std::move(r)); });
        ASSERT_TRUE(found);
        ASSERT_TRUE(answer_of<void>(
            [&](auto r) { store->tasks().extend(id, found->token, std::chrono::milliseconds(0), std::move(r)); }));
    }

    WallTime now{std::chrono::hours(24 * 365)};
    std::function<WallTime()> clock(minutes ahead) {
        return [this, ahead] { return now + ahead; };
    }
    const std::shared_ptr<TaskTestStore> store =
        std::make_shared<TaskTestStore>(memory_store({.clock = [this] { return now; }}));
    Node a{store, "a", nothing_else, clock(minutes(0))}, b{store, "b", nothing_else, clock(minutes(1))},
        c{store, "c", nothing_else, clock(minutes(-1))};
};

}  // namespace tenon::test
