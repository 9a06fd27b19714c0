// The audit records of requests over HTTP that are refused, compared with golden/http/audit_refusals.txt.
// rules: SEC-6, TOOL-14
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <mutex>

#include <tenon/audit.hpp>
#include <tenon/server.hpp>
#include <tenon/transport/http_server.hpp>

#include "golden/match.hpp"
#include "support/folders.hpp"
#include "support/http_client.hpp"

namespace tenon::test {
namespace {

const std::string ann = "Authorization: Bearer token-of-ann\r\n";

std::string call(const std::string& tool, const std::string& fields, const std::string& arguments = "{}") {
    return post_bytes(
        R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" + arguments +
            R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
            R"("io.modelcontextprotocol/clientInfo":{"name":"client","version":"1"},)"
            R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n" + fields);
}

/// The requests of the golden file, by name. Each is sent to a new server.
const std::map<std::string, std::vector<std::string>> cases = {
    {"no credentials", {call("free", "")}},
    {"a wrong token", {call("free", "Authorization: Bearer unknown-token\r\n")}},
    {"a foreign host", {"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n"}},
    {"a missing scope", {call("guarded", ann)}},
    {"a lost session",
     {post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", ann + "Mcp-Session-Id: a-secret-id\r\n")}},
    {"nonsense", {post_bytes("nonsense", ann)}},
    {"a header that differs",
     {post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{)"
                 R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                 R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
                 ann + "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n")}},
    {"an unknown revision",
     {post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})", ann + "MCP-Protocol-Version: 1999-01-01\r\n")}},
    {"a request without a session", {post_bytes(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", ann)}},
    {"a method of HTTP that is not allowed", {"PUT /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"}},
    {"a stream that the client does not accept",
     {"GET /mcp HTTP/1.1\r\nHost: localhost\r\n" + ann + "Accept: text/html\r\n\r\n"}},
    {"a body of another type",
     {"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + ann + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}"}},
    {"a body that is too long",
     {"POST /mcp HTTP/1.1\r\nHost: localhost\r\n" + ann +
      "Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n"}},
    {"a head that is too long",
     {"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: " + std::string(100'000, 'x') + "\r\n\r\n"}},
    {"another path", {"POST /elsewhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"}},
    {"a request that is not HTTP", {"nonsense\r\n\r\n"}},
    {"an unknown name", {call("missing", ann)}},
    {"invalid arguments", {call("free", ann, R"({"n":"canary"})")}},
    {"a rate limit", {call("rare", ann), call("rare", ann)}},
};

class AuditOverHttp : public testing::Test {
 protected:
    ServerOptions audited() {
        ServerOptions options;
        options.log = [](const LogRecord&) {};
        options.rate_limits.tools["rare"] = {.calls = 1, .per = std::chrono::hours(1)};
        options.audit = std::make_shared<AuditLog>(AuditOptions{.callback = [this](std::string_view line) {
            const std::lock_guard lock(mutex_);
            lines_.emplace_back(line);
        }});
        return options;
    }
    std::vector<std::string> records_of(const std::vector<std::string>& requests) {
        lines_.clear();
        Server server("test", "1", audited());
        server.tool("free", "F", args(arg<std::optional<int>>("n")),
                    [](std::optional<int> n) { return n.value_or(0); });
        server.tool("guarded", "G", [] { return 1; });
        server.tool("rare", "R", [] { return 1; });
        auth::StaticTokens tokens{{"ann", auth::hash_token("token-of-ann")}};
        tokens.needs.tools = {{"guarded", {"files:write"}}};
        HttpServer http(server, {.port = 0, .auth = tokens});
        {
            HttpClient connection(http.port());
            for (const std::string& bytes : requests) {
                connection.send(bytes);
                connection.reply();
            }
        }
        http.stop();
        return lines_;
    }

    std::mutex mutex_;
    std::vector<std::string> lines_;
};

TEST_F(AuditOverHttp, each_kind_of_refusal_has_its_golden_record) {
    std::ifstream file(test_folders::tests() + "/golden/http/audit_refusals.txt");
    std::map<std::string, std::vector<std::string>> expected;
    std::string name;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("> ")) name = line.substr(2);
        if (line.starts_with("audit ")) expected[name].push_back(line.substr(6));
    }
    EXPECT_EQ(expected.size(), cases.size());
    for (const auto& [title, requests] : cases) {
        SCOPED_TRACE(title);
        const auto records = records_of(requests);
        ASSERT_EQ(records.size(), requests.size()) << "each request has one record";
        expected[title].resize(requests.size(), "null");
        for (std::size_t i = 0; i < records.size(); ++i) {
            std::map<std::string, std::string> names;
            EXPECT_EQ(
                golden::difference(json::parse(expected[title][i]).value(), json::parse(records[i]).value(), names), "")
                << records[i];
        }
    }
}

}  // namespace
}  // namespace tenon::test
