// Large requests are decoded on other threads than the connection's, one at a time for each peer.
#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using std::chrono::milliseconds;

struct LargeRequests : HttpIntegration {
    static std::string large_text(char c = 'x') { return std::string(1024 * 1024, c); }
    static std::string large_call(std::string_view tool, char c = 'x') {
        return modern_bytes(tool, R"({"message":")" + large_text(c) + "\"}");
    }
    void add_waiting_tool() {
        server->tool("wait_large", "Until the test says go", args(arg<std::string>("message", "What")),
                     [this](Context& ctx, const std::string&) {
                         seen.count("waiting");
                         const bool went = seen.wait_for("go", ctx.stop_token());
                         seen.count(went ? "went" : "stopped");
                         return went ? "went" : "stopped";
                     });
    }
};

TEST_F(LargeRequests, are_answered) {
    for (const char* tool : {"echo", "echo_inline"}) EXPECT_EQ(text_of(once(large_call(tool))), large_text()) << tool;
}

TEST_F(LargeRequests, on_one_connection_are_answered_in_order) {
    HttpClient client = connect();
    for (const char c : {'a', 'b', 'c'}) {
        client.send(large_call("echo", c));
        client.send(modern_bytes("echo", R"({"message":"small"})"));
        EXPECT_EQ(text_of(client.reply()), large_text(c));
        EXPECT_EQ(text_of(client.reply()), "small");
    }
}

TEST_F(LargeRequests, that_are_not_json_are_refused) {
    HttpClient client = connect();
    std::string bytes = large_call("echo");
    bytes.back() = ' ';  // the last brace
    client.send(bytes);
    EXPECT_EQ(client.reply().status, 400);
    expect_alive();
}

TEST_F(LargeRequests, are_answered_when_the_client_has_ended_its_output) {
    HttpClient client = connect();
    client.send(large_call("echo"));
    client.end_output();
    EXPECT_EQ(text_of(client.reply()), large_text());
}

TEST_F(LargeRequests, are_stopped_when_the_client_leaves) {
    start();
    add_waiting_tool();
    {
        HttpClient client = connect();
        client.send(large_call("wait_large"));
        ASSERT_TRUE(seen.wait_for("waiting"));
    }
    EXPECT_TRUE(seen.wait_for("stopped"));
    expect_alive();
}

// The client leaves at any moment while its request is read, decoded and answered.
TEST_F(LargeRequests, of_clients_that_leave_at_any_moment_leave_nothing_behind) {
    start();
    add_waiting_tool();
    const std::string bytes = large_call("wait_large");
    for (int i = 0; i < 20; ++i) {
        HttpClient client = connect();
        client.send(bytes.substr(0, i < 10 ? bytes.size() : bytes.size() - static_cast<std::size_t>(i)));
        if (i % 2 == 0) client.reset();
    }
    expect_alive();
    EXPECT_TRUE(http->stop()) << "a handler still runs";
    EXPECT_EQ(seen.of("waiting"), seen.of("stopped"));
}

TEST_F(LargeRequests, of_several_clients_are_all_answered) {
    start();
    std::list<HttpClient> clients;
    for (int i = 0; i < 8; ++i) {
        clients.push_back(connect());
        clients.back().send(large_call("echo", static_cast<char>('a' + i)));
    }
    expect_alive();
    char c = 'a';
    for (HttpClient& client : clients) EXPECT_EQ(text_of(client.reply()), large_text(c++));
}

}  // namespace
}  // namespace tenon::test
