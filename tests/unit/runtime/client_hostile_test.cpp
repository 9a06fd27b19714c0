// A hostile server: the memory that a client queues for it is limited. The tests send the server's messages themselves.
#include "support/hand_transport.hpp"

namespace tenon {
namespace {

using namespace std::chrono_literals;

using ClientHostile = test::HandClientTest;

TEST_F(ClientHostile, queued_notifications_are_limited_by_max_queued_event_bytes) {
    ClientOptions options;
    options.limits.max_queued_event_bytes = 3'500'000;
    const int heard = notifications_heard_of_100(std::move(options), R"("data":")" + megabyte + "\"");
    EXPECT_GE(heard, 3);
    EXPECT_LE(heard, 4) << "three queued notifications, and one in its handler";
    EXPECT_NE(log.find("max_queued_event_bytes"), std::string::npos) << log;
}

TEST_F(ClientHostile, queued_progress_is_limited_and_the_newest_is_kept) {
    ClientOptions options;
    options.limits.max_queued_event_bytes = 2'500'000;
    Client client = connect(std::move(options));
    EXPECT_EQ(progress_heard_of_50(client, R"(,"message":")" + megabyte + "\""), (std::vector<double>{1, 49, 50}));
}

TEST_F(ClientHostile, an_exception_of_the_log_sink_ends_neither_the_transport_nor_the_calls) {
    std::atomic<bool> throws{false};
    ClientOptions options;
    options.log = [&](const LogRecord&) {
        if (throws) throw std::runtime_error("the disk is full");
    };
    Client client = connect(std::move(options));
    auto request = transport->expect("tools/list");
    auto tools = std::async(std::launch::async, [&] { return client.list_tools().all(); });
    const std::int64_t id = request.get();
    throws = true;
    EXPECT_NO_THROW(transport->events.message("not a message"));
    EXPECT_NO_THROW(transport->events.message(R"({"jsonrpc":"2.0","result":{},"id":77})"));
    throws = false;
    answer(id, R"({"tools":[]})");
    EXPECT_TRUE(tools.get().empty());
}

struct ClientOutputSchema : test::HandClientTest {
    void list(Client& client) {
        auto request = transport->expect("tools/list");
        auto tools = std::async(std::launch::async, [&] { return client.list_tools().all(); });
        answer(request.get(), R"({"tools":[{"name":"t","inputSchema":{},"outputSchema":{"required":["n"]}}]})");
        EXPECT_EQ(tools.get().size(), 1U);
    }
    static constexpr std::string_view broken = "the result of the tool `t` breaks its output schema";
};

TEST_F(ClientOutputSchema, a_blocking_call_refuses_a_result_that_breaks_it) {
    Client client = connect({});
    list(client);
    for (const std::string content : {"{}", R"({"n":1})"}) {
        auto request = transport->expect("tools/call");
        auto said = std::async(std::launch::async, [&]() -> std::string {
            try {
                client.call_tool("t");
                return "accepted";
            } catch (const Exception& e) {
                return e.error().message;
            }
        });
        answer(request.get(), R"({"content":[],"structuredContent":)" + content + "}");
        EXPECT_EQ(said.get().substr(0, broken.size()), content == "{}" ? broken : "accepted");
    }
}

TEST_F(ClientOutputSchema, an_async_call_refuses_a_result_that_breaks_it) {
    Client client = connect({});
    list(client);
    for (const std::string content : {"{}", R"({"n":1})"}) {
        auto request = transport->expect("tools/call");
        std::promise<std::string> said;
        client.async_call_tool("t", {}, make_reply<ToolResult>([&](const Result<ToolResult>& result) {
                                   said.set_value(result ? "accepted" : result.error().message);
                               }));
        answer(request.get(), R"({"content":[],"structuredContent":)" + content + "}");
        EXPECT_EQ(said.get_future().get().substr(0, broken.size()), content == "{}" ? broken : "accepted");
    }
}

}  // namespace
}  // namespace tenon
