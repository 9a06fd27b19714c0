// The checker's verdict on a server's answers to generated cases: the judge, and the search for a minimal case.
#include <gtest/gtest.h>

#include "check/property/property.hpp"

namespace tenon::check {
namespace {

using Kind = TestMessage::Kind;

TestMessage request(std::string bytes, json::value id) { return {.bytes = std::move(bytes), .id = std::move(id)}; }
TestMessage ping(int id) {
    return request(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":"ping"})", id);
}
TestMessage nonsense() { return {.kind = Kind::malformed, .bytes = "{"}; }

std::string_view rule_of(const Case& test_messages, std::vector<std::string> messages,
                         std::vector<std::size_t> refused = {}, std::string broken = {}) {
    const auto complaint =
        judge(test_messages,
              Reaction{.messages = std::move(messages), .refused = std::move(refused), .broken = std::move(broken)});
    return complaint ? complaint->rule : "";
}

constexpr auto pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";
constexpr auto refused = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}})";
constexpr auto nameless = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}})";

TEST(PropertyJudge, requires_one_answer_per_request) {
    EXPECT_EQ(rule_of({ping(1)}, {pong}), "");
    EXPECT_EQ(rule_of({ping(1)}, {refused}), "");
    EXPECT_EQ(rule_of({ping(1)}, {R"({"jsonrpc":"2.0","method":"notifications/message","params":{}})", pong}), "");
    EXPECT_EQ(rule_of({ping(1)}, {}), "RPC-7");
    EXPECT_EQ(rule_of({ping(1)}, {pong, pong}), "RPC-7");
    EXPECT_EQ(rule_of({ping(1)}, {pong}, {}, "it died"), "RPC-7");
    EXPECT_EQ(rule_of({ping(1)}, {}, {0}), "");  // refused by the HTTP status 400
}

TEST(PropertyJudge, a_slow_handler_proves_nothing_but_its_messages_must_be_valid) {
    EXPECT_FALSE(judge({ping(1), ping(2)}, Reaction{.messages = {pong}, .is_slow = true}));
    const auto complaint = judge({ping(1)}, Reaction{.messages = {"Listening"}, .is_slow = true});
    ASSERT_TRUE(complaint);
    EXPECT_EQ(complaint->rule, "INT-1");
}

TEST(PropertyJudge, requires_the_unchanged_id) {
    EXPECT_EQ(rule_of({ping(1)}, {R"({"jsonrpc":"2.0","id":"1","result":{}})"}), "RPC-7");
    EXPECT_EQ(rule_of({ping(1)}, {pong, R"({"jsonrpc":"2.0","id":2,"result":{}})"}), "RPC-4");
}

TEST(PropertyJudge, requires_json_rpc_messages) {
    EXPECT_EQ(rule_of({ping(1)}, {"Listening"}), "INT-1");
    EXPECT_EQ(rule_of({ping(1)}, {"[]"}), "INT-1");
    EXPECT_EQ(rule_of({ping(1)}, {R"({"id":1,"result":{}})"}), "RPC-1");
    EXPECT_EQ(rule_of({ping(1)}, {R"({"jsonrpc":"2.0","id":1})"}), "RPC-4");
    EXPECT_EQ(rule_of({ping(1)}, {R"({"jsonrpc":"2.0","id":1,"result":{},"error":{}})"}), "RPC-4");
}

TEST(PropertyJudge, forbids_an_answer_to_a_notification) {
    const TestMessage told{.kind = Kind::notification, .bytes = R"({"jsonrpc":"2.0","method":"x"})"};
    EXPECT_EQ(rule_of({told}, {}), "");
    EXPECT_EQ(rule_of({told}, {nameless}), "RPC-5");
}

TEST(PropertyJudge, requires_an_error_for_a_malformed_message) {
    EXPECT_EQ(rule_of({nonsense()}, {nameless}), "");
    EXPECT_EQ(rule_of({nonsense()}, {}, {0}), "");
    EXPECT_EQ(rule_of({nonsense()}, {nameless}, {0}), "");
    EXPECT_EQ(rule_of({nonsense()}, {}), "RPC-8");
    EXPECT_EQ(rule_of({nonsense()}, {nameless, nameless}), "RPC-5");
    auto readable = nonsense();
    readable.id = 1;
    EXPECT_EQ(rule_of({readable}, {refused}), "");
    EXPECT_EQ(rule_of({readable}, {pong}), "RPC-8");
}

TEST(PropertyJudge, allows_a_late_answer_to_an_earlier_unclear_message) {
    Reaction received{.messages = {pong, R"({"jsonrpc":"2.0","id":90071992547302309,"result":{}})"}};
    EXPECT_EQ(judge({ping(1)}, received)->rule, "RPC-4");
    received.unclear_before = {R"({"jsonrpc":"2.0","id":90071992547302309,"method":"resources/read"})"};
    EXPECT_FALSE(judge({ping(1)}, received));
    received.unclear_before = {R"({"jsonrpc":"2.0","id":90071992547302310,"method":"resources/read"})"};
    EXPECT_EQ(judge({ping(1)}, received)->rule, "RPC-4");
}

TEST(PropertyJudge, names_the_rule_that_required_an_error) {
    auto call = ping(1);
    call.duty = "TOOL-5";
    EXPECT_EQ(rule_of({call}, {pong}), "TOOL-5");
    EXPECT_EQ(rule_of({call}, {refused}), "");
    EXPECT_EQ(rule_of({call}, {R"({"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[]}})"}), "");
}

// A server that answers everything, except the messages for which `forgets` is true.
class Imagined : public Stage {
 public:
    explicit Imagined(std::function<bool(const TestMessage&)> forgets) : forgets_(std::move(forgets)) {}

    Reaction play(const Case& test_messages) override {
        Reaction received;
        ++played;
        for (const auto& test_message : test_messages) {
            json::object answer{{"jsonrpc", "2.0"}, {"id", test_message.id}};
            answer["error"] = {{"code", -32601}, {"message", "no"}};
            if (test_message.kind != Kind::notification && !forgets_(test_message))
                received.messages.push_back(json::write(answer));
        }
        return received;
    }
    void renew() override { ++renewed; }
    bool time_is_left() const override { return played < most; }

    std::size_t played = 0, renewed = 0, most = 1'000'000;

 private:
    std::function<bool(const TestMessage&)> forgets_;
};

TEST(TryProperty, a_correct_server_passes) {
    Imagined server([](const TestMessage&) { return false; });
    for (const auto property : {Property::conformance, Property::one_answer, Property::integrity}) {
        const auto trial = try_property(property, Vocabulary{.methods = {"ping"}}, server, {.seed = 3, .cases = 500});
        EXPECT_FALSE(trial.complaint) << trial.complaint->sentence;
        EXPECT_EQ(trial.cases, 500U);
    }
}

TEST(TryProperty, shrinks_a_failure_to_the_smallest_case) {
    Imagined server([](const TestMessage& l) {
        return l.id.is_string() && l.id.as_string().find("\U0001F600") != std::string::npos;
    });
    const auto trial =
        try_property(Property::one_answer, Vocabulary{.methods = {"ping"}}, server, {.seed = 1, .cases = 1000});
    ASSERT_TRUE(trial.complaint);
    EXPECT_TRUE(trial.again);
    ASSERT_EQ(trial.test_messages.size(), 1U);
    EXPECT_EQ(trial.test_messages[0].bytes, "{\"jsonrpc\":\"2.0\",\"id\":\"\U0001F600#1001\",\"method\":\"ping\"}");
}

TEST(TryProperty, a_case_that_fails_only_once_is_shown_unshrunk) {
    bool forgot = false;
    Imagined server([&](const TestMessage& l) { return l.kind == Kind::request && !std::exchange(forgot, true); });
    const auto trial =
        try_property(Property::one_answer, Vocabulary{.methods = {"ping"}}, server, {.seed = 1, .cases = 100});
    ASSERT_TRUE(trial.complaint);
    EXPECT_FALSE(trial.again);
    EXPECT_FALSE(trial.test_messages.empty());
}

TEST(TryProperty, known_failures_are_not_reported_again) {
    Imagined server([](const TestMessage&) { return true; });
    const auto trial = try_property(Property::one_answer, Vocabulary{.methods = {"ping"}}, server,
                                    {.seed = 1, .cases = 100, .is_known = [](auto rule) { return rule == "RPC-7"; }});
    EXPECT_FALSE(trial.complaint);
    EXPECT_GT(server.renewed, 50U);
}

TEST(TryProperty, stops_when_no_time_is_left) {
    Imagined server([](const TestMessage&) { return false; });
    server.most = 10;
    EXPECT_LE(try_property(Property::integrity, {}, server, {.seed = 1, .cases = 100}).cases, 20U);
}

}  // namespace
}  // namespace tenon::check
