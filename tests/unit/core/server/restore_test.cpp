// A session that moves to another engine: what it keeps, and what it announces.
#include <gtest/gtest.h>

#include "core/server/engine.hpp"

namespace tenon::core {
namespace {

using Kind = StateChange::Kind;

class RestoreTest : public testing::Test {
 protected:
    RestoreTest() {
        Resource resource;
        resource.uri = "test://a";
        resource.name = "a";
        EXPECT_TRUE(registry_.add(ResourceEntry{.definition = resource, .handler = {}}));
        EXPECT_TRUE(registry_.add(ToolEntry{.definition = {"slow", "A tool"}, .handler = {}}));
        settings_ = std::make_shared<Settings>();
        settings_->info = protocol::Spellings(Implementation{"engine", "1"});
        settings_->features = [this] { return registry_.snapshot(); };
    }

    void receive(ServerEngine& engine, const std::string& message) { engine.receive(message, TimePoint()); }
    void begin(ServerEngine& engine) {
        receive(engine, R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",
            "capabilities":{"roots":{}},"clientInfo":{"name":"c","title":"C","version":"1"}}})");
    }
    void settle(ServerEngine& engine) {
        receive(engine, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        receive(engine, R"({"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"test://a"}})");
        receive(engine, R"({"jsonrpc":"2.0","id":3,"method":"logging/setLevel","params":{"level":"error"}})");
    }
    static std::vector<std::string> sent(ServerEngine& engine) {
        std::vector<std::string> out;
        for (const Action& action : engine.take_actions())
            if (const auto* send = std::get_if<Send>(&action)) out.push_back(send->message.json);
        return out;
    }

    Registry registry_;
    std::shared_ptr<Settings> settings_;
};

TEST_F(RestoreTest, an_engine_without_a_client_has_no_state) {
    ServerEngine engine(settings_);
    EXPECT_FALSE(engine.state());
}

TEST_F(RestoreTest, a_restored_engine_serves_requests_and_knows_the_client) {
    ServerEngine first(settings_), second(settings_);
    begin(first);
    settle(first);
    ASSERT_TRUE(second.restore(first.state().value(), {}));

    receive(second, R"({"jsonrpc":"2.0","id":9,"method":"ping"})");
    EXPECT_EQ(sent(second), std::vector<std::string>{R"({"jsonrpc":"2.0","id":9,"result":{}})"});
    const SessionState state = second.state().value();
    EXPECT_EQ(state.revision, protocol::Revision::v2025_11_25);
    EXPECT_EQ(state.client.title, "C");
    EXPECT_TRUE(state.capabilities.roots);
    EXPECT_TRUE(state.declared.tools);
    EXPECT_TRUE(state.initialized);
    EXPECT_EQ(state.log_level, LogLevel::error);
}

TEST_F(RestoreTest, a_restored_engine_notifies_subscribers_once_for_all_nodes) {
    ServerEngine first(settings_), second(settings_);
    begin(first);
    settle(first);
    ASSERT_TRUE(second.restore(first.state().value(), {}));
    second.resource_updated("test://a");
    const auto actions = second.take_actions();
    ASSERT_EQ(actions.size(), 1U);
    EXPECT_TRUE(std::get<Send>(actions[0]).everywhere);
}

TEST_F(RestoreTest, a_shared_engine_keeps_the_changes_of_its_client) {
    ServerEngine engine(settings_);
    begin(engine);
    EXPECT_TRUE(engine.take_changes().empty());
    engine.share_with_nodes("n1");
    settle(engine);
    receive(engine, R"({"jsonrpc":"2.0","id":4,"method":"resources/unsubscribe","params":{"uri":"test://a"}})");
    const std::vector<StateChange> expected{{Kind::initialized},
                                            {Kind::subscribe, "test://a"},
                                            {Kind::log_level, "error"},
                                            {Kind::unsubscribe, "test://a"}};
    EXPECT_EQ(engine.take_changes(), expected);
    EXPECT_TRUE(engine.take_changes().empty());
}

TEST_F(RestoreTest, an_engine_that_is_not_shared_keeps_no_changes) {
    ServerEngine engine(settings_);
    begin(engine);
    settle(engine);
    EXPECT_TRUE(engine.take_changes().empty());
}

TEST_F(RestoreTest, changes_of_other_nodes_take_effect) {
    ServerEngine engine(settings_);
    begin(engine);
    for (const StateChange& change :
         {StateChange{Kind::initialized}, {Kind::subscribe, "test://a"}, {Kind::log_level, "alert"}})
        ASSERT_TRUE(engine.apply_change(change));
    EXPECT_EQ(engine.state()->log_level, LogLevel::alert);
    EXPECT_TRUE(engine.state()->initialized);
    EXPECT_EQ(engine.state()->subscriptions, std::set<std::string>{"test://a"});
    ASSERT_TRUE(engine.apply_change({Kind::unsubscribe, "test://a"}));
    ASSERT_TRUE(engine.apply_change({Kind::log_level, "loud"}));  // is ignored
    EXPECT_TRUE(engine.state()->subscriptions.empty());
    EXPECT_EQ(engine.state()->log_level, LogLevel::alert);
}

TEST_F(RestoreTest, questions_of_a_shared_engine_name_its_node) {
    ServerEngine engine(settings_);
    engine.share_with_nodes("n1");
    begin(engine);
    settle(engine);
    engine.take_actions();
    receive(engine, R"({"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}})");
    const auto actions = engine.take_actions();
    const CallPtr call = std::get<core::Run>(actions.at(0)).call;
    std::vector<Question> questions;
    bool answered = false;
    questions.push_back(
        roots_question("", make_reply<json::value>([&](const Result<json::value>& r) { answered = r.has_value(); })));
    engine.ask(call, std::move(questions), TimePoint());
    auto asked = engine.take_actions();
    ASSERT_EQ(asked.size(), 1U);
    EXPECT_EQ(std::get<Send>(asked[0]).question, 1);
    EXPECT_EQ(std::get<Send>(asked[0]).message.json, R"({"jsonrpc":"2.0","id":"n1-1","method":"roots/list"})");
    EXPECT_TRUE(engine.asks(jsonrpc::Id(std::string("n1-1"))));
    EXPECT_FALSE(engine.asks(jsonrpc::Id(std::int64_t{1})));

    receive(engine, R"({"jsonrpc":"2.0","id":"n1-1","result":{"roots":[]}})");
    for (Action& action : engine.take_actions())
        if (auto* deliver = std::get_if<Deliver>(&action)) std::move(deliver->reply).send(std::move(deliver->answer));
    EXPECT_TRUE(answered);
    EXPECT_FALSE(engine.asks(jsonrpc::Id(std::string("n1-1"))));
}

}  // namespace
}  // namespace tenon::core
