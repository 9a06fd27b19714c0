// Clients that disconnect, read too slowly, or disturb each other.
// rules: HTTP-5, HTTP-9, RPC-4
#include <fstream>

#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;
using Http = HttpIntegration;

TEST_F(Http, a_half_closed_connection_still_gets_its_responses) {
    HttpClient client = connect();
    client.send(modern_bytes("wait") + modern_bytes("echo", R"({"message":"second"})"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    client.end_output();
    expect_alive();
    seen.count("go");
    EXPECT_EQ(text_of(client.reply()), "went");
    EXPECT_EQ(text_of(client.reply()), "second");
    EXPECT_EQ(client.wait_for_end(), End::orderly);
}

// Each of these is answered at once, while the requests after it wait.
TEST_F(Http, a_half_closed_connection_gets_pipelined_responses_in_order) {
    const std::string quick = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n";
    HttpClient client = connect();
    client.send(modern_bytes("wait") + quick + quick + modern_bytes("echo", R"({"message":"last"})"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    client.end_output();
    expect_alive();
    seen.count("go");
    EXPECT_EQ(text_of(client.reply()), "went");
    EXPECT_EQ(client.reply().status, 405);
    EXPECT_EQ(client.reply().status, 405);
    EXPECT_EQ(text_of(client.reply()), "last");
    EXPECT_EQ(client.wait_for_end(), End::orderly);
}

TEST_F(Http, the_server_survives_clients_killed_in_any_phase) {
    const std::string bytes = modern_bytes("echo", R"({"message":"x"})");
    const std::size_t body = bytes.find("\r\n\r\n") + 4;
    for (const std::size_t sent : {std::size_t{0}, std::size_t{5}, body - 2, body, body + 5, bytes.size()}) {
        HttpClient client = connect();
        client.send(bytes.substr(0, sent));
        client.reset();
        HttpClient closed = connect();
        closed.send(bytes.substr(0, sent));
    }
    expect_alive();
}

TEST_F(Http, a_killed_modern_client_stops_its_handler) {
    int stopped = 0;
    for (const char* tool : {"wait", "talk_and_wait"}) {
        for (const bool reset : {true, false}) {
            HttpClient client = connect();
            client.send(modern_bytes(tool, "{}", R"(,"progressToken":1)"));
            ASSERT_TRUE(seen.wait_for("waiting", stopped + 1));
            if (reset) client.reset();
            ++stopped;
        }
        EXPECT_TRUE(seen.wait_for("stopped", stopped)) << tool;
    }
    expect_alive();
}

TEST_F(Http, a_request_in_a_session_outlives_its_connection) {
    HttpClient other = connect();
    const std::string session = begin(other);
    HttpClient client = connect();
    client.send(post_bytes(call_body("talk_and_wait", "{}", "7", R"("progressToken":1)"), in_session(session)));
    ASSERT_EQ(client.head().status, 200);
    const std::string primed = client.chunk().value();
    const std::string id = primed.substr(primed.find("id: ") + 4, primed.find('\n') - primed.find("id: ") - 4);
    ASSERT_TRUE(seen.wait_for("waiting"));
    client.reset();
    expect_alive();
    seen.count("go");
    ASSERT_TRUE(seen.wait_for("went")) << "the call was cancelled with its connection";
    HttpClient again = connect();
    again.send(get_bytes(session, "Last-Event-ID: " + id + "\r\n"));
    EXPECT_EQ(again.head().status, 200);
    EXPECT_NE(again.event().value().find("notifications/progress"), std::string::npos);
    EXPECT_EQ(text_of(again.event().value()), "went");
    EXPECT_FALSE(again.event());
}

// A sanitizer holds freed memory back, so resident memory cannot be measured there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_measurable = false;
#else
constexpr bool memory_is_measurable = true;
#endif

long resident_kb() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("VmRSS:")) return std::strtol(line.c_str() + 6, nullptr, 10);
    return 0;
}

TEST_F(Http, a_handler_waits_for_a_client_that_reads_slowly_and_no_message_is_lost) {
    constexpr int times = 300;
    start({.max_queued_output_bytes = 1024 * 1024});
    HttpClient client = connect(4096);
    client.send(modern_bytes("flood", R"({"times":300,"bytes":100000})", R"(,"progressToken":1)"));
    EXPECT_TRUE(client.head().is_stream());
    for (int i = 0; i < 3; ++i) expect_alive();
    EXPECT_EQ(seen.of("flooded"), 0) << "the output is much larger than what may be queued";
    for (int i = 1; i <= times; ++i) {
        const auto event = client.event();
        ASSERT_TRUE(event) << "only " << i - 1 << " messages arrived";
        EXPECT_NE(event->find("\"progress\":" + std::to_string(i)), std::string::npos) << event->substr(0, 200);
    }
    EXPECT_TRUE(seen.wait_for("flooded"));
}

TEST_F(Http, a_client_that_reads_too_slowly_is_disconnected_and_its_handler_stopped) {
    start({.max_queued_output_bytes = 1024 * 1024, .write_time = std::chrono::milliseconds(300)});
    const long before = resident_kb();
    HttpClient client = connect(4096);
    client.send(modern_bytes("flood", R"({"times":2000000000,"bytes":100000})", R"(,"progressToken":1)"));
    EXPECT_TRUE(seen.wait_for("flood stopped"));
    EXPECT_LT(memory_is_measurable ? resident_kb() - before : 0, 200'000);
    expect_alive();
}

TEST_F(Http, a_client_that_reads_too_slowly_keeps_its_session) {
    start({.max_queued_output_bytes = 1024 * 1024, .write_time = std::chrono::milliseconds(300)});
    HttpClient other = connect();
    const std::string session = begin(other);
    const long before = resident_kb();
    HttpClient client = connect(4096);
    client.send(post_bytes(call_body("flood", R"({"times":2000,"bytes":100000})", "1", R"("progressToken":1)"),
                           in_session(session)));
    EXPECT_TRUE(seen.wait_for("flooded")) << "losing the connection cancelled the call";
    EXPECT_LT(memory_is_measurable ? resident_kb() - before : 0, 200'000);
    // Uses another id: the handler has finished, but its response may not have been sent yet.
    other.send(post_bytes(echo_body("still here", "2"), in_session(session)));
    EXPECT_EQ(text_of(other.reply()), "still here");
}

TEST_F(Http, a_long_response_arrives_complete) {
    HttpClient client = connect(4096);
    const std::string text(3'000'000, 'y');
    client.send(modern_bytes("echo", R"({"message":")" + text + "\"}"));
    EXPECT_EQ(text_of(client.reply()), text);
}

// ---- concurrency

TEST_F(Http, concurrent_clients_get_their_own_responses) {
    start({}, {.threads = 2});
    constexpr int clients = 8, requests = 50;
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int c = 0; c < clients; ++c) {
        threads.emplace_back([this, c, &right] {
            HttpClient client = connect();
            const std::string session = begin(client);
            for (int r = 0; r < requests; ++r) {
                const std::string text = "client " + std::to_string(c) + " request " + std::to_string(r);
                client.send(r % 2 ? modern_bytes("echo", R"({"message":")" + text + "\"}")
                                  : post_bytes(echo_body(text), in_session(session)));
                if (text_of(client.reply()) == text) ++right;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right.load(), clients * requests);
}

TEST_F(Http, disconnecting_clients_do_not_disturb_others) {
    start({}, {.threads = 2});
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int c = 0; c < 6; ++c) {
        threads.emplace_back([this, c, &right] {
            for (int r = 0; r < 20; ++r) {
                HttpClient client = connect();
                const std::string text = std::to_string(c * 1000 + r);
                if (c % 2) {
                    client.send(modern_bytes("talk_and_wait", "{}", R"(,"progressToken":1)"));
                    if (r % 2) client.head();
                    client.reset();
                    ++right;
                } else {
                    client.send(modern_bytes("echo", R"({"message":")" + text + "\"}"));
                    if (text_of(client.reply()) == text) ++right;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right.load(), 120);
    expect_alive();
}

}  // namespace
}  // namespace tenon::test
