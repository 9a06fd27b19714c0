// Records and traces of requests over HTTP.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <optional>

#include <tenon/client.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/http_client.hpp>
#include <tenon/transport/http_mount.hpp>
#include <tenon/transport/http_server.hpp>

#include "support/http_client.hpp"

namespace tenon::test {
namespace {

const std::string trace_a = "00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaa-01";
const std::string trace_b = "00-bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb-bbbbbbbbbbbbbbbb-01";

struct Record {
    std::string method, reason, trace, parent, address, transport, principal;
    int status;
    OperationEnd end;
    Operation::Kind kind;
};

class ObservedHttp : public testing::Test {
 protected:
    ObservedHttp() {
        server_.tool("t", "T", [this](Context& ctx) {
            const std::lock_guard lock(mutex_);
            const auto& headers = ctx.caller().headers;
            header_ = headers.contains("traceparent") ? headers.at("traceparent") : "";
            in_handler_ = ctx.trace();
        });
    }
    ServerOptions observed() {
        ServerOptions options;
        options.log = [](const LogRecord&) {};
        options.observers = {[this](const Operation& o) {
            const std::lock_guard lock(mutex_);
            records_.push_back({std::string(o.method), std::string(o.reason), std::string(o.trace.trace_id()),
                                std::string(o.parent_span), std::string(o.address), std::string(o.transport),
                                std::string(o.principal), o.http_status, o.end, o.kind});
        }};
        return options;
    }
    /// Sends the bytes to a new server, and returns the records when the server has ended.
    std::vector<Record> send(const std::string& bytes, HttpOptions options = {}) {
        records_.clear();
        options.port = 0;
        HttpServer http(server_, std::move(options));
        {
            HttpClient connection(http.port());
            connection.send(bytes);
            connection.reply();
        }
        http.stop();
        return records_;
    }
    static std::string call(const std::string& meta = "", const std::string& fields = "") {
        return post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{)"
                          R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                          R"("io.modelcontextprotocol/clientCapabilities":{})" +
                              meta + "}}}",
                          "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: t\r\n" + fields);
    }

    std::mutex mutex_;
    std::vector<Record> records_;
    std::string header_;
    TraceContext in_handler_;
    Server server_{"test", "1", observed()};
};

TEST_F(ObservedHttp, the_trace_of_the_header_is_continued) {
    const auto records = send(call("", "traceparent: " + trace_a + "\r\ntracestate: v=1\r\n"));
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].trace, trace_a.substr(3, 32));
    EXPECT_EQ(records[0].parent, trace_a.substr(36, 16));
    EXPECT_EQ(records[0].address, "127.0.0.1");
    EXPECT_EQ(records[0].transport, "tcp");
    EXPECT_EQ(in_handler_.tracestate, "v=1");
    EXPECT_EQ(in_handler_.trace_id(), records[0].trace);
}

TEST_F(ObservedHttp, the_trace_of_the_message_comes_before_the_header) {
    const auto records = send(call(R"(,"traceparent":")" + trace_b + '"', "traceparent: " + trace_a + "\r\n"));
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].trace, trace_b.substr(3, 32));
}

// rules: SEC-6
TEST_F(ObservedHttp, each_refused_request_has_one_record_with_its_status) {
    const auto denied = [](std::string_view) -> std::optional<std::string> { return std::nullopt; };
    const auto expect = [this](int status, const std::string& bytes, HttpOptions options = {}) {
        const auto records = send(bytes, std::move(options));
        ASSERT_EQ(records.size(), 1U) << bytes;
        EXPECT_EQ(records[0].status, status) << bytes;
        EXPECT_EQ(records[0].end, OperationEnd::refused);
        EXPECT_NE(records[0].reason, "");
    };
    expect(401, call(), {.authenticate = denied});
    expect(400, post_bytes("nonsense"));
    expect(400, post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"ping"})"));
    expect(404, post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "Mcp-Session-Id: gone\r\n"));
    expect(400, call("", "Mcp-Name: t\r\n"));
    expect(404, "GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(405, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n");
    expect(403, "POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n");
    expect(400, "BAD\r\n\r\n");
}

// rules: SEC-6
TEST_F(ObservedHttp, the_records_of_a_task_name_its_owner) {
    server_.tool("job", "J", [] {}, {.placement = Placement::inline_, .task = TaskSupport::optional});
    HttpServer http(server_, {.port = 0, .authenticate = [](std::string_view authorization) {
                                  return std::optional<std::string>(authorization.substr(sizeof "Bearer"));
                              }});
    const std::string ann = "Authorization: Bearer ann\r\n";
    HttpClient connection(http.port());
    connection.send(post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},)"
                               R"("protocolVersion":"2025-11-25","clientInfo":{"name":"c","version":"1"}}})",
                               ann));
    const std::string session = ann + "Mcp-Session-Id: " + connection.reply().field("mcp-session-id") + "\r\n";
    connection.send(post_bytes(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", session));
    connection.reply();
    connection.send(
        post_bytes(R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"job","task":{}}})", session));
    connection.reply();
    http.stop();
    const std::lock_guard lock(mutex_);
    int tasks = 0;
    for (const Record& record : records_) {
        EXPECT_EQ(record.principal, "ann") << record.method;
        if (record.kind == Operation::Kind::task) ++tasks;
    }
    EXPECT_EQ(tasks, 1);
}

TEST_F(ObservedHttp, a_client_repeats_its_trace_in_the_header) {
    HttpServer serving(server_, {.port = 0, .caller_headers = {"traceparent"}});
    ClientOptions options;
    options.learn_tools = false;
    std::string sent;
    options.observers = {[&](const Operation& o) { sent = o.trace.traceparent; }};
    Client client(http({.url = serving.url(), .proxy = ""}), options);
    client.call_tool("t");
    client.close();
    EXPECT_EQ(header_, sent);
    EXPECT_EQ(in_handler_.trace_id(), std::string_view(sent).substr(3, 32));
}

/// A request of a mount whose observer uses the exchange from another thread. That ends only without the exchange's
/// lock.
class ObservedMount : public testing::Test {
 protected:
    ServerOptions observed() {
        ServerOptions options;
        options.log = [](const LogRecord&) {};
        options.observers = {[this](const Operation& o) {
            ++records_;
            end_ = o.end;
            if (!exchange_) return;
            auto used = std::async(std::launch::async, [this] { exchange_->wants_body(); });
            EXPECT_EQ(used.wait_for(std::chrono::seconds(20)), std::future_status::ready) << "the exchange is locked";
        }};
        return options;
    }
    void send(const std::string& body) {
        connection_.emplace(mount_.connect("127.0.0.1"));
        HttpRequestHead head{"POST", "/mcp", {}};
        head.headers = {{"Host", "localhost"},
                        {"Content-Type", "application/json"},
                        {"Accept", "application/json, text/event-stream"},
                        {"MCP-Protocol-Version", "2026-07-28"},
                        {"Mcp-Method", "tools/call"},
                        {"Mcp-Name", "t"}};
        auto exchange = std::make_shared<HttpMount::Exchange>(connection_->request(head, [] {}));
        exchange_ = exchange;
        exchange->body(body);
        exchange->end_of_body();
        output_ = exchange->wait_and_take(std::chrono::seconds(60));
    }

    std::atomic<int> records_{0};
    OperationEnd end_ = OperationEnd::ok;
    Server server_{"test", "1", observed()};
    HttpMount mount_{server_, {}, {}};
    std::optional<HttpMount::Connection> connection_;
    std::shared_ptr<HttpMount::Exchange> exchange_;
    HttpOutput output_;
};

TEST_F(ObservedMount, an_observer_of_an_inline_call_runs_without_the_lock_of_its_exchange) {
    server_.tool("t", "T", [] { return 1; }, {.placement = Placement::inline_});
    send(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}})");
    EXPECT_EQ(records_.load(), 1);
    EXPECT_EQ(end_, OperationEnd::ok);
    ASSERT_TRUE(output_.head);
    EXPECT_EQ(output_.head->status, 200);
}

TEST_F(ObservedMount, an_observer_of_a_refusal_runs_without_the_lock_of_its_exchange) {
    send("nonsense");
    EXPECT_EQ(records_.load(), 1);
    EXPECT_EQ(end_, OperationEnd::refused);
    ASSERT_TRUE(output_.head);
    EXPECT_EQ(output_.head->status, 400);
}

TEST_F(ObservedMount, an_observer_of_a_body_that_is_too_long_runs_without_the_lock_of_its_exchange) {
    send(std::string(Limits().max_message_bytes + 1, ' '));
    EXPECT_EQ(records_.load(), 1);
    EXPECT_EQ(end_, OperationEnd::refused);
    ASSERT_TRUE(output_.head);
    EXPECT_EQ(output_.head->status, 413);
}

}  // namespace
}  // namespace tenon::test
