// A session that the server lost, and a modern server that refuses the revision that it offers.
// rules: HTTP-10
#include <gtest/gtest.h>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;

class ClientSession : public testing::Test, protected test::ClientWorld {
 protected:
    std::int64_t last_request() const { return outgoing.back().id; }
    void introduce() {
        answer(R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"2"},)" + std::string(everything) +
               "}");
    }
};

TEST_F(ClientSession, a_lost_session_is_replaced_and_the_failed_call_sent_again) {
    connect_legacy();
    const CallId id = call("tools/list");
    lose_session(last_request());
    EXPECT_EQ(last_method(), "initialize");
    EXPECT_EQ(outgoing.back().revision, "");
    EXPECT_EQ(error_of(id), 1);
    introduce();
    EXPECT_EQ(last_method(), "tools/list");
    EXPECT_EQ(sent.at(sent.size() - 2).at("method").as_string(), "notifications/initialized");
    answer(R"({"tools":[]})");
    EXPECT_EQ(error_of(id), 0);
    EXPECT_EQ(engine().server()->info.version, "2");
}

TEST_F(ClientSession, calls_wait_while_a_lost_session_is_replaced) {
    connect_legacy();
    call("tools/list");
    lose_session(last_request());
    const CallId later = call("prompts/list");
    EXPECT_EQ(last_method(), "initialize");
    introduce();
    EXPECT_EQ(last_method(), "prompts/list");
    answer(R"({"prompts":[]})");
    EXPECT_EQ(error_of(later), 0);
}

TEST_F(ClientSession, several_calls_that_lose_the_session_start_only_one_new_session) {
    connect_legacy();
    const CallId a = call("tools/list");
    const std::int64_t first = last_request();
    const CallId b = call("prompts/list");
    const std::int64_t second = last_request();
    const CallId c = call("resources/list");
    const std::int64_t third = last_request();
    lose_session(first);
    lose_session(second);
    const auto initializes = [&] {
        return std::ranges::count_if(outgoing, [](const auto& m) { return m.method == "initialize"; });
    };
    EXPECT_EQ(initializes(), 2);
    introduce();
    lose_session(third);  // belongs to the lost session: the call is sent again at once, without another initialize
    EXPECT_EQ(initializes(), 2);
    EXPECT_EQ(last_method(), "resources/list");
    EXPECT_EQ(error_of(a), 1);
    EXPECT_EQ(error_of(b), 1);
    EXPECT_EQ(error_of(c), 1);
    EXPECT_EQ(engine().pending(), 3u);
}

TEST_F(ClientSession, log_level_and_subscriptions_are_restored_in_a_new_session) {
    connect_legacy();
    call(ClientCall::Kind::set_level, {{"level", "error"}}), answer("{}");
    for (const char* uri : {"a:b", "c:d"}) call(ClientCall::Kind::subscribe, {{"uri", uri}}), answer("{}");
    call(ClientCall::Kind::unsubscribe, {{"uri", "a:b"}}), answer("{}");
    call("tools/list");
    lose_session(last_request());
    const std::size_t before = sent.size();
    introduce();
    std::string told;
    for (std::size_t i = before; i < sent.size(); ++i) {
        const json::object& m = sent[i].as_object();
        told +=
            std::string(m.at("method").as_string()) + (m.contains("params") ? json::write(m.at("params")) : "") + " ";
    }
    EXPECT_EQ(told,
              "notifications/initialized logging/setLevel{\"level\":\"error\"} "
              "resources/subscribe{\"uri\":\"c:d\"} tools/list ");
}

TEST_F(ClientSession, a_first_session_restores_nothing) {
    connect_legacy();
    EXPECT_EQ(last_method(), "notifications/initialized");
}

// ---- subscriptions of 2026-07-28 whose connection breaks

class ClientListening : public ClientSession {
 protected:
    void acknowledge(std::string_view granted) {
        receive(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":)"
                R"({"io.modelcontextprotocol/subscriptionId":)" +
                last_id() + R"(},"notifications":)" + std::string(granted) + "}}");
    }
    void break_last() {
        engine().failed(last_request(), {code::connection_closed, "reset"}, now);
        take();
    }
    const std::string resource = R"({"resourceSubscriptions":["a:b"]})";
};

TEST_F(ClientListening, a_broken_subscription_is_renewed_and_reported_as_a_possible_change) {
    connect_modern();
    const CallId id = call(ClientCall::Kind::subscribe, {{"uri", "a:b"}});
    acknowledge(resource);
    EXPECT_EQ(error_of(id), 0);
    break_last();
    const std::size_t before = sent.size();
    pass(999ms);
    EXPECT_EQ(sent.size(), before);
    EXPECT_TRUE(engine().next_deadline());
    pass(1ms);
    EXPECT_EQ(sent.size(), before + 1);
    EXPECT_EQ(json::write(last().at("params").at("notifications")), resource);
    EXPECT_TRUE(announced.empty());
    acknowledge(resource);
    ASSERT_EQ(announced.size(), 1u);
    EXPECT_EQ(announced[0].method, "notifications/resources/updated");
    EXPECT_EQ(announced[0].params.at("uri").as_string(), "a:b");
    EXPECT_EQ(error_of(call(ClientCall::Kind::unsubscribe, {{"uri", "a:b"}})), 0);
}

TEST_F(ClientListening, a_broken_subscription_to_lists_is_renewed_and_reported) {
    settings.hears_tools = settings.hears_prompts = true;
    connect_modern();
    const std::string lists = json::write(last().at("params").at("notifications"));
    acknowledge(lists);
    break_last();
    pass(1s);
    acknowledge(lists);
    ASSERT_EQ(announced.size(), 2u);
    EXPECT_EQ(announced[0].method, "notifications/tools/list_changed");
    EXPECT_EQ(announced[1].method, "notifications/prompts/list_changed");
}

TEST_F(ClientListening, renewing_backs_off_and_gives_up_after_ten_tries) {
    connect_modern();
    call(ClientCall::Kind::subscribe, {{"uri", "a:b"}});
    acknowledge(resource);
    break_last();
    std::vector<long> waits;
    while (const auto next = engine().next_deadline()) {
        waits.push_back(std::chrono::duration_cast<std::chrono::seconds>(*next - now).count());
        const std::size_t before = sent.size();
        pass(*next - now);
        ASSERT_EQ(sent.size(), before + 1);
        break_last();
    }
    EXPECT_EQ(waits, (std::vector<long>{1, 2, 4, 8, 16, 30, 30, 30, 30, 30}));
    EXPECT_NE(notes.back().find("a subscription failed (a:b)"), std::string::npos) << notes.back();
}

TEST_F(ClientListening, a_broken_subscription_is_not_renewed_after_unsubscribe) {
    connect_modern();
    call(ClientCall::Kind::subscribe, {{"uri", "a:b"}});
    acknowledge(resource);
    break_last();
    EXPECT_EQ(error_of(call(ClientCall::Kind::unsubscribe, {{"uri", "a:b"}})), 0);
    EXPECT_FALSE(engine().next_deadline());
}

TEST_F(ClientListening, a_subscription_that_the_server_completed_is_not_renewed) {
    connect_modern();
    call(ClientCall::Kind::subscribe, {{"uri", "a:b"}});
    acknowledge(resource);
    answer(R"({"resultType":"complete"})");
    EXPECT_FALSE(engine().next_deadline());
}

TEST_F(ClientSession, a_call_is_repeated_only_once_after_lost_sessions) {
    connect_legacy();
    const CallId id = call("tools/list");
    lose_session(last_request());
    introduce();
    lose_session(last_request());
    EXPECT_EQ(error_of(id), code::connection_closed);
    EXPECT_EQ(last_method(), "initialize");
}

TEST_F(ClientSession, an_answer_of_the_lost_session_is_still_delivered) {
    connect_legacy();
    const CallId slow = call("tools/list");
    const std::string its_id = last_id();
    lose_session();
    EXPECT_EQ(last_method(), "initialize");
    answer_id(its_id, R"({"tools":[]})");
    EXPECT_EQ(error_of(slow), 0);
}

TEST_F(ClientSession, a_new_session_that_times_out_closes_the_connection) {
    connect_legacy();
    const CallId id = call("tools/list");
    lose_session(last_request());
    pass(settings.limits.connect_time);
    EXPECT_NE(error_of(id), 0);
    EXPECT_NE(error_of(id), 1);
    EXPECT_EQ(hangups, 1);
}

TEST_F(ClientSession, handlers_of_questions_are_stopped_when_the_session_is_lost) {
    settings.identity.abilities.roots = true;
    connect_legacy();
    receive(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})");
    ASSERT_EQ(asks.size(), 1u);
    lose_session();
    EXPECT_TRUE(asks.at(0).stop.stop_requested());
}

TEST_F(ClientSession, losing_a_session_is_ignored_in_the_modern_era) {
    connect_modern();
    const std::size_t before = sent.size();
    lose_session();
    EXPECT_EQ(sent.size(), before);
}

TEST_F(ClientSession, discover_is_repeated_once_if_the_offered_revision_is_refused) {
    open();
    refuse(code::unsupported_version, R"({"supported":["2026-07-28"],"requested":"2026-07-28"})");
    EXPECT_EQ(sent.size(), 2u);
    EXPECT_EQ(last_method(), "server/discover");
    refuse(code::unsupported_version, R"({"supported":["2026-07-28"],"requested":"2026-07-28"})");
    EXPECT_EQ(sent.size(), 2u);
    EXPECT_EQ(hangups, 1);
}

}  // namespace
}  // namespace tenon::core
