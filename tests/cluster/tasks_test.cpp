// Tasks that several nodes share, in each kind of store: any node shows, updates and cancels them, for their owner
// only.
#include <tenon/store/open.hpp>

#include "cluster/tasks_world.hpp"
#include "support/redis_server.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::test {
namespace {

struct SharedTasksIn : TaskCluster, testing::WithParamInterface<std::string_view> {
    SharedTasksIn() {
        if (GetParam() == "sqlite")
            store->keep_tasks_in(open_store("sqlite:" + (folder / "state.db").string(), {.clock = clock({})}).value());
        if (GetParam() == "redis" && redis) store->keep_tasks_in(open_store(redis->url()).value());
    }
    void SetUp() override {
        if (GetParam() == "redis" && !redis) GTEST_SKIP() << "redis-server is not installed";
    }

    const TemporaryFolder folder;
    const std::unique_ptr<RedisServer> redis =
        GetParam() == "redis" && RedisServer::is_installed() ? std::make_unique<RedisServer>() : nullptr;
};

INSTANTIATE_TEST_SUITE_P(Stores, SharedTasksIn, testing::Values("memory", "sqlite", "redis"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(SharedTasksIn, any_node_shows_a_task_and_its_result) {
    const std::string id = start(a, "work");
    for (Node* node : {&a, &b, &c}) EXPECT_EQ(status(*node, id), "working");
    a.release("done");
    for (Node* node : {&a, &b, &c}) {
        const json::object task = state(*node, id);
        EXPECT_EQ(task.at("status"), "completed");
        EXPECT_EQ(task.at("result").at("content").at(0).at("text"), "done");
    }
}

TEST_P(SharedTasksIn, a_session_uses_its_tasks_on_any_node) {
    const std::string session = a->begin();
    const std::string id = start_in(a, session);
    EXPECT_EQ(ask_in(b, session, "tasks/get", id).answer().at("result").at("status"), "working");
    const Sent result = ask_in(c, session, "tasks/result", id);
    EXPECT_FALSE(result.over());
    a.release("done");
    EXPECT_EQ(result.text(), "done");
    EXPECT_EQ(result.answer().at("result").at("_meta").at("io.modelcontextprotocol/related-task").at("taskId"),
              id.c_str());
    EXPECT_EQ(ask_in(b, session, "tasks/result", id).text(), "done");
    const std::string second = start_in(b, session);
    const json::value list =
        c->post(request(3, "tasks/list"), HttpWorld::in_session(session)).answer().at("result").at("tasks");
    ASSERT_EQ(list.as_array().size(), 2U);
    EXPECT_EQ(list.at(0).at("taskId"), id.c_str());
    EXPECT_EQ(list.at(1).at("taskId"), second.c_str());
}

TEST_P(SharedTasksIn, every_node_checks_the_owner_every_time) {
    const std::string id = start(a, "asks");
    for (Node* node : {&a, &b, &c}) {
        for (const char* method : {"tasks/get", "tasks/cancel"})
            EXPECT_EQ(ask(*node, method, id, bob).error(), code::invalid_params) << method;
        EXPECT_EQ(
            ask(*node, "tasks/update", id, bob, {{"inputResponses", json::object{{"who", json::object()}}}}).error(),
            code::invalid_params);
        const std::string session = (*node)->begin("2025-11-25", {}, bob);
        for (const char* method : {"tasks/get", "tasks/cancel", "tasks/result"})
            EXPECT_EQ(ask_in(*node, session, method, id, bob).error(), code::invalid_params) << method;
        const Sent list = (*node)->post(request(3, "tasks/list"), HttpWorld::in_session(session) + bob);
        EXPECT_TRUE(list.answer().at("result").at("tasks").as_array().empty());
    }
    EXPECT_EQ(status(b, id), "input_required") << "nothing has changed";
}

TEST_P(SharedTasksIn, the_tasks_of_an_anonymous_session_belong_to_it) {
    const std::string mine = a->begin(), other = a->begin();
    const std::string id = start_in(a, mine);
    for (const char* method : {"tasks/get", "tasks/cancel", "tasks/result"})
        EXPECT_EQ(ask_in(b, other, method, id).error(), code::invalid_params) << method;
    EXPECT_EQ(ask_in(b, mine, "tasks/get", id).answer().at("result").at("status"), "working");
}

TEST_P(SharedTasksIn, a_cancellation_on_another_node_stops_the_handler) {
    const std::string id = start(a, "work");
    EXPECT_EQ(ask(b, "tasks/cancel", id).status(), 200);
    EXPECT_TRUE(a.held.front().context.cancelled());
    EXPECT_EQ(status(c, id), "cancelled");
    a.release("too late");
    EXPECT_EQ(status(c, id), "cancelled");
    EXPECT_FALSE(state(c, id).contains("result"));
}

TEST_P(SharedTasksIn, a_session_learns_the_state_of_a_cancelled_task) {
    const std::string session = a->begin();
    const std::string id = start_in(a, session);
    EXPECT_EQ(ask_in(b, session, "tasks/cancel", id).answer().at("result").at("status"), "cancelled");
    EXPECT_TRUE(a.held.front().context.cancelled());
    EXPECT_EQ(ask_in(c, session, "tasks/cancel", id).error(), code::invalid_params) << "it is cancelled already";
    const std::string done = start_in(b, session);
    b.release("done");
    EXPECT_EQ(ask_in(a, session, "tasks/cancel", done).error(), code::invalid_params);
    EXPECT_EQ(ask_in(a, session, "tasks/result", done).text(), "done");
}

TEST_P(SharedTasksIn, a_question_is_answered_on_another_node) {
    const std::string id = start(a, "asks");
    const json::object asked = state(b, id);
    EXPECT_EQ(asked.at("status"), "input_required");
    EXPECT_TRUE(asked.at("inputRequests").as_object().contains("who"));
    const auto answers = [](std::string_view name) {
        return json::object{
            {"inputResponses",
             json::object{{"who", json::object{{"action", "accept"}, {"content", json::object{{"name", name}}}}}}}};
    };
    EXPECT_EQ(ask(b, "tasks/update", id, ann, {{"inputResponses", json::object{{"who", 1}}}}).error(),
              code::invalid_params);
    EXPECT_EQ(ask(b, "tasks/update", id, ann, answers("Zoe")).status(), 200);
    run_all();
    EXPECT_EQ(ask(c, "tasks/update", id, ann, answers("Eve")).status(), 200) << "a second answer has no effect";
    const json::object done = state(c, id);
    EXPECT_EQ(done.at("status"), "completed");
    EXPECT_EQ(done.at("result").at("content").at(0).at("text"), "Zoe");
}

TEST_P(SharedTasksIn, a_task_of_a_dead_node_fails_with_the_reason) {
    const std::string id = start(a, "work"), other = start(b, "work");
    end_lease(id);
    advance(2 * SharedTasks::lease_interval, {&b, &c});
    for (Node* node : {&b, &c}) {
        const json::object task = state(*node, id);
        EXPECT_EQ(task.at("status"), "failed");
        EXPECT_NE(std::string(task.at("error").at("message").as_string()).find("node"), std::string::npos);
    }
    EXPECT_EQ(status(c, other), "working");
    // The node was only slow: what it writes now is refused.
    a.release("late");
    EXPECT_EQ(status(b, id), "failed");
    EXPECT_FALSE(state(b, id).contains("result"));
}

TEST_P(SharedTasksIn, a_node_that_lost_the_lease_stops_the_handler) {
    const std::string id = start(a, "work");
    end_lease(id);
    // Takes the lease as another node does, but its announcement is lost.
    ASSERT_TRUE(answer_of<store::StoredTask>(
        [&](auto r) { store->tasks().take_over(id, "z", SharedTasks::lease_time, std::move(r)); }));
    EXPECT_FALSE(a.held.front().context.cancelled());
    advance(SharedTasks::lease_interval, {&a});
    EXPECT_TRUE(a.held.front().context.cancelled());
}

TEST_P(SharedTasksIn, a_handler_that_becomes_a_task_by_itself_is_shared) {
    const std::string id = start(a, "become");
    EXPECT_EQ(status(b, id), "working");
    a.release("done");
    EXPECT_EQ(state(c, id).at("result").at("content").at(0).at("text"), "done");
}

TEST_P(SharedTasksIn, progress_is_shown_by_other_nodes) {
    const std::string id = start(a, "work");
    a.held.front().context.progress(1, 2, "half done");
    EXPECT_EQ(state(b, id).at("statusMessage"), "half done");
}

// The process was killed, and started again with the same file.
TEST_F(TaskCluster, tasks_survive_a_restart_in_a_file) {
    const TemporaryFolder folder;
    const auto open = [&] {
        return open_store("sqlite:" + (folder / "state.db").string(), {.clock = clock(minutes(0))}).value();
    };
    store->keep_tasks_in(open());
    const std::string done = start(a, "work");
    a.release("done");
    const std::string running = start(a, "work");
    store->keep_tasks_in(nullptr);
    store->keep_tasks_in(open());
    EXPECT_EQ(state(b, done).at("result").at("content").at(0).at("text"), "done");
    EXPECT_EQ(status(b, running), "working") << "its lease is valid";
    advance(SharedTasks::lease_time + 2 * SharedTasks::lease_interval, {&b});
    EXPECT_EQ(status(b, running), "failed");
}

}  // namespace
}  // namespace tenon::test
