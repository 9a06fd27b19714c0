// The client's engine: the era, calls and how they end, time, cancellation, progress, and servers that break the
// protocol.
#include <gtest/gtest.h>

#include <tenon/auth/error.hpp>

#include "support/client_world.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;
using Kind = ClientCall::Kind;

class Client : public testing::Test, protected test::ClientWorld {};

// ---- the era

// rules: LIFE-1, LIFE-2, LIFE-7, ANTI-8
TEST_F(Client, the_handshake_requests_the_newest_revision_and_sends_initialized) {
    settings.era = Era::legacy;
    open();
    EXPECT_EQ(last_method(), "initialize");
    EXPECT_EQ(last().at("params").at("protocolVersion").as_string(), "2025-11-25");
    EXPECT_EQ(last().at("params").at("clientInfo").at("name").as_string(), "test");
    EXPECT_TRUE(last().at("params").at("capabilities").is_object());
    answer(R"({"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{"name":"s","version":"1"}})");
    EXPECT_EQ(last_method(), "notifications/initialized");
    EXPECT_EQ(engine().server()->protocolVersion, "2025-03-26");
    EXPECT_EQ(engine().era(), Era::legacy);
}

// rules: LIFE-3
TEST_F(Client, nothing_is_sent_before_the_answer_to_initialize) {
    settings.era = Era::legacy;
    call("tools/list");
    open();
    call("tools/list");
    EXPECT_EQ(sent.size(), 1u);
    answer(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}})");
    EXPECT_EQ(sent.size(), 4u);
    EXPECT_EQ(sent.at(1).at("method").as_string(), "notifications/initialized");
    EXPECT_EQ(sent.at(3).at("method").as_string(), "tools/list");
}

// rules: LIFE-9
TEST_F(Client, an_unsupported_revision_closes_the_connection) {
    settings.era = Era::legacy;
    const CallId waiting = call("tools/list");
    open();
    answer(R"({"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"s","version":"1"}})");
    EXPECT_EQ(hangups, 1);
    EXPECT_EQ(error_of(waiting), code::unsupported_version);
    EXPECT_EQ(sent.size(), 1u);
    EXPECT_EQ(error_of(call("tools/list")), code::unsupported_version);
}

TEST_F(Client, an_answer_to_discover_means_a_modern_server) {
    open();
    EXPECT_EQ(last_method(), "server/discover");
    EXPECT_EQ(last().at("params").at("_meta").at("io.modelcontextprotocol/protocolVersion").as_string(), "2026-07-28");
    answer(R"({"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},)"
           R"("_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}}})");
    EXPECT_EQ(engine().era(), Era::modern);
    EXPECT_EQ(engine().server()->info.version, "2");
    call("tools/list");
    EXPECT_EQ(last().at("params").at("_meta").at("io.modelcontextprotocol/clientInfo").at("name").as_string(), "test");
    EXPECT_TRUE(outgoing.back().stateless);
    EXPECT_EQ(outgoing.back().revision, "2026-07-28");
}

TEST_F(Client, an_ordinary_error_to_discover_leads_to_initialize) {
    for (const int code : {-32601, -32602, -32600, -32000, 7}) {
        ClientWorld world;
        world.open();
        world.refuse(code);
        EXPECT_EQ(world.last_method(), "initialize") << code;
    }
}

TEST_F(Client, a_failed_sign_in_is_not_followed_by_initialize) {
    const CallId waiting = call("tools/list");
    open();
    engine().failed(1, {code::not_authorised, "nobody there"}, now), take();
    EXPECT_EQ(sent.size(), 1u);
    EXPECT_EQ(hangups, 1);
    EXPECT_EQ(error_of(waiting), code::not_authorised);
}

TEST_F(Client, connect_timeouts_pause_while_the_user_signs_in) {
    const CallId waiting = call("tools/list");
    open();
    engine().user_asked(true, now), take();
    for (int i = 0; i < 20; ++i) pass(30s);
    EXPECT_EQ(sent.size(), 1u);
    EXPECT_EQ(error_of(waiting), 1);
    engine().user_asked(false, now), take();
    pass(settings.limits.probe_time - 1s);
    EXPECT_EQ(sent.size(), 1u);
    pass(2s);
    EXPECT_EQ(last_method(), "initialize");
    pass(settings.limits.connect_time);
    EXPECT_EQ(error_of(waiting), code::request_timeout);
}

TEST_F(Client, a_calls_timeout_restarts_after_the_user_signed_in) {
    connect_legacy();
    const CallId id = call("tools/list");
    pass(settings.limits.request_time - 1s);
    engine().user_asked(true, now), take();
    pass(2s);
    engine().user_asked(false, now), take();
    pass(settings.limits.request_time - 1s);
    EXPECT_EQ(error_of(id), 1);
    pass(2s);
    EXPECT_EQ(error_of(id), code::request_timeout);
}

TEST_F(Client, an_invalid_answer_to_discover_leads_to_initialize) {
    open();
    answer(R"({"hello":1})");
    EXPECT_EQ(last_method(), "initialize");
}

TEST_F(Client, unsupported_version_without_a_common_revision_closes_the_connection) {
    open();
    refuse(code::unsupported_version, R"({"supported":["2031-01-01"],"requested":"2026-07-28"})");
    EXPECT_EQ(hangups, 1);
    EXPECT_EQ(error_of(call("tools/list")), code::unsupported_version);
}

TEST_F(Client, unsupported_version_that_offers_a_legacy_revision_leads_to_initialize) {
    open();
    refuse(code::unsupported_version, R"({"supported":["2031-01-01","2025-06-18"]})");
    EXPECT_EQ(last_method(), "initialize");
}

TEST_F(Client, no_answer_to_discover_leads_to_initialize) {
    open();
    pass(settings.limits.probe_time - 1ms);
    EXPECT_EQ(sent.size(), 1u);
    pass(1ms);
    EXPECT_EQ(last_method(), "initialize");
    answer(R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}})");
    EXPECT_EQ(engine().era(), Era::legacy);
}

TEST_F(Client, a_late_answer_to_discover_still_selects_the_modern_era) {
    open();
    const std::string probe = last_id();
    pass(settings.limits.probe_time);
    answer_id(probe, R"({"supportedVersions":["2026-07-28"],"capabilities":{}})");
    EXPECT_EQ(engine().era(), Era::modern);
    refuse(code::method_not_found);  // the answer to initialize, which is no longer expected
    EXPECT_EQ(engine().era(), Era::modern);
    EXPECT_EQ(hangups, 0);
}

TEST_F(Client, a_late_error_to_discover_is_ignored) {
    open();
    const std::string probe = last_id();
    pass(settings.limits.probe_time);
    receive(R"({"jsonrpc":"2.0","id":)" + probe + R"(,"error":{"code":-32601,"message":"no"}})");
    EXPECT_EQ(sent.size(), 2u);
    answer(R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}})");
    EXPECT_EQ(engine().era(), Era::legacy);
}

TEST_F(Client, a_server_that_closes_on_discover_is_reopened_once_with_initialize) {
    const CallId waiting = call("tools/list");
    open();
    close();
    EXPECT_EQ(reopens, 1);
    EXPECT_EQ(error_of(waiting), 1);
    open();
    EXPECT_EQ(last_method(), "initialize");
    close();
    EXPECT_EQ(reopens, 1);
    EXPECT_EQ(error_of(waiting), code::connection_closed);
}

TEST_F(Client, in_the_modern_era_initialize_is_never_sent) {
    settings.era = Era::modern;
    open();
    pass(settings.limits.probe_time);
    EXPECT_EQ(sent.size(), 1u);
    refuse(code::method_not_found);
    EXPECT_EQ(hangups, 1);
    EXPECT_EQ(sent.size(), 1u);
}

TEST_F(Client, connecting_times_out) {
    const CallId connect = call(Kind::connect);
    open();
    pass(settings.limits.connect_time);
    EXPECT_EQ(error_of(connect), code::request_timeout);
    EXPECT_EQ(hangups, 1);
}

// ---- calls

// rules: LIFE-10
TEST_F(Client, requests_for_undeclared_capabilities_are_not_sent) {
    settings.era = Era::legacy;
    open();
    answer(
        R"({"protocolVersion":"2025-11-25","capabilities":{"resources":{}},"serverInfo":{"name":"s","version":"1"}})");
    const auto before = sent.size();
    for (const std::string method : {"tools/list", "prompts/get", "logging/setLevel", "resources/subscribe"})
        EXPECT_EQ(error_of(call(method)), code::method_not_found) << method;
    EXPECT_EQ(sent.size(), before);
    EXPECT_EQ(error_of(call("resources/list")), 1);
    EXPECT_EQ(error_of(call("acme/own")), 1);
}

TEST_F(Client, methods_of_another_revision_are_not_sent) {
    connect_modern();
    EXPECT_EQ(error_of(call("resources/subscribe", {{"uri", "a:b"}})), code::method_not_found);
}

// rules: RPC-10
TEST_F(Client, answers_in_any_order_reach_their_calls) {
    connect_legacy();
    const CallId a = call("tools/list");
    const std::string id_a = last_id();
    const CallId b = call("prompts/list");
    EXPECT_NE(id_a, last_id());
    answer(R"({"prompts":[]})");
    EXPECT_EQ(error_of(b), 0);
    EXPECT_EQ(error_of(a), 1);
    answer_id(id_a, R"({"tools":[]})");
    EXPECT_EQ(json::write(*answers.at(a)), R"({"tools":[]})");
}

// rules: RPC-9
TEST_F(Client, stray_and_malformed_messages_are_logged_and_ignored) {
    connect_legacy();
    const CallId a = call("tools/list");
    for (const std::string text :
         {R"({"jsonrpc":"2.0","id":999,"result":{}})", R"({"jsonrpc":"2.0","id":"2","result":{}})", "hello", "[]", "{}",
          R"({"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}})", R"({"jsonrpc":"2.0","method":3})",
          R"({"jsonrpc":"1.0","id":77,"result":{}})"}) {  // the same for an open request: unreadable_answers_test.cpp
        notes.clear();
        receive(text);
        EXPECT_EQ(notes.size(), 1u) << text;
    }
    EXPECT_EQ(error_of(a), 1);
    answer("{}");
    EXPECT_EQ(error_of(a), 0);
}

// rules: RPC-4, ANTI-9
TEST_F(Client, an_answer_with_result_and_error_is_an_error) {
    connect_legacy();
    const CallId a = call("tools/list");
    receive(R"({"jsonrpc":"2.0","id":)" + last_id() + R"(,"result":{},"error":{"code":1,"message":"x"}})");
    EXPECT_EQ(error_of(a), code::internal_error);
}

TEST_F(Client, the_code_and_data_of_an_error_reach_the_caller) {
    connect_legacy();
    const CallId a = call("resources/read", {{"uri", "a:b"}});
    refuse(-32002, R"({"uri":"a:b"})");
    EXPECT_EQ(error_of(a), -32002);
    EXPECT_EQ(json::write(answers.at(a).error().data), R"({"uri":"a:b"})");
}

// ---- time

// rules: LIFE-15, SEC-5, TOOL-14
TEST_F(Client, a_timed_out_call_is_cancelled_at_the_server) {
    connect_legacy();
    const CallId a = call("tools/call", {{"name", "t"}});
    const std::string id = last_id();
    EXPECT_EQ(engine().next_deadline(), now + settings.limits.request_time);
    pass(settings.limits.request_time);
    EXPECT_EQ(error_of(a), code::request_timeout);
    EXPECT_EQ(last_method(), "notifications/cancelled");
    EXPECT_EQ(json::write(last().at("params").at("requestId")), id);
    EXPECT_EQ(outgoing.back().kind, OutgoingMessage::Kind::cancellation);
    EXPECT_EQ(std::to_string(outgoing.back().id), id);
    answer_id(id, "{}");  // too late, and ignored
    EXPECT_EQ(engine().next_deadline(), std::nullopt);
}

// rules: LIFE-15, LIFE-17
TEST_F(Client, progress_extends_the_timeout_up_to_max_request_time) {
    connect_legacy();
    settings.limits.max_request_time = 30min;
    std::vector<double> seen;
    ClientCall c;
    c.method = "tools/call";
    c.progress = std::make_shared<const std::function<void(const Progress&)>>(
        [&](const Progress& p) { seen.push_back(p.progress); });
    const CallId a = call(std::move(c));
    const std::string token = json::write(last().at("params").at("_meta").at("progressToken"));
    int n = 0;
    for (; error_of(a) == 1 && n < 1000; ++n) {
        pass(settings.limits.request_time - 1s);
        receive(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + token +
                R"(,"progress":)" + std::to_string(n) + "}}");
    }
    EXPECT_EQ(n, 31);  // 59 s each, until the limit of 30 min
    EXPECT_EQ(seen.size(), 30u);
    EXPECT_EQ(error_of(a), code::request_timeout);
}

// rules: LIFE-17
TEST_F(Client, unrequested_or_non_increasing_progress_is_dropped) {
    connect_legacy();
    std::vector<double> seen;
    ClientCall c;
    c.method = "tools/call";
    c.progress = std::make_shared<const std::function<void(const Progress&)>>(
        [&](const Progress& p) { seen.push_back(p.progress); });
    call(std::move(c));
    const std::string token = last_id();
    const auto progress = [&](const std::string& t, std::string_view value) {
        receive(R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":)" + t +
                R"(,"progress":)" + std::string(value) + "}}");
    };
    progress("4711", "1"), progress(token, "2"), progress(token, "2"), progress(token, "1"), progress(token, "\"x\"");
    progress(token, "3");
    EXPECT_EQ(seen, (std::vector<double>{2, 3}));
    answer("{}");
    progress(token, "4");
    EXPECT_EQ(seen.size(), 2u);
}

// rules: LIFE-16
TEST_F(Client, cancelling_ends_a_call_at_once_and_notifies_the_server) {
    connect_legacy();
    const CallId a = call("tools/call", {{"name", "t"}});
    const std::string id = last_id();
    engine().cancel(a, "enough");
    take();
    EXPECT_EQ(error_of(a), code::call_cancelled);
    EXPECT_EQ(json::write(last().at("params")), R"({"requestId":)" + id + R"(,"reason":"enough"})");
    engine().cancel(a, "again");
    answer_id(id, "{}");
    take();
    EXPECT_EQ(answers.size(), 1u);
}

// rules: LIFE-16
TEST_F(Client, initialize_and_discover_are_never_cancelled) {
    const CallId a = call("tools/list");
    open();
    engine().cancel(a, "enough");
    pass(settings.limits.probe_time);
    engine().shut_down({code::connection_closed, "closed"});
    take();
    for (const json::value& v : sent) EXPECT_NE(v.at("method").as_string(), "notifications/cancelled");
}

TEST_F(Client, every_call_fails_when_an_event_was_handled_only_in_part) {
    connect_legacy();
    const CallId a = call("tools/list");
    const CallId b = call(Kind::ping);
    engine().broke();
    take();
    EXPECT_EQ(error_of(a), code::connection_closed);
    EXPECT_EQ(error_of(b), code::connection_closed);
    EXPECT_EQ(error_of(call("tools/list")), code::connection_closed);
    EXPECT_FALSE(engine().next_deadline());
}

TEST_F(Client, every_call_fails_when_the_connection_closes) {
    connect_legacy();
    const CallId a = call("tools/list");
    const CallId b = call(Kind::ping);
    close("it died");
    EXPECT_EQ(error_of(a), code::connection_closed);
    EXPECT_EQ(error_of(b), code::connection_closed);
    EXPECT_EQ(error_of(call("tools/list")), code::connection_closed);
    EXPECT_EQ(engine().pending(), 0u);
    EXPECT_EQ(engine().next_deadline(), std::nullopt);
}

TEST_F(Client, calls_over_the_limits_are_refused) {
    settings.limits.max_pending_calls = 2;
    settings.limits.max_message_bytes = 2000;
    connect_legacy();
    EXPECT_EQ(error_of(call("tools/call", {{"name", std::string(2000, 'x')}})), code::limit_reached);
    call("tools/list"), call("tools/list");
    EXPECT_EQ(error_of(call("tools/list")), code::limit_reached);
}

// ---- differences between the eras

TEST_F(Client, ping_sends_ping_or_in_the_modern_era_discover) {
    connect_legacy();
    call(Kind::ping);
    EXPECT_EQ(last_method(), "ping");
    ClientWorld modern;
    modern.connect_modern();
    modern.call(Kind::ping);
    EXPECT_EQ(modern.last_method(), "server/discover");
}

TEST_F(Client, the_log_level_is_a_request_or_in_the_modern_era_part_of_each_request) {
    connect_legacy();
    call(Kind::set_level, {{"level", "error"}});
    EXPECT_EQ(last_method(), "logging/setLevel");
    ClientWorld modern;
    modern.connect_modern();
    EXPECT_EQ(modern.error_of(modern.call(Kind::set_level, {{"level", "error"}})), 0);
    modern.call("tools/list");
    EXPECT_EQ(modern.last().at("params").at("_meta").at("io.modelcontextprotocol/logLevel").as_string(), "error");
}

TEST_F(Client, a_subscription_stays_open_until_unsubscribed) {
    connect_modern();
    const CallId a = call(Kind::subscribe, {{"uri", "a:b"}});
    EXPECT_EQ(last_method(), "subscriptions/listen");
    const std::string id = last_id();
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/subscriptionId":)" + id + "}";
    receive(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{)" + meta +
            R"(,"notifications":{"resourceSubscriptions":["a:b"]}}})");
    EXPECT_EQ(error_of(a), 0);
    pass(24h);
    receive(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b",)" + meta + "}}");
    receive(R"({"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b",)"
            R"("_meta":{"io.modelcontextprotocol/subscriptionId":77}}})");
    EXPECT_EQ(announced.size(), 1u);
    EXPECT_EQ(error_of(call(Kind::unsubscribe, {{"uri", "a:b"}})), 0);
    EXPECT_EQ(last_method(), "notifications/cancelled");
    EXPECT_EQ(json::write(last().at("params").at("requestId")), id);
    EXPECT_EQ(error_of(call(Kind::unsubscribe, {{"uri", "a:b"}})), code::invalid_params);
}

TEST_F(Client, a_subscription_that_is_not_granted_is_an_error) {
    connect_modern();
    const CallId a = call(Kind::subscribe, {{"uri", "a:b"}});
    receive(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":)"
            R"({"io.modelcontextprotocol/subscriptionId":)" +
            last_id() + R"(},"notifications":{}}})");
    EXPECT_EQ(error_of(a), code::invalid_answer);
}

TEST_F(Client, a_modern_client_with_list_callbacks_subscribes_to_list_changes) {
    settings.hears_tools = true;
    connect_modern();
    EXPECT_EQ(last_method(), "subscriptions/listen");
    EXPECT_EQ(json::write(last().at("params").at("notifications")), R"({"toolsListChanged":true})");
}

// The server may have made the list before its acknowledgement, and it notifies only of later changes.
TEST_F(Client, a_list_that_was_requested_before_the_subscription_began_counts_as_changed) {
    settings.hears_tools = settings.hears_prompts = true;
    connect_modern();
    const std::string acknowledged =
        R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":)"
        R"({"io.modelcontextprotocol/subscriptionId":)" +
        last_id() + R"(},"notifications":{"toolsListChanged":true}}})";
    call("tools/list");
    receive(acknowledged);
    ASSERT_EQ(announced.size(), 1u);
    EXPECT_EQ(announced.front().method, "notifications/tools/list_changed");
}

TEST_F(Client, nothing_counts_as_changed_when_a_subscription_begins_before_the_first_list) {
    settings.hears_tools = true;
    connect_modern();
    receive(R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":)"
            R"({"io.modelcontextprotocol/subscriptionId":)" +
            last_id() + R"(},"notifications":{"toolsListChanged":true}}})");
    call("tools/list");
    EXPECT_EQ(announced.size(), 0u);
}

}  // namespace
}  // namespace tenon::core
