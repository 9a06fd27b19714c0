// The limits of connections, heads, bodies, workers and output. They need real sockets and threads.
#include <atomic>

#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using std::chrono::milliseconds;
using End = HttpClient::End;

struct SocketLimit : HttpIntegration {
    static bool says(const HttpReply& reply, std::string_view words) {
        return reply.body.find(words) != std::string::npos;
    }
    static int times(std::string_view text, std::string_view words) {
        int out = 0;
        for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++out;
        return out;
    }
    /// Opens a session of 2025-03-26, whose clients may send batches.
    std::string begin_with_batches(HttpClient& client) {
        std::string hello = initialize_body();
        hello.replace(hello.find("2025-11-25"), 10, "2025-03-26");
        client.send(post_bytes(hello));
        const std::string id = client.reply().field("mcp-session-id");
        client.send(post_bytes(R"({"jsonrpc":"2.0","method":"notifications/initialized"})", in_session(id)));
        EXPECT_EQ(client.reply().status, 202);
        return id;
    }
};

TEST_F(SocketLimit, max_message_bytes) {
    start({.max_message_bytes = 10'000});
    const HttpReply refused = once(modern_bytes("echo", R"({"message":")" + std::string(20'000, 'x') + "\"}"));
    EXPECT_EQ(refused.status, 413);
    EXPECT_TRUE(says(refused, "longer than 10000 bytes")) << refused.body;
    EXPECT_EQ(seen.of("echo"), 0);
    // A control character takes one byte in and six bytes out.
    std::string escapes;
    for (int i = 0; i < 1'000; ++i) escapes += "\\u0001";
    server->tool("ten", "Says it ten times", args(arg<std::string>("message", "What")), [](std::string message) {
        std::string out;
        for (int i = 0; i < 10; ++i) out += message;
        return out;
    });
    const HttpReply too_long = once(modern_bytes("ten", R"({"message":")" + escapes + "\"}"));
    EXPECT_TRUE(says(too_long, "the limit is 10000")) << too_long.body;
    expect_alive();
}

TEST_F(SocketLimit, max_head_bytes) {
    start({.max_head_bytes = 1'000});
    const HttpReply refused =
        once(modern_bytes("echo", R"({"message":"x"})", "", "X: " + std::string(2'000, 'x') + "\r\n"));
    EXPECT_EQ(refused.status, 431);
    EXPECT_TRUE(says(refused, "longer than 1000 bytes")) << refused.body;
    EXPECT_EQ(seen.of("echo"), 0);
    expect_alive();
}

TEST_F(SocketLimit, max_connections) {
    start({.max_connections = 2});
    HttpClient first = connect(), second = connect();
    for (HttpClient* client : {&first, &second}) client->send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting", 2));
    HttpClient third = connect();
    const HttpReply refused = third.reply();
    EXPECT_EQ(refused.status, 503);
    EXPECT_TRUE(says(refused, "the limit (Limits::max_connections) is 2")) << refused.body;
    EXPECT_EQ(third.wait_for_end(), End::orderly);
    seen.count("go");
    for (HttpClient* client : {&first, &second})
        EXPECT_EQ(text_of(client->reply()), "went") << "they are not disturbed";
    expect_alive();
}

TEST_F(SocketLimit, max_connections_per_address) {
    start({}, {.max_connections_per_address = 2});
    HttpClient first = connect(), second = connect();
    for (HttpClient* client : {&first, &second}) {
        client->send(modern_bytes("echo", R"({"message":"x"})"));
        EXPECT_EQ(text_of(client->reply()), "x");
    }
    HttpClient third = connect();
    const HttpReply refused = third.reply();
    EXPECT_EQ(refused.status, 503);
    EXPECT_TRUE(says(refused, "the limit (HttpOptions::max_connections_per_address) is 2")) << refused.body;
    EXPECT_EQ(third.wait_for_end(), End::orderly);
    HttpClient other(http->port(), 0, "127.0.0.2");
    for (HttpClient* client : {&other, &first, &second}) {
        client->send(modern_bytes("echo", R"({"message":"y"})"));
        EXPECT_EQ(text_of(client->reply()), "y");
    }
}

TEST_F(SocketLimit, head_time) {
    start({.head_time = milliseconds(50)});
    HttpClient client = connect();
    client.send("POST /mcp HTTP/1.1\r\nHost: local");
    const HttpReply refused = client.reply();
    EXPECT_EQ(refused.status, 408);
    EXPECT_TRUE(says(refused, "did not arrive in time")) << refused.body;
    EXPECT_EQ(client.wait_for_end(), End::orderly);
    expect_alive();
}

TEST_F(SocketLimit, body_time) {
    start({.body_time = milliseconds(50)});
    HttpClient client = connect();
    const std::string bytes = modern_bytes("echo", R"({"message":"x"})");
    client.send(bytes.substr(0, bytes.size() - 1));
    const HttpReply refused = client.reply();
    EXPECT_EQ(refused.status, 408);
    EXPECT_TRUE(says(refused, "did not arrive in time")) << refused.body;
    EXPECT_EQ(seen.of("echo"), 0);
    expect_alive();
}

TEST_F(SocketLimit, connection_idle_time) {
    start({.connection_idle_time = milliseconds(50)});
    HttpClient client = connect();
    client.send(modern_bytes("echo", R"({"message":"x"})"));
    EXPECT_EQ(text_of(client.reply()), "x");
    EXPECT_EQ(client.wait_for_end(), End::orderly);
    EXPECT_EQ(client.unread(), "") << "no request waits for a word";
    expect_alive();
}

// The server reads nothing while a response waits. So sending fails when the server has closed the connection.
TEST_F(SocketLimit, write_time) {
    start({.write_time = milliseconds(50)});
    HttpClient reader = connect(4096);
    reader.send(modern_bytes("echo", R"({"message":")" + std::string(8'000'000, 'x') + "\"}"));
    ASSERT_TRUE(seen.wait_for("echo"));
    const std::string more(1'000'000, ' ');
    bool taken = true;
    for (int i = 0; i < 1'000 && taken; ++i) taken = reader.send(more);
    EXPECT_FALSE(taken) << "it was closed, because nothing was read";
    expect_alive();
}

TEST_F(SocketLimit, max_queued_output_bytes) {
    start({.max_queued_output_bytes = 100'000, .write_time = std::chrono::hours(1)});
    // An inline handler cannot wait for the client.
    server->tool("flood_inline", "Speaks a lot",
                 [](Context& ctx) {
                     for (int i = 1; i <= 20'000; ++i) ctx.progress(i, {}, std::string(1000, 'f'));
                     return "flooded";
                 },
                 {.placement = Placement::inline_});
    HttpClient reader = connect(4096);
    reader.send(modern_bytes("flood_inline", "{}", ",\"progressToken\":1"));
    EXPECT_NE(reader.wait_for_end(), End::open) << "the connection is closed";
    expect_alive();
}

// Counts how many handlers run at once; there is more than enough work for all workers.
TEST_F(SocketLimit, max_workers) {
    start({.max_workers = 2});
    std::atomic<int> running = 0, most = 0;
    server->tool("count", "Counts those that run", [&] {
        const int now = ++running;
        for (int seen_most = most; now > seen_most && !most.compare_exchange_weak(seen_most, now);) {
        }
        std::this_thread::yield();
        --running;
        return "counted";
    });
    std::list<HttpClient> clients;
    for (int i = 0; i < 20; ++i) clients.push_back(connect());
    for (int round = 0; round < 10; ++round) {
        for (HttpClient& client : clients) client.send(modern_bytes("count"));
        for (HttpClient& client : clients) EXPECT_EQ(text_of(client.reply()), "counted");
    }
    EXPECT_GE(most, 1);
    EXPECT_LE(most, 2);
    expect_alive();
}

// The calls of one peer hold two of three workers, so another peer gets the third at once.
TEST_F(SocketLimit, max_workers_per_peer) {
    start({.max_workers = 3, .max_workers_per_peer = 2});
    HttpClient greedy = connect();
    const std::string session = begin(greedy);
    std::list<HttpClient> calls;
    for (int i = 0; i < 5; ++i) {
        calls.push_back(connect());
        calls.back().send(post_bytes(call_body("wait", "{}", std::to_string(i)), in_session(session)));
    }
    ASSERT_TRUE(seen.wait_for("waiting", 2));
    for (int i = 0; i < 10; ++i) expect_alive();
    EXPECT_EQ(seen.of("waiting"), 2);
    seen.count("go");
    for (HttpClient& call : calls) EXPECT_EQ(text_of(call.reply()), "went");
}

// A first call holds the only worker of its peer. Then a batch of five calls arrives: two may wait.
TEST_F(SocketLimit, max_waiting_calls) {
    start({.max_workers = 2, .max_workers_per_peer = 1, .max_waiting_calls = 2});
    HttpClient first = connect(), second = connect();
    const std::string session = begin_with_batches(first);
    first.send(post_bytes(call_body("wait"), in_session(session)));
    ASSERT_TRUE(seen.wait_for("waiting"));
    std::string batch = "[" + call_body("wait", "{}", "2");
    for (int i = 3; i <= 6; ++i) batch += "," + call_body("wait", "{}", std::to_string(i));
    second.send(post_bytes(batch + "]", in_session(session)));
    for (int i = 0; i < 3; ++i) expect_alive();
    EXPECT_EQ(seen.of("waiting"), 1);
    seen.count("go");
    EXPECT_EQ(text_of(first.reply()), "went");
    const std::string answers = second.reply().body;
    EXPECT_EQ(times(answers, "Limits::max_waiting_calls"), 3) << answers;
    EXPECT_EQ(times(answers, "\"went\""), 2) << answers;
    expect_alive();
}

TEST_F(SocketLimit, drain_time) {
    start({.drain_time = std::chrono::seconds(3)});
    HttpClient client = connect();
    client.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    EXPECT_TRUE(http->stop()) << "the handler obeys its stop token";
    EXPECT_EQ(seen.of("stopped"), 1);
    EXPECT_TRUE(says(client.reply(), "shutting down"));
}

}  // namespace
}  // namespace tenon::test
