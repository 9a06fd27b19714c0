// Calls that become tasks, in both eras.
#include <gtest/gtest.h>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;
using Tasks = ClientCall::Tasks;

class FollowTask : public testing::Test, protected test::ClientWorld {
 protected:
    FollowTask() {
        settings.learn_tools = true;
        settings.identity.abilities.tasks = true;
        settings.identity.abilities.elicitation_form = true;
    }
    void connect_with_tasks(Era era) {
        if (era == Era::legacy) {
            settings.era = Era::legacy;
            open();
            answer(R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},"capabilities":)"
                   R"({"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}}})");
        } else {
            settings.sends_mirrored = false;
            open();
            answer(R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},)"
                   R"("extensions":{"io.modelcontextprotocol/tasks":{}}}})");
        }
    }
    CallId call_tool(Tasks tasks = Tasks::follow, std::string name = "slow") {
        ClientCall one;
        one.method = "tools/call";
        one.params = {{"name", std::move(name)}};
        one.tasks = tasks;
        one.progress = std::make_shared<const std::function<void(const Progress&)>>(
            [this](const Progress& p) { told.push_back(p.message); });
        return call(std::move(one));
    }
    void list_tools() {
        answer(R"({"tools":[{"name":"slow","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}},)"
               R"({"name":"either","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},)"
               R"({"name":"quick","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}]})");
    }
    /// Starts the task t1 of the tool `slow`.
    CallId start_modern(std::string_view members = R"("status":"working","pollIntervalMs":2000)") {
        connect_with_tasks(Era::modern);
        const CallId id = call_tool();
        answer(R"({"resultType":"task","taskId":"t1",)" + std::string(members) + "}");
        return id;
    }
    CallId start_legacy() {
        connect_with_tasks(Era::legacy);
        const CallId id = call_tool();
        list_tools();
        token = last_id();
        answer(R"({"task":{"taskId":"t1","status":"working","pollInterval":2000}})");
        return id;
    }
    void state(std::string_view members) {
        answer(R"({"resultType":"complete","taskId":"t1",)" + std::string(members) + "}");
    }
    bool has_task() const { return last().at("params").as_object().contains("task"); }

    std::vector<std::string> told;
    std::string token;
};

// rules: TOOL-14
TEST_F(FollowTask, a_tool_that_requires_tasks_is_called_as_a_task) {
    connect_with_tasks(Era::legacy);
    call_tool();
    EXPECT_EQ(last_method(), "tools/list");
    list_tools();
    EXPECT_EQ(last_method(), "tools/call");
    EXPECT_TRUE(has_task());
    call_tool(Tasks::follow, "either");
    EXPECT_FALSE(has_task()) << "optional: only when the host asks for it";
    call_tool(Tasks::start, "either");
    EXPECT_TRUE(has_task());
    call_tool(Tasks::start, "quick");
    EXPECT_FALSE(has_task()) << "forbidden";
}

TEST_F(FollowTask, a_server_without_the_capability_gets_no_tasks) {
    connect_legacy();
    call("tools/list");
    list_tools();
    call_tool();
    EXPECT_FALSE(has_task());
}

// rules: TOOL-14
TEST_F(FollowTask, a_legacy_task_is_polled_and_its_result_fetched) {
    const CallId id = start_legacy();
    const auto before = sent.size();
    pass(1999ms);
    EXPECT_EQ(sent.size(), before) << "the poll interval of the server counts";
    pass(1ms);
    EXPECT_EQ(last_method(), "tasks/get");
    EXPECT_EQ(last().at("params").at("taskId").as_string(), "t1");
    EXPECT_EQ(outgoing.back().name, "t1");
    state(R"("status":"completed")");
    EXPECT_EQ(last_method(), "tasks/result");
    answer(R"({"content":[{"type":"text","text":"done"}]})");
    ASSERT_EQ(error_of(id), 0);
    EXPECT_EQ(answers.at(id)->at("content").at(0).at("text").as_string(), "done");
}

TEST_F(FollowTask, a_legacy_task_that_needs_input_is_waited_for_with_its_result) {
    const CallId id = start_legacy();
    pass(2s);
    state(R"("status":"input_required")");
    EXPECT_EQ(last_method(), "tasks/result");
    pass(settings.limits.request_time);
    EXPECT_EQ(last_method(), "tasks/get") << "a late result is no reason to give up";
    state(R"("status":"failed")");
    refuse(-32603);
    EXPECT_EQ(error_of(id), -32603);
}

TEST_F(FollowTask, progress_of_a_legacy_task_uses_the_token_of_its_call) {
    start_legacy();
    receive(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
            R"(,"progress":1,"message":"half"}})");
    EXPECT_EQ(told, std::vector<std::string>{"half"});
}

// rules: TOOL-14
TEST_F(FollowTask, a_modern_task_is_polled_to_its_end) {
    const CallId id = start_modern();
    pass(2s);
    EXPECT_EQ(last_method(), "tasks/get");
    state(R"("status":"working","statusMessage":"half","pollIntervalMs":10)");
    const auto before = sent.size();
    pass(settings.limits.min_task_poll_time - 1ms);
    EXPECT_EQ(sent.size(), before) << "not more often than the limit";
    pass(1ms);
    state(R"("status":"completed","result":{"content":[],"structuredContent":{"n":1}})");
    EXPECT_EQ(last_method(), "tools/list") << "the result is checked like any other";
    list_tools();
    EXPECT_EQ(error_of(id), 0);
    EXPECT_EQ(told, std::vector<std::string>{"half"});
}

TEST_F(FollowTask, errors_of_a_modern_task_end_the_call) {
    const CallId failed = start_modern();
    pass(2s);
    state(R"("status":"failed","error":{"code":-32602,"message":"no such city"})");
    EXPECT_EQ(error_of(failed), -32602);
    const CallId cancelled = call_tool();
    answer(R"({"resultType":"task","taskId":"t1","status":"cancelled"})");
    EXPECT_EQ(error_of(cancelled), code::call_cancelled);
    const CallId odd = call_tool();
    answer(R"({"resultType":"task","taskId":"t1","status":"completed"})");
    EXPECT_EQ(error_of(odd), code::invalid_answer);
    const CallId unknown = call_tool();
    answer(R"({"resultType":"task","taskId":"t1","status":"dreaming"})");
    EXPECT_EQ(error_of(unknown), code::invalid_answer);
}

TEST_F(FollowTask, the_questions_of_a_modern_task_are_answered_once) {
    const CallId id = start_modern();
    pass(2s);
    const std::string question =
        R"("status":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?",)"
        R"("requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}}})";
    state(question);
    ASSERT_EQ(asks.size(), 1u);
    engine().answered(asks.back().id, ElicitResult{ElicitAction::accept, {{"name", "Ada"}}}, now), take();
    EXPECT_EQ(last_method(), "tasks/update");
    EXPECT_EQ(json::write(last().at("params").at("inputResponses")),
              R"({"who":{"action":"accept","content":{"name":"Ada"}}})");
    answer(R"({"resultType":"complete"})");
    pass(2s);
    EXPECT_EQ(last_method(), "tasks/get");
    state(question);
    EXPECT_EQ(asks.size(), 1u) << "the server has not seen the answer yet";
    pass(2s);
    state(R"("status":"completed","result":{"content":[],"isError":true})");
    EXPECT_EQ(error_of(id), 0);
}

TEST_F(FollowTask, cancelling_the_call_cancels_its_task) {
    const CallId id = start_modern();
    engine().cancel(id, "enough"), take();
    EXPECT_EQ(error_of(id), code::call_cancelled);
    EXPECT_EQ(last_method(), "tasks/cancel");
    EXPECT_EQ(last().at("params").at("taskId").as_string(), "t1");
    for (const OutgoingMessage& message : outgoing) EXPECT_NE(message.method, "notifications/cancelled");
}

TEST_F(FollowTask, a_task_longer_than_the_longest_call_is_cancelled) {
    settings.limits.max_request_time = 3s;
    settings.limits.request_time = 3s;
    const CallId id = start_modern();
    pass(2s);
    state(R"("status":"working","pollIntervalMs":2000)");
    pass(1s);
    EXPECT_EQ(error_of(id), code::request_timeout);
    EXPECT_EQ(last_method(), "tasks/cancel");
}

TEST_F(FollowTask, a_poll_whose_connection_broke_is_repeated) {
    const CallId id = start_modern();
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(error_of(id), 1);
        pass(2s);
        ASSERT_EQ(last_method(), "tasks/get");
        engine().failed(std::stoll(last_id()), {code::connection_closed, "reset"}, now), take();
    }
    EXPECT_EQ(error_of(id), code::connection_closed);
}

TEST_F(FollowTask, a_started_task_is_handed_over_and_can_be_followed_later) {
    connect_with_tasks(Era::modern);
    const CallId started = call_tool(Tasks::start);
    answer(R"({"resultType":"task","taskId":"t1","status":"working"})");
    ASSERT_EQ(error_of(started), 0);
    ClientCall follow;
    follow.kind = ClientCall::Kind::follow;
    follow.params = {{"taskId", "t1"}};
    const CallId id = call(std::move(follow));
    EXPECT_EQ(last_method(), "tasks/get");
    state(R"("status":"working")");
    pass(settings.limits.task_poll_time);
    EXPECT_EQ(last_method(), "tasks/get");
    engine().cancel(id, "not interested"), take();
    EXPECT_NE(last_method(), "tasks/cancel") << "only the wait was cancelled";
}

TEST_F(FollowTask, a_task_in_response_to_another_method_is_invalid) {
    connect_with_tasks(Era::modern);
    const CallId id = call("tools/list");
    answer(R"({"resultType":"task","taskId":"t1","status":"working"})");
    EXPECT_EQ(error_of(id), code::invalid_answer);
}

TEST_F(FollowTask, the_extension_is_declared_in_2026_07_28_only) {
    connect_with_tasks(Era::modern);
    const json::value capabilities =
        sent.front().at("params").at("_meta").at("io.modelcontextprotocol/clientCapabilities");
    EXPECT_TRUE(capabilities.at("extensions").as_object().contains("io.modelcontextprotocol/tasks"));
    ClientWorld legacy;
    legacy.settings = settings;
    legacy.connect_legacy();
    EXPECT_FALSE(legacy.sent.front().at("params").at("capabilities").as_object().contains("extensions"));
}

}  // namespace
}  // namespace tenon::core
