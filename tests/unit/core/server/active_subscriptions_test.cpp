// Subscriptions to resources, and open subscriptions/listen requests.
// rules: RES-7
#include <gtest/gtest.h>

#include "core/server/active_subscriptions.hpp"

namespace tenon::core {
namespace {

class SubscriptionsTest : public testing::Test {
 protected:
    static CallPtr listen_call(std::string_view notifications, Declared has = {true, true, true}) {
        auto peer = std::make_shared<const Peer>(Peer{protocol::Rules(protocol::modern_revision()), {}, {}, has});
        json::object params{{"notifications", json::parse(notifications).value()}};
        return std::make_shared<const Call>(jsonrpc::Id(std::int64_t{5}), std::move(peer), nullptr, std::move(params));
    }
    static std::string error_of(const auto& result) { return result ? "" : result.error().message; }

    Limits limits_;
    ActiveSubscriptions subscriptions_;
};

TEST_F(SubscriptionsTest, a_resource_is_subscribed_to_until_it_is_removed) {
    ASSERT_TRUE(subscriptions_.add("test://a", limits_, nullptr));
    EXPECT_TRUE(subscriptions_.contains("test://a"));
    EXPECT_FALSE(subscriptions_.contains("test://b"));
    subscriptions_.remove("test://a");
    EXPECT_FALSE(subscriptions_.contains("test://a"));
    subscriptions_.remove("test://a");
}

TEST_F(SubscriptionsTest, the_limit_counts_different_uris) {
    limits_.max_subscriptions = 1;
    ASSERT_TRUE(subscriptions_.add("test://a", limits_, nullptr));
    EXPECT_TRUE(subscriptions_.add("test://a", limits_, nullptr));
    EXPECT_EQ(error_of(subscriptions_.add("test://b", limits_, nullptr)), "Too many subscriptions: the limit is 1");
    EXPECT_FALSE(subscriptions_.contains("test://b"));
    subscriptions_.remove("test://a");
    EXPECT_TRUE(subscriptions_.add("test://b", limits_, nullptr));
}

TEST_F(SubscriptionsTest, a_listener_gets_only_what_the_server_has) {
    const auto call = listen_call(R"({"toolsListChanged":true,"promptsListChanged":true,
                                      "resourcesListChanged":true,"resourceSubscriptions":["test://a"]})",
                                  {.tools = true});
    const auto listener = read_listen(call, limits_);
    ASSERT_TRUE(listener);
    EXPECT_TRUE(listener->tools);
    EXPECT_FALSE(listener->prompts);
    EXPECT_FALSE(listener->resources);
    EXPECT_TRUE(listener->uris.empty());
}

TEST_F(SubscriptionsTest, wrong_uris_are_refused) {
    for (const char* uris : {R"(["no uri"])", R"([1])", R"({})"})
        EXPECT_NE(error_of(read_listen(listen_call(R"({"resourceSubscriptions":)" + std::string(uris) + "}"), limits_)),
                  "")
            << uris;
    limits_.max_subscriptions = 1;
    EXPECT_NE(error_of(read_listen(listen_call(R"({"resourceSubscriptions":["test://a","test://b"]})"), limits_))
                  .find("at most 1 URIs"),
              std::string::npos);
}

TEST_F(SubscriptionsTest, the_acknowledgement_lists_what_was_granted) {
    const auto listener = read_listen(
        listen_call(R"({"toolsListChanged":true,"resourceSubscriptions":["test://b","test://a"]})"), limits_);
    ASSERT_TRUE(listener);
    TaskRecord task;
    task.id = "t1";
    EXPECT_EQ(encode_acknowledgement(*listener, {task}).json,
              R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":)"
              R"({"io.modelcontextprotocol/subscriptionId":5},"notifications":{"toolsListChanged":true,)"
              R"("resourceSubscriptions":["test://a","test://b"],"taskIds":["t1"]}}})");
}

TEST_F(SubscriptionsTest, a_notification_names_its_listener) {
    const ListenCall listener{listen_call("{}")};
    EXPECT_EQ(encode_for(listener, "notifications/resources/updated", Encoded{R"({"uri":"test://a"})"}).json,
              R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":)"
              R"({"io.modelcontextprotocol/subscriptionId":5},"uri":"test://a"}})");
}

TEST_F(SubscriptionsTest, a_listener_ends_with_its_call) {
    const CallPtr call = listen_call("{}");
    subscriptions_.add(ListenCall{call});
    EXPECT_EQ(subscriptions_.listeners().size(), 1u);
    subscriptions_.end_listen(*listen_call("{}"));
    EXPECT_EQ(subscriptions_.listeners().size(), 1u);
    subscriptions_.end_listen(*call);
    EXPECT_TRUE(subscriptions_.listeners().empty());
    EXPECT_EQ(json::write(end_of_listen(*call)), R"({"io.modelcontextprotocol/subscriptionId":5})");
}

}  // namespace
}  // namespace tenon::core
