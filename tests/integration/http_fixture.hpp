// A real HttpServer in this process, with tools that wait for the test, and clients over real sockets.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <list>
#include <mutex>
#include <optional>
#include <thread>

#include <tenon/tenon.hpp>
#include <tenon/transport/http_server.hpp>

#include "support/http_client.hpp"

namespace tenon::test {

/// Counts events of the handlers. The test can wait for a count.
class Seen {
 public:
    void count(const std::string& what) {
        const std::lock_guard lock(mutex_);
        ++counts_[what];
        changed_.notify_all();
    }
    int of(const std::string& what) {
        const std::lock_guard lock(mutex_);
        return counts_[what];
    }
    bool wait_for(const std::string& what, int times = 1) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, http_patience, [&] { return counts_[what] >= times; });
    }
    /// For handlers. Returns true when the event was counted, false when the handler has to stop.
    bool wait_for(const std::string& what, std::stop_token stop) {
        std::unique_lock lock(mutex_);
        return changed_.wait(lock, std::move(stop), [&] { return counts_[what] > 0; });
    }

 private:
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::map<std::string, int> counts_;
};

inline std::string call_body(std::string_view tool, const std::string& arguments = "{}", const std::string& id = "1",
                             const std::string& meta = "") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":)" + arguments + (meta.empty() ? "" : ",\"_meta\":{" + meta + "}") + "}}";
}
inline std::string echo_body(const std::string& text, const std::string& id = "1") {
    return call_body("echo", R"({"message":")" + text + "\"}", id);
}
inline const std::string modern =
    R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{})";
inline std::string modern_bytes(std::string_view tool, const std::string& arguments = "{}",
                                const std::string& more_meta = "", const std::string& more_fields = "") {
    return post_bytes(call_body(tool, arguments, "1", modern + more_meta),
                      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + std::string(tool) +
                          "\r\n" + more_fields);
}
inline const std::string ping_body = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
inline std::string initialize_body(const std::string& capabilities = "{}") {
    return R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":)" +
           capabilities + R"(,"clientInfo":{"name":"t","version":"1"}}})";
}
inline std::string get_bytes(const std::string& session, const std::string& fields = "") {
    return "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: " + session + "\r\n" +
           fields + "\r\n";
}

class HttpIntegration : public testing::Test {
 protected:
    ~HttpIntegration() override { http.reset(); }

    void start(Limits limits = {}, HttpOptions options = {}) {
        limits.max_notifications_per_second = 0;  // tests of back pressure report without pause
        server.emplace("test", "1", ServerOptions{.limits = limits});
        add_tools();
        options.port = 0;
        http.emplace(*server, std::move(options));
    }
    HttpClient connect(int receive_buffer = 0) {
        if (!http) start();
        return HttpClient(http->port(), receive_buffer);
    }
    HttpReply once(const std::string& bytes) {
        HttpClient client = connect();
        client.send(bytes);
        return client.reply();
    }
    static std::string in_session(const std::string& id) { return "Mcp-Session-Id: " + id + "\r\n"; }
    std::string begin(HttpClient& client, const std::string& capabilities = "{}", const std::string& fields = "") {
        client.send(post_bytes(initialize_body(capabilities), fields));
        const std::string id = client.reply().field("mcp-session-id");
        client.send(post_bytes(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", in_session(id) + fields));
        EXPECT_EQ(client.reply().status, 202);
        return id;
    }
    static std::string text_of(const HttpReply& reply) { return text_of(reply.message()); }
    static std::string text_of(const std::string& message) {
        const auto parsed = json::parse(message, {1000});
        if (!parsed || !parsed->is_object() || !parsed->as_object().contains("result")) return "no result: " + message;
        return std::string(parsed->at("result").at("content").at(0).at("text").as_string());
    }
    /// Checks that the server still answers.
    /// Sends three requests whose body waits for the status 100.
    static void expect_continue(HttpClient& client) {
        for (int i = 0; i < 3; ++i) {
            const std::string bytes = modern_bytes("echo", R"({"message":"x"})", "", "Expect: 100-continue\r\n");
            const std::size_t body = bytes.find("\r\n\r\n") + 4;
            client.send(bytes.substr(0, body));
            ASSERT_EQ(client.reply().status, 100);
            client.send(bytes.substr(body));
            EXPECT_EQ(text_of(client.reply()), "x");
        }
    }
    void expect_alive() { EXPECT_EQ(text_of(once(modern_bytes("echo", R"({"message":"alive"})"))), "alive"); }

    Seen seen;
    std::optional<Server> server;
    std::optional<HttpServer> http;

 private:
    void add_tools() {
        const auto message = args(arg<std::string>("message", "What"));
        server->tool("echo", "Says it again", message, [this](std::string m) { return seen.count("echo"), m; });
        server->tool("echo_inline", "The same, at once", message, [](std::string m) { return m; },
                     {.placement = Placement::inline_});
        server->tool("wait", "Until the test says go", [this](Context& ctx) {
            seen.count("waiting");
            const bool went = seen.wait_for("go", ctx.stop_token());
            seen.count(went ? "went" : "stopped");
            return went ? "went" : "stopped";
        });
        server->tool("talk_and_wait", "Says something first", [this](Context& ctx) {
            ctx.progress(1);
            seen.count("waiting");
            const bool went = seen.wait_for("go", ctx.stop_token());
            seen.count(went ? "went" : "stopped");
            return went ? "went" : "stopped";
        });
        server->tool("flood", "Speaks until it is stopped, or so often",
                     args(arg<int>("times", "How often"), arg<int>("bytes", "How much each time")),
                     [this](Context& ctx, int times, int bytes) {
                         const std::string text(static_cast<std::size_t>(bytes), 'f');
                         for (int i = 1; i <= times && !ctx.cancelled(); ++i) ctx.progress(i, {}, text);
                         seen.count(ctx.cancelled() ? "flood stopped" : "flooded");
                         return "flooded";
                     });
        server->tool("ask", "Asks the user", [](Context& ctx) -> std::string {
            const auto answer = ctx.elicit("Well?", json::object{{"type", "object"}, {"properties", json::object()}});
            return answer.action == ElicitAction::accept ? "yes" : "no";
        });
    }
};

}  // namespace tenon::test
