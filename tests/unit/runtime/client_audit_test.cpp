// ClientOptions::observers: the record of each call of a client.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>

#include <tenon/audit.hpp>
#include <tenon/testing.hpp>

namespace tenon {
namespace {

struct ClientAudit : testing::TestWithParam<Era> {
    ClientAudit() {
        server.tool("ok", "O", args(arg<std::string>("password")), [](std::string) { return "secret result"; });
        server.tool("fails", "F", []() -> std::string { throw std::runtime_error("no"); });
        server.tool("hangs", "H", [](Reply<std::string> reply) {
            static std::vector<Reply<std::string>> kept;
            kept.push_back(std::move(reply));
        });
        server.resource("note://a", "a", [] { return "text"; });
    }
    Client connect() {
        ClientOptions options;
        options.era = GetParam();
        options.learn_tools = false;
        options.observers = {[this](const Operation& operation) {
            const std::lock_guard lock(mutex);
            records.push_back({operation.began, operation.took,
                               std::string(operation.method) + " " + std::string(operation.name) + " " +
                                   std::string(to_string(operation.end)) +
                                   (operation.error_code ? " " + std::to_string(operation.error_code) : "")});
        }};
        return test_kit::memory_client(server, {}, options);
    }
    /// Returns the last record as "METHOD NAME OUTCOME CODE".
    std::string last() {
        const std::lock_guard lock(mutex);
        if (records.empty()) return "";
        return records.back().text;
    }
    struct Record {
        std::chrono::system_clock::time_point began;
        std::chrono::nanoseconds took;
        std::string text;
    };
    Server server{"test", "1"};
    std::mutex mutex;  // guards the members below
    std::vector<Record> records;
};
INSTANTIATE_TEST_SUITE_P(Eras, ClientAudit, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

// rules: SEC-6, TOOL-14
TEST_P(ClientAudit, every_call_is_recorded_with_its_true_outcome) {
    Client client = connect();
    const auto before = std::chrono::system_clock::now();
    client.call_tool("ok", {{"password", "hunter2"}});
    EXPECT_EQ(last(), "tools/call ok ok");
    EXPECT_GE(records.back().began, before);
    EXPECT_GE(records.back().took, Duration::zero());
    client.call_tool("fails");
    EXPECT_EQ(last(), "tools/call fails tool_error");
    EXPECT_THROW(client.call_tool("missing"), Exception);
    EXPECT_EQ(last(), "tools/call missing protocol_error -32602");
    client.read_resource("note://a");
    EXPECT_EQ(last(), "resources/read note://a ok");
    client.list_tools().all();
    EXPECT_EQ(last(), "tools/list  ok");
    EXPECT_THROW(client.get_prompt("p"), Exception) << "the server has no prompts, so it is not sent";
    EXPECT_EQ(last(), "prompts/get p protocol_error -32601");
    EXPECT_EQ(records.size(), 6U);
}

// rules: SEC-6, TOOL-14
TEST_P(ClientAudit, a_timeout_and_a_cancelled_call_are_recorded) {
    Client client = connect();
    client.connect();
    EXPECT_THROW(client.call_tool("hangs", {}, {.timeout = std::chrono::milliseconds(1)}), Exception);
    EXPECT_EQ(last(), "tools/call hangs timed_out " + std::to_string(code::request_timeout));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(client.call_tool("ok", {}, {.stop = stop.get_token()}), Exception);
    EXPECT_EQ(last(), "tools/call ok cancelled " + std::to_string(code::call_cancelled));
}

// rules: SEC-6, TOOL-14
TEST_P(ClientAudit, async_calls_are_recorded_before_their_reply) {
    Client client = connect();
    std::promise<std::string> seen;
    client.async_call_tool("fails", {}, make_reply<ToolResult>([&](auto) { seen.set_value(last()); }));
    EXPECT_EQ(seen.get_future().get(), "tools/call fails tool_error");
}

TEST_P(ClientAudit, an_exception_of_the_callback_does_not_fail_the_call) {
    ClientOptions options;
    options.era = GetParam();
    options.observers = {[](const Operation&) { throw std::runtime_error("the disk is full"); }};
    Client client = test_kit::memory_client(server, {}, options);
    EXPECT_FALSE(client.call_tool("ok", {{"password", "x"}}).isError);
}

/// The audit of a client whose records cannot be written.
struct BrokenClientAudit : ClientAudit {
    Client connect(AuditFailure on_failure) {
        ClientOptions options;
        options.era = GetParam();
        options.learn_tools = false;
        options.audit = std::make_shared<AuditLog>(AuditOptions{.callback =
                                                                    [this](std::string_view line) {
                                                                        if (broken) throw std::runtime_error("no");
                                                                        lines.emplace_back(line);
                                                                    },
                                                                .on_failure = on_failure,
                                                                .log = [](const LogRecord&) {}});
        server.tool("count", "C", [this] { ++calls; });
        return test_kit::memory_client(server, {}, options);
    }
    std::atomic<bool> broken = false;
    std::atomic<int> calls = 0;
    std::vector<std::string> lines;
};
INSTANTIATE_TEST_SUITE_P(Eras, BrokenClientAudit, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

// rules: SEC-6
TEST_P(BrokenClientAudit, calls_are_not_made_until_it_works_again) {
    Client client = connect(AuditFailure::refuse);
    client.call_tool("count");
    broken = true;
    client.call_tool("count");  // the failure is noticed at its end
    EXPECT_THROW(client.call_tool("count"), Exception);
    EXPECT_EQ(calls, 2);
    broken = false;
    EXPECT_THROW(client.call_tool("count"), Exception) << "its record is written, so the gate opens";
    client.call_tool("count");
    EXPECT_EQ(calls, 3);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_NE(lines[1].find(R"("side":"client","method":"tools/call","name":"count","outcome":"refused")"),
              std::string::npos)
        << lines[1];
}

TEST_P(BrokenClientAudit, calls_are_made_by_default) {
    Client client = connect(AuditFailure::go_on);
    broken = true;
    client.call_tool("count");
    client.call_tool("count");
    EXPECT_EQ(calls, 2);
}

}  // namespace
}  // namespace tenon
