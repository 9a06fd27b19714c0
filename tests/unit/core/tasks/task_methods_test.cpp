// Which calls become tasks, and which tasks a request may see.
#include "core/tasks/task_methods.hpp"

#include <gtest/gtest.h>

#include "protocol/write_task.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class TaskMethodsTest : public testing::Test {
 protected:
    TaskMethodsTest() : settings_(std::make_shared<Settings>()) {
        settings_->limits.task_ttl = 60s;
        settings_->limits.max_task_ttl = 600s;
        settings_->limits.task_poll_interval = 100ms;
    }

    static protocol::Rules legacy() { return protocol::Rules(*protocol::revision("2025-11-25")); }
    static protocol::Rules modern() { return protocol::Rules(protocol::modern_revision()); }
    static Call call(const protocol::Rules& rules, std::string_view params = "{}", bool declares_extension = true) {
        Peer peer{rules, {}, {}, {.tools = true, .tasks = true}};
        if (declares_extension)
            peer.capabilities.raw["extensions"] = json::object{{protocol::tasks_extension, json::object()}};
        return {jsonrpc::Id(std::int64_t{1}), std::make_shared<const Peer>(std::move(peer)), nullptr,
                json::parse(params).value().as_object()};
    }
    static ToolEntry tool(TaskSupport support) {
        ToolEntry entry{.definition = {"t", "A tool"}, .handler = {}};
        entry.definition.task = support;
        return entry;
    }
    /// Returns the terms as text: the owner and the time to live, "plain", or the error.
    std::string terms(const Call& c, TaskSupport support) const {
        const auto out = TaskMethods(settings_, identity_).terms(c, tool(support));
        if (!out) return out.error().message;
        return *out ? (*out)->owner + " " + std::to_string((*out)->ttl.count()) : "plain";
    }

    std::shared_ptr<Settings> settings_;
    PeerIdentity identity_{"", "session"};
};

TEST_F(TaskMethodsTest, a_legacy_call_becomes_a_task_only_when_it_asks_for_it) {
    EXPECT_EQ(terms(call(legacy()), TaskSupport::optional), "plain");
    EXPECT_EQ(terms(call(legacy(), R"({"task":{}})"), TaskSupport::optional), "session 60000");
}

TEST_F(TaskMethodsTest, the_tool_and_the_legacy_request_must_agree) {
    EXPECT_NE(terms(call(legacy(), R"({"task":{}})"), TaskSupport::forbidden).find("leave `task` out"),
              std::string::npos);
    EXPECT_NE(terms(call(legacy()), TaskSupport::required).find("add `task`"), std::string::npos);
}

TEST_F(TaskMethodsTest, the_time_to_live_stays_within_its_limits) {
    EXPECT_EQ(terms(call(legacy(), R"({"task":{"ttl":5000}})"), TaskSupport::optional), "session 5000");
    EXPECT_EQ(terms(call(legacy(), R"({"task":{"ttl":1}})"), TaskSupport::optional), "session 100");
    EXPECT_EQ(terms(call(legacy(), R"({"task":{"ttl":1e300}})"), TaskSupport::optional), "session 600000");
    EXPECT_NE(terms(call(legacy(), R"({"task":{"ttl":-1}})"), TaskSupport::optional).find("params.task.ttl"),
              std::string::npos);
}

TEST_F(TaskMethodsTest, a_modern_call_needs_the_extension_to_become_a_task) {
    identity_.principal = "alice";
    EXPECT_EQ(terms(call(modern()), TaskSupport::optional), "alice 60000");
    EXPECT_EQ(terms(call(modern(), "{}", false), TaskSupport::optional), "plain");
    EXPECT_NE(terms(call(modern(), "{}", false), TaskSupport::required).find("did not declare the extension"),
              std::string::npos);
    EXPECT_EQ(terms(call(modern()), TaskSupport::forbidden), "plain");
}

TEST_F(TaskMethodsTest, tasks_belong_to_the_principal_or_else_to_the_session) {
    EXPECT_EQ(TaskMethods(settings_, identity_).session_owner(), "session");
    identity_.principal = "alice";
    EXPECT_EQ(TaskMethods(settings_, identity_).session_owner(), "alice");
}

// Finds tasks for which the request has the right owner.
class OneTask final : public TaskDesk {
 public:
    std::optional<TaskRecord> look_up(std::string_view id, const Reach& reach) override {
        TaskRecord task;
        task.id = std::string(id);
        task.owner = id == "mine" ? "session" : "other";
        return reach.covers(task) ? std::optional(task) : std::nullopt;
    }
    void find(std::string, Reach, Reply<TaskRecord>) override {}
    void update(std::string, Reach, json::object, Reply<void>) override {}
    void cancel(std::string, Reach, Reply<CancelledTask>) override {}
    void wait(std::string, Reach, Reply<HandlerResult>) override {}
    void list(std::string, std::uint64_t, std::size_t, Reply<std::vector<TaskRecord>>) override {}
    bool is_shared() const override { return false; }
};

TEST_F(TaskMethodsTest, a_listener_is_notified_only_of_tasks_that_it_may_see) {
    OneTask tasks;
    settings_->tasks = &tasks;
    const TaskMethods methods(settings_, identity_);
    const Call listen = call(modern(), R"({"notifications":{"taskIds":["mine","yours","mine"]}})");
    const auto ids = methods.listened_ids(listen);
    ASSERT_TRUE(ids);
    EXPECT_EQ(*ids, (std::vector<std::string>{"mine", "yours"}));
    const auto found = methods.look_up(listen, *ids);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found.front().id, "mine");
}

TEST_F(TaskMethodsTest, a_method_needs_a_task_id) {
    const TaskMethods methods(settings_, identity_);
    EXPECT_FALSE(methods.get(call(modern())));
    EXPECT_FALSE(methods.cancel(call(modern(), R"({"taskId":1})")));
    EXPECT_TRUE(methods.result(call(modern(), R"({"taskId":"t"})")));
    EXPECT_FALSE(methods.get(call(modern(), R"({"taskId":"t"})", false)));
}

}  // namespace
}  // namespace tenon::core
