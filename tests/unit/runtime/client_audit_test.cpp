// ClientOptions::on_call: the audit of a client.
#include <gtest/gtest.h>

#include <future>
#include <mutex>

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
        options.on_call = [this](const CallRecord& record) {
            const std::lock_guard lock(mutex);
            records.push_back(record);
        };
        return test_kit::memory_client(server, {}, options);
    }
    /// Returns the last record as "METHOD NAME OUTCOME".
    std::string last() {
        const std::lock_guard lock(mutex);
        if (records.empty()) return "";
        const CallRecord& r = records.back();
        return r.method + " " + r.name +
               (r.error         ? " error " + std::to_string(*r.error)
                : r.tool_failed ? " failed"
                                : " done");
    }
    Server server{"test", "1"};
    std::mutex mutex;  // guards the members below
    std::vector<CallRecord> records;
};
INSTANTIATE_TEST_SUITE_P(Eras, ClientAudit, testing::Values(Era::legacy, Era::modern),
                         [](const auto& of) { return of.param == Era::modern ? "modern" : "legacy"; });

// rules: SEC-6, TOOL-14
TEST_P(ClientAudit, every_call_is_recorded_with_its_true_outcome) {
    Client client = connect();
    const auto before = std::chrono::system_clock::now();
    client.call_tool("ok", {{"password", "hunter2"}});
    EXPECT_EQ(last(), "tools/call ok done");
    EXPECT_GE(records.back().began, before);
    EXPECT_GE(records.back().took, Duration::zero());
    client.call_tool("fails");
    EXPECT_EQ(last(), "tools/call fails failed");
    EXPECT_THROW(client.call_tool("missing"), Exception);
    EXPECT_EQ(last(), "tools/call missing error -32602");
    client.read_resource("note://a");
    EXPECT_EQ(last(), "resources/read note://a done");
    client.list_tools().all();
    EXPECT_EQ(last(), "tools/list  done");
    EXPECT_THROW(client.get_prompt("p"), Exception) << "the server has no prompts, so it is not sent";
    EXPECT_EQ(last(), "prompts/get p error -32601");
    EXPECT_EQ(records.size(), 6U);
}

// rules: SEC-6, TOOL-14
TEST_P(ClientAudit, a_timeout_and_a_cancelled_call_are_recorded) {
    Client client = connect();
    client.connect();
    EXPECT_THROW(client.call_tool("hangs", {}, {.timeout = std::chrono::milliseconds(1)}), Exception);
    EXPECT_EQ(last(), "tools/call hangs error " + std::to_string(code::request_timeout));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(client.call_tool("ok", {}, {.stop = stop.get_token()}), Exception);
    EXPECT_EQ(last(), "tools/call ok error " + std::to_string(code::call_cancelled));
}

// rules: SEC-6, TOOL-14
TEST_P(ClientAudit, async_calls_are_recorded_before_their_reply) {
    Client client = connect();
    std::promise<std::string> seen;
    client.async_call_tool("fails", {}, make_reply<ToolResult>([&](auto) { seen.set_value(last()); }));
    EXPECT_EQ(seen.get_future().get(), "tools/call fails failed");
}

TEST_P(ClientAudit, an_exception_of_the_callback_does_not_fail_the_call) {
    ClientOptions options;
    options.era = GetParam();
    options.on_call = [](const CallRecord&) { throw std::runtime_error("the disk is full"); };
    Client client = test_kit::memory_client(server, {}, options);
    EXPECT_FALSE(client.call_tool("ok", {{"password", "x"}}).isError);
}

}  // namespace
}  // namespace tenon
