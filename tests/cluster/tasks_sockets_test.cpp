// Shared tasks with everything that runs for real: two servers with sockets and threads, and a store with threads.
#include <condition_variable>
#include <mutex>
#include <stop_token>

#include <gtest/gtest.h>

#include <tenon/store/open.hpp>
#include <tenon/tenon.hpp>

#include "support/http_client.hpp"
#include "support/owned_store.hpp"
#include "support/redis_server.hpp"
#include "support/temporary_folder.hpp"

namespace tenon::test {
namespace {

/// One node, with its own connection to the store.
struct RealNode {
    explicit RealNode(const std::string& url) : owned(open_store(url).value()), http(with_tools(server), options()) {}
    HttpOptions options() const {
        HttpOptions out;
        out.port = 0;
        out.store = owned.store;
        return out;
    }
    static Server& with_tools(Server& server) {
        server.tool("until_stopped", "Works until it is stopped",
                    [](Context& ctx) {
                        std::mutex mutex;
                        std::condition_variable_any stopped;
                        std::unique_lock lock(mutex);
                        stopped.wait(lock, ctx.stop_token(), [] { return false; });
                        return "stopped";
                    },
                    {.task = TaskSupport::required});
        server.tool(
            "asks", "Asks the user",
            [](Context& ctx) {
                return std::string(
                    ctx.elicit("Who?", {{"type", "object"},
                                        {"properties", json::object{{"name", json::object{{"type", "string"}}}}}})
                        .content.at("name")
                        .as_string());
            },
            {.task = TaskSupport::required});
        return server;
    }
    json::value ask(std::string_view method, const std::string& name, json::object params) {
        params["_meta"] =
            json::object{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                         {"io.modelcontextprotocol/clientCapabilities",
                          json::object{{"extensions", json::object{{"io.modelcontextprotocol/tasks", json::object()}}},
                                       {"elicitation", json::object()}}}};
        const std::string body =
            json::write(json::object{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(params)}});
        HttpClient client(http.port());
        client.send(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
            "Content-Type: application/json\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " +
            std::string(method) + "\r\nMcp-Name: " + name + "\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body);
        return json::parse(client.reply().message()).value().at("result");
    }
    std::string start(const std::string& tool) {
        return std::string(
            ask("tools/call", tool, {{"name", tool}, {"arguments", json::object()}}).at("taskId").as_string());
    }
    json::value task(const std::string& id) { return ask("tasks/get", id, {{"taskId", id}}); }
    /// Asks until the task has this status, and returns it. ctest ends a test that waits for ever.
    json::value task_when(const std::string& id, std::string_view status) {
        for (;;)
            if (json::value now = task(id); now.at("status").as_string() == status) return now;
    }

    const OwnedStore owned;
    Server server{"node", "1"};
    HttpServer http;
};

struct TasksOverSockets : testing::TestWithParam<std::string_view> {
    void SetUp() override {
        if (GetParam() == "redis" && !redis) GTEST_SKIP() << "redis-server is not installed";
    }
    std::string url() const { return redis ? redis->url() : "sqlite:" + (folder / "state.db").string(); }

    const TemporaryFolder folder;
    const std::unique_ptr<RedisServer> redis =
        GetParam() == "redis" && RedisServer::is_installed() ? std::make_unique<RedisServer>() : nullptr;
};

INSTANTIATE_TEST_SUITE_P(Stores, TasksOverSockets, testing::Values("sqlite", "redis"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(TasksOverSockets, nodes_share_the_life_of_a_task) {
    RealNode a(url()), b(url());
    const std::string asking = a.start("asks"), running = a.start("until_stopped");
    const json::value asked = b.task_when(asking, "input_required");
    const std::string key(asked.at("inputRequests").as_object().begin()->key());
    b.ask("tasks/update", asking,
          {{"taskId", asking},
           {"inputResponses",
            json::object{{key, json::object{{"action", "accept"}, {"content", json::object{{"name", "Zoe"}}}}}}}});
    EXPECT_EQ(b.task_when(asking, "completed").at("result").at("content").at(0).at("text"), "Zoe");
    EXPECT_EQ(a.task(asking).at("status"), "completed");

    EXPECT_EQ(b.task(running).at("status"), "working");
    b.ask("tasks/cancel", running, {{"taskId", running}});
    EXPECT_EQ(a.task(running).at("status"), "cancelled");
    // The end of node a waits for its handlers: the cancellation on node b has stopped the one that runs until then.
}

}  // namespace
}  // namespace tenon::test
