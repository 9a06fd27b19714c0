// Shared tasks over time and when something fails: leases, limits, lost stores, ended sessions, and notifications.
#include "cluster/tasks_world.hpp"

namespace tenon::test {
namespace {

TEST_F(TaskCluster, a_task_of_a_silent_node_fails_without_a_request) {
    const std::string id = start(a, "work");
    const std::string session = b->begin("2025-11-25", {}, ann);
    const Sent result = ask_in(b, session, "tasks/result", id, ann);
    advance(SharedTasks::lease_time - seconds(1), {&b, &c});
    EXPECT_FALSE(result.over()) << "the lease is valid";
    advance(seconds(1) + 3 * SharedTasks::lease_interval, {&b, &c});
    ASSERT_TRUE(result.over()) << "the waiting request was told";
    EXPECT_EQ(result.error(), code::internal_error);
}

TEST_F(TaskCluster, a_living_node_keeps_its_tasks_though_clocks_differ) {
    const std::string id = start(b, "work"), other = start(c, "work");
    advance(minutes(3));
    EXPECT_EQ(status(a, id), "working");
    EXPECT_EQ(status(a, other), "working");
    EXPECT_FALSE(b.held.front().context.cancelled());
    b.release("done");
    EXPECT_EQ(status(a, id), "completed");
}

TEST_F(TaskCluster, a_task_expires_by_the_clock_of_the_store) {
    const std::string session = b->begin();
    json::object call = tool_request(1, "work");
    call["params"].as_object()["task"] = json::object{{"ttl", 90'000}};
    const Sent sent = b->post(call, HttpWorld::in_session(session));
    run_all();
    const std::string id(sent.answer().at("result").at("task").at("taskId").as_string());
    advance(seconds(89));
    EXPECT_EQ(ask_in(c, session, "tasks/get", id).error(), 0) << "the clock of node b is two minutes ahead of node c";
    EXPECT_FALSE(b.held.front().context.cancelled());
    advance(seconds(1));
    EXPECT_EQ(ask_in(c, session, "tasks/get", id).error(), code::invalid_params);
    EXPECT_TRUE(b.held.front().context.cancelled()) << "its handler is stopped";
}

TEST_F(TaskCluster, requests_about_tasks_get_503_while_the_store_fails_and_others_are_served) {
    const std::string id = start(a, "work");
    const std::string session = a->begin();
    const std::string legacy = start_in(a, session);
    store->gate.broken = true;
    std::vector<Sent> refused;
    for (const char* method : {"tasks/get", "tasks/cancel"}) refused.push_back(ask(b, method, id));
    refused.push_back(ask(b, "tasks/update", id, ann, {{"inputResponses", json::object()}}));
    for (const char* method : {"tasks/get", "tasks/cancel", "tasks/result"})
        refused.push_back(ask_in(a, session, method, legacy));
    refused.push_back(a->post(request(3, "tasks/list"), HttpWorld::in_session(session)));
    refused.push_back(a->post_alone(tool_request(1, "work", {}, meta()), ann));
    refused.push_back(a->post_alone(tool_request(1, "become", {}, meta()), ann));
    refused.push_back(
        b->post_alone(request(1, "subscriptions/listen",
                              {{"_meta", meta()}, {"notifications", json::object{{"taskIds", json::array{id}}}}})));
    run_all();
    for (const Sent& sent : refused) {
        EXPECT_EQ(sent.status(), 503);
        EXPECT_EQ(sent.writer->field("Retry-After"), "1");
    }
    EXPECT_EQ(a.held.size(), 3U) << "the handler that became a task had begun";
    EXPECT_TRUE(a.held.back().context.cancelled()) << "no client knows of it";
    const Sent plain = a->post_alone(tool_request(1, "hello", {}, modern_meta()), ann);
    run_all();
    EXPECT_EQ(plain.text(), "hello");

    a.release("done");
    store->gate.broken = false;
    EXPECT_EQ(status(b, id), "working") << "it could not be written yet";
    advance(seconds(1));
    EXPECT_EQ(state(b, id).at("result").at("content").at(0).at("text"), "done");
}

TEST_F(TaskCluster, a_store_that_was_away_for_long_costs_no_task) {
    const std::string id = start(a, "work");
    store->gate.broken = true;
    advance(10 * SharedTasks::lease_time);
    store->gate.broken = false;
    advance(SharedTasks::lease_interval, {&b});  // looks for orphans before node a can extend its lease
    advance(10 * SharedTasks::lease_time);
    a.release("done");
    EXPECT_EQ(status(b, id), "completed");
}

TEST_F(TaskCluster, the_response_waits_until_the_store_has_the_task) {
    store->gate.held = true;
    const Sent sent = a->post_alone(tool_request(1, "work", {}, meta()), ann);
    run_all();
    EXPECT_FALSE(sent.over());
    EXPECT_TRUE(a.held.empty()) << "the handler has not begun";
    store->gate.open();
    run_all();
    EXPECT_TRUE(sent.over());
    EXPECT_EQ(a.held.size(), 1U);
}

TEST_F(TaskCluster, a_task_that_ends_while_the_store_is_slow_is_written_once_it_answers) {
    const std::string id = start(a, "work");
    store->gate.held = true;
    for (int i = 0; i < 100; ++i) a.held.front().context.progress(i, 100, "step " + std::to_string(i));
    a.release("done");
    EXPECT_LE(store->gate.waiting.size(), 1U) << "later changes wait for the first";
    store->gate.open();
    EXPECT_EQ(status(b, id), "completed");
}

// A node that answered earlier would show the question again, if its client asks another node at once.
TEST_F(TaskCluster, an_answer_to_a_question_is_acknowledged_when_no_node_shows_the_question_any_more) {
    const json::object answer{
        {"inputResponses", json::parse(R"({"who":{"action":"accept","content":{"name":"Zoe"}}})").value()}};
    const std::string id = start(a, "asks"), other = start(a, "asks");
    const auto update = [&](const std::string& task) {
        store->gate.held = true;
        Sent sent = ask(b, "tasks/update", task, ann, answer);
        const auto load = std::exchange(store->gate.waiting.back(), {});  // then the answer is delivered to node a
        store->gate.waiting.pop_back();
        load();
        return sent;
    };
    const Sent sent = update(id);
    EXPECT_FALSE(sent.over()) << "node a has not written the task yet";
    std::vector<Sent> more;
    while (more.size() + 1 < core::max_waiting_for_task) more.push_back(update(id));
    EXPECT_FALSE(more.back().over());
    EXPECT_TRUE(update(id).over()) << "not more than max_waiting_for_task wait";
    store->gate.open();
    EXPECT_EQ(sent.status(), 200);
    const Sent late = update(other);
    advance(2 * SharedTasks::take_time, {&b});
    EXPECT_EQ(late.status(), 200) << "node a may be gone; its answer is kept";
    store->gate.open();
}

TEST_F(TaskCluster, a_client_that_leaves_before_the_task_exists_leaves_nothing_behind) {
    store->gate.held = true;
    Sent sent = a->post_alone(tool_request(1, "work", {}, meta()), ann);
    run_all();
    sent.disconnect();
    store->gate.open();
    run_all();
    EXPECT_TRUE(a.held.empty());
    EXPECT_EQ(answer_of<std::size_t>([&](auto r) { store->tasks().size(std::move(r)); }).value(), 0U);
}

TEST_F(TaskCluster, a_change_reaches_the_listener_of_a_session_once) {
    const std::string session = a->begin();
    const Sent listener = c->listen(session);
    b->post(request(7, "ping"), HttpWorld::in_session(session));
    const std::string id = start_in(a, session);
    const Sent waiting = ask_in(b, session, "tasks/result", id);
    a.release("done");
    EXPECT_EQ(Cluster::count(listener, "notifications/tasks/status"), 1U);
    EXPECT_EQ(Cluster::count(listener, "completed"), 1U);
    EXPECT_EQ(Cluster::count(waiting, "notifications/tasks/status"), 0U);
}

TEST_F(TaskCluster, a_subscription_on_another_node_shows_the_changes_of_a_task_to_its_owner) {
    const std::string id = start(a, "work");
    const auto listen = [&](const std::string& who) {
        return b->post_alone(
            request(1, "subscriptions/listen",
                    {{"_meta", meta()}, {"notifications", json::object{{"taskIds", json::array{id, "unknown"}}}}}),
            who);
    };
    const Sent mine = listen(ann), other = listen(bob);
    EXPECT_EQ(Cluster::count(mine, "acknowledged"), 1U);
    EXPECT_EQ(Cluster::count(mine, "working"), 1U);
    a.release("done");
    EXPECT_EQ(Cluster::count(mine, "completed"), 1U);
    EXPECT_EQ(Cluster::count(other, "acknowledged"), 1U);
    EXPECT_EQ(Cluster::count(other, id), 0U);
}

TEST_F(TaskCluster, the_end_of_a_session_on_another_node_cancels_its_tasks) {
    const std::string session = a->begin("2025-11-25", {}, ann);
    const std::string id = start_in(a, session, "work", ann), kept = start(a, "work");
    EXPECT_EQ(b->end(session, ann).status(), 204);
    EXPECT_EQ(status(c, id), "cancelled");
    EXPECT_EQ(status(c, kept), "working") << "it belongs to no session";
}

TEST_F(TaskCluster, a_copy_of_a_session_that_a_node_drops_leaves_its_tasks_alone) {
    const std::string session = a->begin();
    const std::string id = start_in(a, session);
    for (int i = 0; i < 5; ++i) {
        advance(Limits().session_idle_time / 4);
        EXPECT_EQ(b->post(request(7, "ping"), HttpWorld::in_session(session)).status(), 200);
    }
    ASSERT_EQ(a->endpoint->sessions(), 0U);
    EXPECT_FALSE(a.held.front().context.cancelled());
    a.release("done");
    EXPECT_EQ(ask_in(b, session, "tasks/result", id).text(), "done");
}

TEST_F(TaskCluster, a_node_that_stops_cancels_its_tasks_and_tells_the_others) {
    const std::string id = start(a, "work");
    const std::string session = b->begin("2025-11-25", {}, ann);
    const Sent result = ask_in(b, session, "tasks/result", id, ann);
    a.stop();
    EXPECT_TRUE(result.over());
    EXPECT_EQ(status(b, id), "cancelled");
}

TEST_F(TaskCluster, limits_count_the_tasks_of_all_nodes) {
    const std::size_t most = Limits().max_tasks_per_owner;
    for (std::size_t i = 0; i < most; ++i) start(i % 2 ? a : b, "work");
    const Sent more = c->post_alone(tool_request(1, "work", {}, meta()), ann);
    run_all();
    EXPECT_NE(more.error(), 0);
    EXPECT_NE(json::write(more.answer()).find("Too many tasks of this client"), std::string::npos);
    EXPECT_TRUE(c.held.empty());
    EXPECT_EQ(answer_of<std::size_t>([&](auto r) { store->tasks().count("ann", std::move(r)); }).value(), most);
    start(c, "work", bob);
}

}  // namespace
}  // namespace tenon::test
