// The client's HTTP transport against our own server, over real sockets.
// rules: HTTP-1, HTTP-4, HTTP-10, LIFE-16
#include <future>

#include <tenon/client.hpp>
#include <tenon/transport/http_client.hpp>

#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

class HttpClientIntegration : public HttpIntegration, public testing::WithParamInterface<Era> {
 protected:
    static Era era() { return GetParam(); }
    Client client(ClientOptions options = {}, HttpClientOptions http_options = {}) {
        if (!http) start();
        if (http_options.url.empty()) http_options.url = http->url();
        http_options.proxy = "";
        if (options.era == Era::automatic) options.era = era();
        return Client(tenon::http(std::move(http_options)), std::move(options));
    }
    static std::string text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }
    static int error_of(const std::function<void()>& call) {
        try {
            call();
        } catch (const Exception& e) {
            return e.error().code;
        }
        return 0;
    }
};
INSTANTIATE_TEST_SUITE_P(eras, HttpClientIntegration, testing::Values(Era::legacy, Era::modern),
                         [](const auto& i) { return i.param == Era::legacy ? "legacy" : "modern"; });

TEST_P(HttpClientIntegration, calls_a_tool) {
    Client c = client();
    EXPECT_EQ(c.connect().info.name, "test");
    EXPECT_EQ(c.era(), era());
    EXPECT_EQ(c.list_tools().all().size(), 6u);
    for (int i = 0; i < 50; ++i)
        EXPECT_EQ(text(c.call_tool("echo", {{"message", std::to_string(i)}})), std::to_string(i));
    EXPECT_EQ(text(c.call_tool("echo_inline", {{"message", "ü"}})), "ü");
}

TEST_P(HttpClientIntegration, many_calls_at_once_each_get_their_own_answer) {
    start();
    Client c = client({}, {.max_connections = 8});
    std::vector<std::future<std::string>> calls;
    for (int t = 0; t < 16; ++t)
        calls.push_back(std::async(std::launch::async, [&, t] {
            for (int i = 0; i < 20; ++i) {
                const std::string what = std::to_string(t * 1000 + i);
                if (text(c.call_tool("echo", {{"message", what}})) != what) return std::string("wrong");
            }
            return std::string("right");
        }));
    for (auto& call : calls) EXPECT_EQ(call.get(), "right");
}

TEST_P(HttpClientIntegration, large_messages_are_sent_and_received) {
    Client c = client();
    const std::string large(5 * 1024 * 1024, 'x');
    EXPECT_EQ(text(c.call_tool("echo", {{"message", large}})), large);
}

TEST_P(HttpClientIntegration, progress_is_reported_before_the_answer) {
    Client c = client();
    int reports = 0;
    CallOptions options;
    options.on_progress = [&](const Progress&) { ++reports; };
    EXPECT_EQ(text(c.call_tool("flood", {{"times", 100}, {"bytes", 100}}, options)), "flooded");
    EXPECT_EQ(reports, 100);
}

TEST_P(HttpClientIntegration, a_question_is_answered_during_a_call) {
    ClientOptions options;
    options.on_elicit = [](const ElicitRequest&, std::stop_token) {
        ElicitResult yes;
        yes.action = ElicitAction::accept;
        return yes;
    };
    Client c = client(std::move(options));
    EXPECT_EQ(text(c.call_tool("ask")), "yes");
}

// The only connection is busy with the call that asks. The answer to the question needs a second connection.
TEST_P(HttpClientIntegration, with_one_connection_a_question_is_still_answered_during_its_call) {
    ClientOptions options;
    options.on_elicit = [](const ElicitRequest&, std::stop_token) { return ElicitResult{}; };
    Client c = client(std::move(options), {.max_connections = 1});
    EXPECT_EQ(text(c.call_tool("ask")), "no");
}

TEST_P(HttpClientIntegration, calls_beyond_max_connections_wait_and_can_be_cancelled) {
    Client c = client({}, {.max_connections = 1});
    auto first = std::async(std::launch::async, [&] { return text(c.call_tool("wait")); });
    ASSERT_TRUE(seen.wait_for("waiting"));
    std::stop_source stop;
    auto second = std::async(std::launch::async, [&] {
        CallOptions options;
        options.stop = stop.get_token();
        return error_of([&] { c.call_tool("echo", {{"message", "x"}}, options); });
    });
    stop.request_stop();
    EXPECT_EQ(second.get(), code::call_cancelled);
    seen.count("go");
    EXPECT_EQ(first.get(), "went");
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "y"}})), "y");
    EXPECT_EQ(seen.of("echo"), 1);
}

TEST_P(HttpClientIntegration, streams_leave_a_connection_for_calls) {
    start();
    server->resource("test://a", "a", [] { return std::string("a"); });
    server->resource("test://b", "b", [] { return std::string("b"); });
    Client c = client({}, {.max_connections = 2});
    c.subscribe("test://a");
    EXPECT_EQ(error_of([&] { c.subscribe("test://b"); }), era() == Era::modern ? code::limit_reached : 0);
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "y"}})), "y");
}

TEST_P(HttpClientIntegration, a_message_over_max_queued_output_bytes_is_refused) {
    ClientOptions options;
    options.limits.max_queued_output_bytes = 8000;  // each queued message also counts 1 KiB of overhead
    Client c = client(std::move(options));
    c.connect();
    EXPECT_EQ(error_of([&] { c.call_tool("echo", {{"message", std::string(9000, 'x')}}); }), code::limit_reached);
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "y"}})), "y");
}

// Tenon's own server at its two endpoints of 2024-11-05.
TEST_P(HttpClientIntegration, calls_and_cancellation_work_over_the_2024_11_05_transport) {
    if (era() != Era::legacy) return;  // 2026-07-28 does not have this transport
    HttpOptions old;
    old.old_http_sse = true;
    start({}, std::move(old));
    ClientOptions options;
    options.on_elicit = [](const ElicitRequest&, std::stop_token) { return ElicitResult{}; };
    Client c = client(std::move(options), {.url = "http://127.0.0.1:" + std::to_string(http->port()) + "/sse"});
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "old"}})), "old");
    std::stop_source stop;
    auto call = std::async(std::launch::async, [&] {
        CallOptions how;
        how.stop = stop.get_token();
        return error_of([&] { c.call_tool("wait", {}, how); });
    });
    ASSERT_TRUE(seen.wait_for("waiting"));
    stop.request_stop();
    EXPECT_EQ(call.get(), code::call_cancelled);
    EXPECT_TRUE(seen.wait_for("stopped"));
}

TEST_P(HttpClientIntegration, cancelling_a_call_ends_it_and_stops_its_handler) {
    Client c = client();
    std::stop_source stop;
    auto call = std::async(std::launch::async, [&] {
        CallOptions options;
        options.stop = stop.get_token();
        return error_of([&] { c.call_tool("wait", {}, options); });
    });
    ASSERT_TRUE(seen.wait_for("waiting"));
    stop.request_stop();
    EXPECT_EQ(call.get(), code::call_cancelled);
    EXPECT_TRUE(seen.wait_for("stopped"));
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "alive"}})), "alive");
}

TEST_P(HttpClientIntegration, closing_the_client_ends_running_calls_and_stops_their_handlers) {
    Client c = client();
    auto call = std::async(std::launch::async, [&] { return error_of([&] { c.call_tool("talk_and_wait"); }); });
    ASSERT_TRUE(seen.wait_for("waiting"));
    c.close();
    EXPECT_EQ(call.get(), code::connection_closed);
    EXPECT_TRUE(seen.wait_for("stopped"));  // by DELETE in a session, otherwise by closing the stream
}

TEST_P(HttpClientIntegration, a_running_call_fails_when_the_server_stops) {
    start({.drain_time = 0s});
    Client c = client();
    auto call = std::async(std::launch::async, [&] { return error_of([&] { c.call_tool("wait"); }); });
    ASSERT_TRUE(seen.wait_for("waiting"));
    http.reset();
    EXPECT_NE(call.get(), 0);
    EXPECT_NE(error_of([&] { c.call_tool("echo", {{"message", "x"}}); }), 0);
    EXPECT_TRUE(seen.wait_for("stopped"));  // with this drain_time, the server did not wait for the handler
}

TEST_P(HttpClientIntegration, a_refused_connection_is_an_error) {
    std::string url;
    {
        start();
        url = http->url();
        http.reset();
    }
    Client c(tenon::http({.url = url, .proxy = ""}), {.era = era()});
    EXPECT_NE(error_of([&] { c.connect(); }), 0);
}

TEST_P(HttpClientIntegration, the_era_is_detected_automatically) {
    start();
    Client c(tenon::http({.url = http->url(), .proxy = ""}));
    c.connect();
    EXPECT_EQ(c.era(), Era::modern);
}

// A new server at the same port does not know the session.
TEST_P(HttpClientIntegration, calls_work_again_after_the_server_restarted) {
    start();
    const std::uint16_t port = http->port();
    Client c = client();
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "before"}})), "before");
    http.reset();
    http.emplace(*server, HttpOptions{.port = port});
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "after"}})), "after");
    EXPECT_EQ(seen.of("echo"), 2);
}

TEST_P(HttpClientIntegration, invalid_options_are_refused_at_construction) {
    for (const char* url : {"", "mcp", "ftp://a/b", "http://", "http://a:0/", "http://a:99999/", "http://u:p@a/"})
        EXPECT_THROW(tenon::http({.url = url}), Exception) << url;
    EXPECT_THROW(tenon::http({.url = "http://a/", .headers = {{"A b", "x"}}}), Exception);
    EXPECT_THROW(tenon::http({.url = "http://a/", .headers = {{"A", "x\r\ny: z"}}}), Exception);
    EXPECT_THROW(tenon::http({.url = "http://a/", .headers = {{"Mcp-Session-Id", "x"}}}), Exception);
    EXPECT_THROW(tenon::http({.url = "http://a/", .proxy = "https://p/"}), Exception);
    EXPECT_THROW(tenon::http({.url = "https://a/", .ca_file = "/nowhere"}), Exception);
}

// rules: RES-8, TOOL-7
TEST_P(HttpClientIntegration, tool_list_changes_are_notified) {
    std::promise<void> heard;
    ClientOptions options;
    options.on_tools_changed = [&, once = std::make_shared<std::once_flag>()] {
        std::call_once(*once, [&] { heard.set_value(); });
    };
    Client c = client(std::move(options));
    c.connect();
    // In 2026-07-28 the subscription is a separate request, which may arrive after the first change. So the list
    // changes again until a change is notified.
    auto future = heard.get_future();
    for (int i = 0; future.wait_for(20ms) != std::future_status::ready; ++i) {
        server->tool("new" + std::to_string(i), "x", [] { return "x"; });
        ASSERT_LT(i, 3000);
    }
}

}  // namespace
}  // namespace tenon::test
