// A canary: a text that a client puts wherever secrets are sent. It must not appear in anything that an operator reads:
// log, audit, metrics, traces (the bytes for the collector) and the wire view.
#include <gtest/gtest.h>

#include <cstdlib>
#include <mutex>

#include <tenon/audit.hpp>
#include <tenon/client.hpp>
#include <tenon/log_lines.hpp>
#include <tenon/metrics.hpp>
#include <tenon/server.hpp>
#include <tenon/trace_exporter.hpp>
#include <tenon/transport/http_client.hpp>
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
    // Each header that the server reads has the canary as its whole value once.
    std::vector<std::string> all = requests;
    for (const char* name : {"Accept",
                             "Accept-Encoding",
                             "Authorization",
                             "Connection",
                             "Content-Encoding",
                             "Content-Type",
                             "Cookie",
                             "DPoP",
                             "Expect",
                             "Forwarded",
                             "Host",
                             "Last-Event-ID",
                             "MCP-Protocol-Version",
                             "Mcp-Method",
                             "Mcp-Name",
                             "Mcp-Param-N",
                             "Mcp-Session-Id",
                             "Origin",
                             "Sec-Fetch-Site",
                             "Transfer-Encoding",
                             "Upgrade",
                             "X-Forwarded-For",
                             "X-Forwarded-Host",
                             "X-Forwarded-Proto",
                             "X-Real-IP",
                             "baggage",
                             "traceparent",
                             "tracestate"})
        all.push_back("POST /mcp HTTP/1.1\r\n" +
                      (name == std::string_view("Host") ? "" : std::string("Host: localhost\r\n")) + name + ": " +
                      canary + "\r\nContent-Length: 0\r\n\r\n");
    all.push_back(post_bytes(call("tools/call", tool), fields_of("tools/call", "t") +
                                                           "traceparent: 00-0af7651916cd43dd8448eb211c80319c-" +
                                                           "b7ad6b7169203331-01\r\nbaggage: user=" + canary + "\r\n"));
    const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n", method = "Mcp-Method: tools/call\r\n";
    const std::string mirrored = R"("name":"t","arguments":{"n":1,"password":"x","region":"a"})";
    for (const std::string& fields :
         {"MCP-Protocol-Version: " + canary + "\r\n" + method + "Mcp-Name: t\r\n",
          version + "Mcp-Method: " + canary + "\r\nMcp-Name: t\r\n", version + method + "Mcp-Name: " + canary + "\r\n",
          version + method + "Mcp-Name: t\r\nMcp-Param-Region: " + canary + "\r\n"})
        all.push_back(post_bytes(call("tools/call", mirrored), fields));
    for (const std::string& bytes : all) {
        HttpClient connection(port);
        connection.send(bytes);
        EXPECT_GE(connection.reply().status, 200) << bytes;
    }
}

void add_features(Server& server) {
    server.tool("t", "T", args(arg<int>("n"), arg<std::string>("password")), [](int, std::string) { return 1; });
    server.tool("fails", "F", args(arg<std::string>("password")),
                [](std::string) -> std::string { throw std::runtime_error("no such user"); });
    server.prompt("p", "P", args(arg<std::string>("city")), [](std::string) { return "x"; });
    server.resource("note://a", "a", [] { return "text"; });
}

void expect_no_canary(const std::string& all) {
    for (std::size_t at = all.find(canary); at != std::string::npos; at = all.find(canary, at + 1)) {
        const std::size_t begin = all.rfind('\n', at) + 1;
        ADD_FAILURE() << all.substr(begin, all.find('\n', at) - begin);
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
        add_features(server);
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
    expect_no_canary(all);
}

/// Calls a server with secrets in the URL, in headers and in arguments. Adds the texts of errors to the reports, except
/// those that the server sent: they are for the caller.
void call_with_canaries(Reports& reports, const std::string& url, const ClientOptions& options) {
    Client client(
        http({.url = url + "?token=" + canary,
              .headers = {{"Authorization", "Bearer " + canary}, {"X-Api-Key", canary}, {"Cookie", "s=" + canary}},
              .proxy = ""}),
        options);
    const std::vector<std::function<void()>> calls = {
        [&] {
            client.call_tool("t", {{"n", 1}, {"password", canary}});
        },
        [&] {
            client.call_tool("t", {{"n", "x"}, {"password", {canary}}});
        },
        [&] {
            client.call_tool("fails", {{"password", canary}});
        },
        [&] {
            client.call_tool("none", {{"password", canary}});
        },
        [&] { client.read_resource("https://" + canary + ":" + canary + "@example.com/?token=" + canary); },
        [&] {
            client.get_prompt("p", {{"password", canary}});
        },
    };
    for (const auto& make : calls) try {
            make();
        } catch (const Exception& e) {
            if (code::is_local(e.error().code)) reports.add(e.what());
        }
}

// rules: SEC-6
TEST(ClientCanary, does_not_appear_in_what_a_client_reports) {
    ::setenv("TENON_CANARY_TOKEN", canary.c_str(), 1);
    for (const Era era : {Era::legacy, Era::modern}) {
        Reports reports;
        Collector collector;
        {
            TraceExporterOptions sending;
            sending.endpoint = collector.url();
            sending.headers = {{"Authorization", "Bearer " + canary}};
            sending.arguments = true;
            sending.close_time = std::chrono::seconds(60);
            TraceExporter traces(sending);
            const ServerOptions like = reporting_to(reports, traces, AuditArguments::redacted);
            ClientOptions options;
            options.era = era;
            options.log = like.log;
            options.tap = like.tap;
            options.audit = like.audit;
            options.observers = like.observers;
            options.observers.push_back(like.metrics->observer());
            Server server("test", "1", {.log = [](const LogRecord&) {}});
            add_features(server);
            HttpServer serving(server, {.port = 0});
            call_with_canaries(reports, serving.url(), options);
            HttpServer closed(server, {.port = 0, .authenticate = [](std::string_view) -> std::optional<std::string> {
                                           return std::nullopt;
                                       }});
            call_with_canaries(reports, closed.url(), options);
            call_with_canaries(reports, "http://127.0.0.1:1/mcp", options);  // there is no server
            for (const auto format : {MetricsFormat::prometheus, MetricsFormat::openmetrics})
                reports.add(write_metrics(like.metrics->snapshot(), format));
        }
        for (const auto& request : collector.requests()) reports.add(request.body);
        const std::string all = reports.all();
        for (const char* sign : {"\"outcome\":\"ok\"", "\"outcome\":\"tool_error\"", "\"http_status\":401",
                                 "\"direction\":\"sent\"", "mcp_client_operation_duration_seconds_bucket"})
            EXPECT_NE(all.find(sign), std::string::npos) << sign;
        expect_no_canary(all);
    }
}

}  // namespace
}  // namespace tenon::test
