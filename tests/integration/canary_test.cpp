// A canary: a text that a client puts wherever secrets are sent. It must not appear in anything that an operator reads:
// log, audit, metrics, traces (the bytes for the collector) and the wire view.
#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>

#include <tenon/audit.hpp>
#include <tenon/log_lines.hpp>
#include <tenon/metrics.hpp>
#include <tenon/server.hpp>
#include <tenon/trace_exporter.hpp>
#include <tenon/transport/http_server.hpp>
#include <tenon/wire_tap.hpp>

#include "support/http_client.hpp"
#include "support/otlp_collector.hpp"

namespace tenon::test {
namespace {

const std::string canary = "c4n4ryS3cret";

/// Collects everything that an operator may see.
class Reports {
 public:
    void add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        (all_ += text) += '\n';
    }
    std::string all() const {
        const std::lock_guard lock(mutex_);
        return all_;
    }

 private:
    mutable std::mutex mutex_;
    std::string all_;
};

ServerOptions reporting_to(Reports& reports, const TraceExporter& traces, AuditArguments arguments) {
    ServerOptions options;
    options.metrics = std::make_shared<Metrics>();
    // The wire view shows messages. Of their arguments it masks those that are named like a secret, as `redacted` does.
    if (arguments == AuditArguments::redacted)
        options.tap = [&](const WireMessage& m) {
            reports.add(wire_line(m, 100'000));
            reports.add(wire_json(m));
        };
    options.log = [&](const LogRecord& r) {
        reports.add(log_line(r, LogFormat::json));
        reports.add(log_line(r, LogFormat::text));
    };
    options.observers = {log_operations(options.log), traces.observer()};
    options.audit = std::make_shared<AuditLog>(
        AuditOptions{.arguments = arguments, .callback = [&](std::string_view line) { reports.add(line); }});
    return options;
}

std::string call(const std::string& method, const std::string& params) {
    return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
           R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
           R"("io.modelcontextprotocol/clientCapabilities":{},"secret":")" + canary + R"("}}})";
}

std::string fields_of(const std::string& method, const std::string& name) {
    return "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\nMcp-Name: " + name +
           "\r\nAuthorization: Bearer " + canary + "\r\nCookie: session=" + canary + "\r\nX-Api-Key: " + canary +
           "\r\nUser-Agent: " + canary + "\r\nReferer: https://h/?q=" + canary + "\r\nLast-Event-ID: " + canary +
           "\r\nX-Forwarded-For: " + canary + "\r\nProxy-Authorization: Basic " + canary +
           "\r\ntraceparent: " + canary + "\r\nbaggage: user=" + canary + "\r\nX-Any: " + canary + "\r\n";
}

/// Sends the canary in header fields, arguments, URIs, the query of the URL and malformed messages.
void send_canaries(std::uint16_t port, AuditArguments arguments) {
    const std::string tool = R"("name":"t","arguments":{"n":1,"password":")" + canary + R"("})";
    // With `redacted`, only arguments that are named like a secret are masked.
    const std::string n = arguments == AuditArguments::digest ? canary : "x";
    const std::string wrong = R"("name":"t","arguments":{"n":")" + n + R"(","password":[")" + canary + R"("]})";
    const std::string uri = "https://" + canary + ":" + canary + "@example.com/a?token=" + canary + "#x=" + canary;
    const std::vector<std::string> requests = {
        post_bytes(call("tools/call", tool), fields_of("tools/call", "t")),
        post_bytes(call("tools/call", wrong), fields_of("tools/call", "t")),
        post_bytes(call("tools/call", R"("name":"fails","arguments":{"password":")" + canary + R"("})"),
                   fields_of("tools/call", "fails")),
        post_bytes(call("tools/call", R"("name":"none","arguments":{"password":")" + canary + R"("})"),
                   fields_of("tools/call", "none")),
        post_bytes(call("tools/call", tool), fields_of("tools/call", "another")),  // the header differs
        post_bytes(call("resources/read", R"("uri":")" + uri + R"(")"), fields_of("resources/read", uri)),
        post_bytes(call("prompts/get", R"("name":"p","arguments":{"password":")" + canary + R"("})"),
                   fields_of("prompts/get", "p")),
        post_bytes(arguments == AuditArguments::digest ? "{\"" + canary + "\" " + canary
                                                       : "{\"params\":{\"password\":\"" + canary + "\",",
                   fields_of("tools/call", "t")),
        post_bytes(R"({"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"password":")" + canary + R"("}})",
                   fields_of("tools/call", "t")),
        post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{)" + tool + "}}",
                   "Mcp-Session-Id: " + canary + "\r\n"),
        "GET /mcp?token=" + canary + " HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nCookie: " + canary +
            "\r\n\r\n",
        "POST /elsewhere?token=" + canary + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: " + canary + ".example\r\nContent-Length: 0\r\n\r\n",
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nOrigin: https://" + canary + ".example\r\nContent-Length: 0\r\n\r\n",
        "BAD REQUEST " + canary + "\r\n\r\n",
    };
    for (const std::string& bytes : requests) {
        HttpClient connection(port);
        connection.send(bytes);
        EXPECT_GE(connection.reply().status, 200) << bytes;
    }
}

class Canary : public testing::TestWithParam<std::tuple<AuditArguments, bool>> {};
INSTANTIATE_TEST_SUITE_P(All, Canary,
                         testing::Combine(testing::Values(AuditArguments::digest, AuditArguments::redacted),
                                          testing::Bool()));

// rules: SEC-6
TEST_P(Canary, does_not_appear_in_anything_that_an_operator_reads) {
    ::setenv("TENON_CANARY_TOKEN", canary.c_str(), 1);
    const auto [arguments, authenticated] = GetParam();
    Reports reports;
    Collector collector;
    {
        TraceExporterOptions sending;
        sending.endpoint = collector.url();
        sending.headers = {{"Authorization", "Bearer " + canary}};
        sending.arguments = arguments == AuditArguments::redacted;
        sending.close_time = std::chrono::seconds(60);
        TraceExporter traces(sending);
        const ServerOptions options_of_server = reporting_to(reports, traces, arguments);
        Server server("test", "1", options_of_server);
        server.tool("t", "T", args(arg<int>("n"), arg<std::string>("password")), [](int, std::string) { return 1; });
        server.tool("fails", "F", args(arg<std::string>("password")),
                    [](std::string) -> std::string { throw std::runtime_error("no such user"); });
        server.prompt("p", "P", args(arg<std::string>("city")), [](std::string) { return "x"; });
        server.resource("note://a", "a", [] { return "text"; });
        HttpOptions options{.port = 0};
        if (!authenticated)
            options.authenticate = [](std::string_view) -> std::optional<std::string> { return std::nullopt; };
        HttpServer http(server, options);
        send_canaries(http.port(), arguments);
        http.stop();
        for (const auto format : {MetricsFormat::prometheus, MetricsFormat::openmetrics})
            reports.add(write_metrics(options_of_server.metrics->snapshot(), format));
    }
    EXPECT_GE(collector.spans().size(), 10U);
    for (const auto& request : collector.requests()) reports.add(request.body);
    const std::string all = reports.all();
    EXPECT_NE(all.find("\"outcome\":\"refused\""), std::string::npos);
    EXPECT_NE(all.find("mcp_server_operation_duration_seconds_bucket"), std::string::npos);
    const bool tapped = arguments == AuditArguments::redacted && authenticated;  // otherwise no message is read
    EXPECT_EQ(all.find("\"direction\":\"received\"") != std::string::npos, tapped);
    EXPECT_EQ(all.find(authenticated ? "\"outcome\":\"ok\"" : "\"http_status\":401") == std::string::npos, false)
        << all;
    for (std::size_t at = all.find(canary); at != std::string::npos; at = all.find(canary, at + 1)) {
        const std::size_t begin = all.rfind('\n', at) + 1;
        ADD_FAILURE() << all.substr(begin, all.find('\n', at) - begin);
    }
}

}  // namespace
}  // namespace tenon::test
