// Metrics over sockets: /metrics, /healthz, /readyz, and what servers report of themselves.
#include <gtest/gtest.h>

#include <future>
#include <map>
#include <thread>

#include <tenon/store/memory.hpp>
#include <tenon/tenon.hpp>

#include "runtime/server_impl.hpp"
#include "store/operations.hpp"
#include "support/http_client.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

HttpReply get(std::uint16_t port, const std::string& path, const std::string& fields = "",
              const std::string& method = "GET") {
    HttpClient client(port);
    client.send(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n");
    return client.reply();
}

Operation echo_call() {
    Operation o;
    o.method = "tools/call";
    o.name = "echo";
    o.known_method = o.known_name = true;
    o.took = 3ms;
    return o;
}

double value_of(const MetricsSnapshot& snapshot, std::string_view name) {
    const auto* family = snapshot.find(name);
    return family && !family->series.empty() ? family->series.front().value : -1;
}

TEST(MetricsListener, serves_the_format_that_the_reader_prefers) {
    const auto metrics = std::make_shared<Metrics>();
    metrics->record(echo_call());
    const MetricsListener listener(metrics, {.port = 0});
    const HttpReply plain = get(listener.port(), "/metrics");
    EXPECT_EQ(plain.status, 200);
    EXPECT_EQ(plain.field("content-type"), "text/plain; version=0.0.4; charset=utf-8");
    EXPECT_NE(plain.body.find("mcp_server_operation_duration_seconds_count{mcp_method_name=\"tools/call\","
                              "gen_ai_tool_name=\"echo\",outcome=\"ok\"} 1\n"),
              std::string::npos)
        << plain.body;
    const HttpReply open = get(listener.port(), "/metrics?x=y", "Accept: application/openmetrics-text\r\n");
    EXPECT_EQ(open.field("content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    EXPECT_TRUE(open.body.ends_with("# EOF\n"));
}

TEST(MetricsListener, answers_only_get_requests_for_known_paths_and_loopback_hosts) {
    const MetricsListener listener(std::make_shared<Metrics>(), {.port = 0});
    EXPECT_EQ(get(listener.port(), "/healthz").status, 200);
    EXPECT_EQ(get(listener.port(), "/readyz").status, 200);
    EXPECT_EQ(get(listener.port(), "/mcp").status, 404);
    EXPECT_EQ(get(listener.port(), "/metrics", "Content-Length: 0\r\n", "POST").status, 405);
    EXPECT_EQ(get(listener.port(), "/metrics", "Origin: https://evil.example\r\n").status, 403);
    HttpClient rebinding(listener.port());
    rebinding.send("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    EXPECT_EQ(rebinding.reply().status, 403);
    HttpClient nonsense(listener.port());
    nonsense.send("nonsense\r\n\r\n");
    EXPECT_EQ(nonsense.reply().status, 400);
}

// The limit MetricsAddress::max_connections.
TEST(MetricsListener, closes_connections_above_its_limit) {
    const MetricsListener listener(std::make_shared<Metrics>(), {.port = 0, .max_connections = 2});
    HttpClient one(listener.port()), two(listener.port());
    one.send("GET /healthz HTTP/1.1\r\n");  // incomplete, so these two stay
    two.send("GET /healthz HTTP/1.1\r\n");
    HttpClient three(listener.port());
    EXPECT_NE(three.wait_for_end(), HttpClient::End::late);
    one.send("Host: localhost\r\n\r\n");
    EXPECT_EQ(one.reply().status, 200);
}

// The limit MetricsAddress::request_time.
TEST(MetricsListener, closes_a_connection_that_sends_no_request) {
    const MetricsListener listener(std::make_shared<Metrics>(), {.port = 0, .request_time = 1ms});
    HttpClient silent(listener.port());
    EXPECT_NE(silent.wait_for_end(), HttpClient::End::late);
}

TEST(MetricsListener, refuses_a_malformed_address) {
    EXPECT_EQ(MetricsAddress::parse("127.0.0.1:80").port, 80);
    EXPECT_EQ(MetricsAddress::parse("[::1]:9").address, "::1");
    for (const char* text :
         {"", "9464", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", "localhost:1", ":1"})
        EXPECT_THROW(MetricsAddress::parse(text), Exception) << text;
    EXPECT_THROW(MetricsListener(std::make_shared<Metrics>(), {.address = "nonsense"}), Exception);
}

TEST(MetricsReadiness, is_refused_while_a_server_drains_or_has_no_memory) {
    const auto metrics = std::make_shared<Metrics>();
    const MetricsListener listener(metrics, {.port = 0});
    ServerState now{.memory_used = 900, .memory_budget = 1000};
    auto watched = metrics->watch([&](ServerState& state) { state = now; });
    EXPECT_EQ(get(listener.port(), "/readyz").status, 200);
    now.memory_used = 940;
    EXPECT_EQ(get(listener.port(), "/readyz").status, 503);
    EXPECT_EQ(get(listener.port(), "/healthz").status, 200);
    now = {.draining = true};
    const HttpReply draining = get(listener.port(), "/readyz");
    EXPECT_EQ(draining.status, 503);
    EXPECT_EQ(draining.body, "the server is shutting down\n");
    watched.reset();
    EXPECT_EQ(get(listener.port(), "/readyz").status, 200);
}

TEST(HttpServerMetrics, show_sessions_connections_memory_and_workers) {
    std::promise<void> entered, leave;
    Server server("test", "1");
    server.tool("wait", "Waits", [&] {
        entered.set_value();
        leave.get_future().wait();
        return "done";
    });
    HttpServer http_server(server, {.port = 0, .metrics = MetricsAddress{.port = 0}});
    const std::string url = http_server.metrics_url();
    const auto port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    Client client(http({.url = http_server.url(), .proxy = ""}), {.era = Era::legacy});
    auto call = std::async(std::launch::async, [&] { return client.call_tool("wait"); });
    entered.get_future().wait();
    const std::string page = get(port, "/metrics").body;
    EXPECT_NE(page.find("\ntenon_sessions 1\n"), std::string::npos) << page;
    EXPECT_NE(page.find("\ntenon_workers_busy 1\n"), std::string::npos) << page;
    EXPECT_EQ(page.find("\ntenon_connections 0\n"), std::string::npos) << page;
    EXPECT_EQ(page.find("\ntenon_memory_used_bytes 0\n"), std::string::npos) << page;
    leave.set_value();
    call.get();
    EXPECT_EQ(get(port, "/readyz").status, 200);
    client.close();
    EXPECT_TRUE(http_server.stop());
}

TEST(HttpServerMetrics, count_streams_and_refused_connections) {
    const auto metrics = std::make_shared<Metrics>();
    Server server("test", "1", {.limits = {.max_connections = 1}, .metrics = metrics});
    HttpServer http_server(server, {.port = 0, .threads = 1});
    HttpClient listener(http_server.port());
    listener.send(post_bytes(
        R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{},"_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"));
    ASSERT_EQ(listener.head().status, 200);
    EXPECT_EQ(value_of(metrics->snapshot(), "tenon_streams"), 1);
    HttpClient refused(http_server.port());
    EXPECT_EQ(refused.reply().status, 503);
    const auto snapshot = metrics->snapshot();
    ASSERT_EQ(snapshot.find("tenon_limits_hit")->series.size(), 1U);
    EXPECT_EQ(snapshot.find("tenon_limits_hit")->series[0].label("limit"), "max_connections");
    http_server.stop();
    EXPECT_EQ(value_of(metrics->snapshot(), "tenon_streams"), 0) << "the server is gone";
}

TEST(Metrics, counts_the_limits_of_operations_and_connections) {
    Metrics metrics;
    Operation o = echo_call();
    o.end = OperationEnd::refused;
    o.reason = "a text that quotes Limits::max_sessions";
    metrics.observer()(o);
    o.limit = LimitName::max_calls_per_second;
    metrics.observer()(o);
    metrics.observer()(o);
    metrics.limit_hit(LimitName::max_connections);
    const auto snapshot = metrics.snapshot();
    const auto& hits = snapshot.find("tenon_limits_hit")->series;
    ASSERT_EQ(hits.size(), 2U);
    EXPECT_EQ(hits[0].label("limit"), "max_calls_per_second");
    EXPECT_EQ(hits[0].value, 2);
    EXPECT_EQ(hits[1].label("limit"), "max_connections");
}

// Errors carry their limit as a value, so metrics do not depend on the words of a message.
TEST(Metrics, each_kind_of_refusal_names_its_limit) {
    const auto metrics = std::make_shared<Metrics>();
    ServerOptions options;
    options.log = [](const LogRecord&) {};
    options.metrics = metrics;
    options.limits.max_depth = 8;
    options.limits.max_members = 16;
    options.limits.max_nodes = 100;
    options.limits.max_id_bytes = 20;
    options.limits.max_uri_bytes = 30;
    options.limits.max_message_bytes = 2000;
    options.limits.max_subscriptions = 1;
    Server server("test", "1", options);
    server.resource("note://a", "a", [] { return "text"; });
    server.resource("note://b", "b", [] { return "text"; });
    Session session(server);
    session.feed(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"c","version":"1"}}})"
        "\n"
        R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
        "\n");
    const auto refused_by = [&](const std::string& limit, const std::string& message) {
        session.feed(message + "\n");
        const auto snapshot = metrics->snapshot();
        double hits = 0;
        for (const auto& series : snapshot.find("tenon_limits_hit")->series)
            if (series.label("limit") == limit) hits = series.value;
        EXPECT_EQ(hits, 1) << limit << ": " << session.take_output();
    };
    const auto request = [](const std::string& method, const std::string& params) {
        return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
    };
    refused_by("max_depth", request("ping", "{\"a\":[[[[[[[[[[1]]]]]]]]]]}"));
    std::string many = "{\"a\":[0";
    for (int i = 0; i < 200; ++i) many += ",0";
    refused_by("max_nodes", request("ping", many + "]}"));
    std::string wide = "{\"a\":0";
    for (int i = 0; i < 20; ++i) wide += ",\"m" + std::to_string(i) + "\":0";
    refused_by("max_members", request("ping", wide + "}"));
    refused_by("max_id_bytes", R"({"jsonrpc":"2.0","id":")" + std::string(30, 'i') + R"(","method":"ping"})");
    refused_by("max_uri_bytes", request("resources/read", R"({"uri":"note://)" + std::string(40, 'u') + R"("})"));
    refused_by("max_message_bytes", std::string(3000, ' '));
    session.feed(request("resources/subscribe", R"({"uri":"note://a"})") + "\n");
    refused_by("max_subscriptions", request("resources/subscribe", R"({"uri":"note://b"})"));
}

// The store measures its operations, so nothing else may: each would count twice.
TEST(Metrics, the_store_of_tasks_is_timed_once) {
    const auto metrics = std::make_shared<Metrics>();
    Server server("test", "1", {.metrics = metrics});
    StoreOptions options;
    options.observe = metrics->store_observer("memory");
    server.impl()->share_tasks({memory_store(options), "node", [](const auto& f) { f(); }});
    server.tool("job", "J", [] { return 1; }, {.task = TaskSupport::optional});
    Session session(server);
    session.receive(
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
        R"("clientInfo":{"name":"c","version":"1"}}})");
    session.receive(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    session.receive(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"job","task":{}}})");
    const auto snapshot = metrics->snapshot();
    double creations = 0, updates = 0;
    for (const auto& series : snapshot.find("tenon_store_duration_seconds")->series) {
        EXPECT_EQ(series.label("store"), "memory");
        if (series.label("operation") == "tasks.create") creations += static_cast<double>(series.count());
        if (series.label("operation") == "tasks.update") updates += static_cast<double>(series.count());
    }
    EXPECT_EQ(creations, 1);
    EXPECT_GE(updates, 1) << "the task ended";
    const auto* tasks = snapshot.find("tenon_task_duration_seconds");
    ASSERT_EQ(tasks->series.size(), 1U);
    EXPECT_EQ(tasks->series[0].label("gen_ai_tool_name"), "job");
}

TEST(Metrics, the_operations_of_a_store_are_timed_by_name) {
    const auto metrics = std::make_shared<Metrics>();
    StoreOptions options;
    options.observe = metrics->store_observer("memory");
    const auto store = memory_store(options);
    store->values().set("key", "value", std::chrono::hours(1), make_reply<void>([](Result<void>&&) {}));
    store->sessions().load("missing", make_reply<store::StoredSession>([](Result<store::StoredSession>&&) {}));
    for (const auto name : store::op::operation_names) options.observe({name, std::chrono::milliseconds(1), 0});
    std::map<std::string, std::uint64_t> ok, failed;
    const auto snapshot = metrics->snapshot();
    for (const auto& series : snapshot.find("tenon_store_duration_seconds")->series) {
        EXPECT_EQ(series.label("store"), "memory");
        (series.label("outcome") == "ok" ? ok : failed)[std::string(series.label("operation"))] = series.count();
    }
    EXPECT_EQ(ok.size(), std::size(store::op::operation_names));
    EXPECT_FALSE(ok.contains("other"));
    EXPECT_EQ(ok["values.set"], 2U);
    EXPECT_EQ(failed, (std::map<std::string, std::uint64_t>{{"sessions.load", 1}}));
}

// The limit MetricsOptions::max_stores.
TEST(Metrics, counts_stores_above_the_limit_together) {
    Metrics metrics({.max_stores = 2});
    for (const char* store : {"a", "b", "c", "d", "a"})
        metrics.store_times(store, {"get"})->record("get", std::chrono::milliseconds(1));
    const auto snapshot = metrics.snapshot();
    const auto& series = snapshot.find("tenon_store_duration_seconds")->series;
    ASSERT_EQ(series.size(), 3U);
    EXPECT_EQ(series[0].label("store"), "a");
    EXPECT_EQ(series[0].count(), 2U);
    EXPECT_EQ(series[2].label("store"), "other");
    EXPECT_EQ(series[2].count(), 2U);
}

TEST(Metrics, threads_may_record_at_the_same_time) {
    constexpr int threads = 4, each = 2000;
    Metrics metrics({.max_series = 5});
    {
        std::vector<std::jthread> running;
        for (int t = 0; t < threads; ++t)
            running.emplace_back([&, observer = metrics.observer()] {
                for (int i = 0; i < each; ++i) {
                    const std::string name = "tool" + std::to_string(i % 10);
                    Operation o = echo_call();
                    o.name = name;
                    observer(o);
                }
            });
        for (int i = 0; i < 20; ++i) metrics.snapshot();
    }
    std::uint64_t counted = 0;
    const auto snapshot = metrics.snapshot();
    for (const auto& series : snapshot.find("mcp_server_operation_duration_seconds")->series) counted += series.count();
    EXPECT_EQ(counted, static_cast<std::uint64_t>(threads) * each);
}

}  // namespace
}  // namespace tenon::test
