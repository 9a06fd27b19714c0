// rules: HTTP-2, HTTP-3, HTTP-5, HTTP-6, HTTP-8, HTTP-9, HTTP-12, RPC-4, SEC-4
#include <sys/resource.h>

#include <fstream>
#include <set>

#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;
using std::chrono::milliseconds;

using Http = HttpIntegration;

TEST_F(Http, a_connection_serves_many_requests) {
    HttpClient client = connect();
    const std::string session = begin(client);
    for (int i = 0; i < 20; ++i) {
        const std::string text = "text " + std::to_string(i);
        client.send(post_bytes(echo_body(text), in_session(session)));
        EXPECT_EQ(text_of(client.reply()), text);
        client.send(modern_bytes("echo_inline", R"({"message":")" + text + "\"}"));
        EXPECT_EQ(text_of(client.reply()), text);
    }
}

TEST_F(Http, requests_in_one_write_are_answered_in_order) {
    HttpClient client = connect();
    std::string all;
    for (int i = 0; i < 200; ++i) {
        all += modern_bytes(i % 3 == 0 ? "echo" : "echo_inline", R"({"message":")" + std::to_string(i) + "\"}");
        if (i % 7 == 0) all += "GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }
    client.send(all);
    for (int i = 0; i < 200; ++i) {
        EXPECT_EQ(text_of(client.reply()), std::to_string(i));
        if (i % 7 == 0) {
            EXPECT_EQ(client.reply().status, 404);
        }
    }
}

TEST_F(Http, large_requests_in_one_write_with_others_are_answered_in_order) {
    HttpClient client = connect();
    std::vector<std::string> texts;
    std::string all;
    for (std::size_t size = 1; size < 3'000'000; size = size * 5 + 1) {
        texts.emplace_back(size, static_cast<char>('a' + texts.size()));
        texts.push_back("small " + std::to_string(size));
    }
    for (const std::string& text : texts) all += modern_bytes("echo_inline", R"({"message":")" + text + "\"}");
    std::thread sender([&] { client.send(all); });  // blocks until the responses are read
    for (const std::string& text : texts) EXPECT_TRUE(text_of(client.reply()) == text) << text.size();
    sender.join();
}

TEST_F(Http, a_request_may_be_split_anywhere) {
    HttpClient client = connect();
    const std::string bytes = modern_bytes("echo", R"({"message":"whole"})");
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        client.send(bytes.substr(0, cut));
        client.send(bytes.substr(cut));
        ASSERT_EQ(text_of(client.reply()), "whole") << cut;
    }
    for (const char c : bytes) client.send(std::string(1, c));
    EXPECT_EQ(text_of(client.reply()), "whole");
}

TEST_F(Http, a_chunked_body_may_be_split_anywhere) {
    HttpClient client = connect();
    const std::string body = call_body("echo", R"({"message":"whole"})", "1", modern);
    const std::string head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n\r\n";
    for (std::size_t cut = 1; cut < body.size(); cut += 7) {
        std::array<char, 16> size;
        std::string bytes = head;
        for (const std::string& part : {body.substr(0, cut), body.substr(cut)}) {
            std::snprintf(size.data(), size.size(), "%zx\r\n", part.size());
            bytes += size.data() + part + "\r\n";
        }
        client.send(bytes + "0\r\n\r\n");
        ASSERT_EQ(text_of(client.reply()), "whole") << cut;
    }
}

TEST_F(Http, expect_100_continue_is_answered_before_the_body) {
    HttpClient client = connect();
    for (int i = 0; i < 3; ++i) {
        const std::string bytes = modern_bytes("echo", R"({"message":"x"})", "", "Expect: 100-continue\r\n");
        const std::size_t body = bytes.find("\r\n\r\n") + 4;
        client.send(bytes.substr(0, body));
        EXPECT_EQ(client.reply().status, 100);
        client.send(bytes.substr(body));
        EXPECT_EQ(text_of(client.reply()), "x");
    }
    client.send("POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(client.reply().status, 404) << "a refused client need not send its body";
}

TEST_F(Http, requests_after_connection_close_are_ignored) {
    HttpClient client = connect();
    client.send(modern_bytes("echo", R"({"message":"last"})", "", "Connection: close\r\n") +
                modern_bytes("echo", R"({"message":"more"})"));
    const HttpReply reply = client.reply();
    EXPECT_EQ(text_of(reply), "last");
    EXPECT_EQ(reply.field("connection"), "close");
    EXPECT_EQ(client.reply().status, 0);
    EXPECT_EQ(seen.of("echo"), 1);

    HttpClient again = connect();
    again.send(modern_bytes("echo_inline", R"({"message":"last"})", "", "Connection: close\r\n") +
               modern_bytes("echo", R"({"message":"more"})"));
    EXPECT_EQ(text_of(again.reply()), "last");
    EXPECT_EQ(again.reply().status, 0);
    expect_alive();
    EXPECT_EQ(seen.of("echo"), 2) << "a request after `Connection: close` was executed";
}

TEST_F(Http, bytes_after_a_refused_request_are_not_executed) {
    HttpClient client = connect();
    client.send("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc" +
                modern_bytes("echo", R"({"message":"smuggled"})"));
    EXPECT_EQ(client.reply().status, 415);
    EXPECT_EQ(client.wait_for_end(), End::orderly);
    EXPECT_EQ(client.unread(), "");
    EXPECT_EQ(seen.of("echo"), 0);
}

TEST_F(Http, every_response_has_a_date_header) {
    for (const std::string& request :
         {modern_bytes("echo", R"({"message":"x"})"), post_bytes("{}", "Content-Encoding: gzip\r\n"),
          std::string("GET /mcp HTTP/1.1\r\n\r\n"), std::string("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n")}) {
        const std::string date = once(request).field("date");
        EXPECT_EQ(date.size(), 29U) << request << date;
        EXPECT_TRUE(date.ends_with(" GMT")) << date;
    }
}

TEST_F(Http, a_response_to_head_has_a_content_length_and_no_body) {
    HttpClient client = connect();
    client.send("HEAD /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const HttpReply head = client.head();
    EXPECT_EQ(head.status, 405);
    EXPECT_GT(std::stoi(head.field("content-length")), 0);
    client.send(modern_bytes("echo", R"({"message":"next"})"));
    EXPECT_EQ(text_of(client.reply()), "next");
}

TEST_F(Http, the_request_target_may_be_an_absolute_url) {
    std::string request = modern_bytes("echo", R"({"message":"x"})");
    request.replace(0, 9, "POST http://localhost:1/mcp");
    EXPECT_EQ(text_of(once(request)), "x");
}

// ---- timeouts and limits

TEST_F(Http, an_unfinished_head_times_out) {
    start({.head_time = milliseconds(50)});
    HttpClient client = connect();
    client.send("POST /mcp HTTP/1.1\r\nHost: local");
    EXPECT_EQ(client.reply().status, 408);
    EXPECT_EQ(client.wait_for_end(), End::orderly);
    HttpClient silent = connect();
    EXPECT_EQ(silent.wait_for_end(), End::orderly) << "a connection that never sends anything is closed, too";
    EXPECT_EQ(silent.unread(), "");
}

TEST_F(Http, head_time_also_limits_later_requests_of_a_connection) {
    start({.head_time = milliseconds(50), .connection_idle_time = std::chrono::hours(1)});
    for (const char* tool : {"echo", "echo_inline"}) {
        HttpClient client = connect();
        client.send(modern_bytes(tool, R"({"message":"x"})"));
        EXPECT_EQ(text_of(client.reply()), "x");
        client.send("POST /mcp HTTP/1.1\r\nHost: local");
        EXPECT_EQ(client.reply().status, 408) << tool;
    }
}

TEST_F(Http, an_idle_connection_is_closed_without_a_response) {
    start({.connection_idle_time = milliseconds(50)});
    for (const char* tool : {"echo", "echo_inline"}) {
        HttpClient client = connect();
        client.send(modern_bytes(tool, R"({"message":"x"})"));
        EXPECT_EQ(text_of(client.reply()), "x");
        EXPECT_EQ(client.wait_for_end(), End::orderly);
        EXPECT_EQ(client.unread(), "") << tool;
    }
}

TEST_F(Http, an_unfinished_body_times_out) {
    start({.body_time = milliseconds(50)});
    for (const char* expect : {"", "Expect: 100-continue\r\n"}) {
        HttpClient client = connect();
        const std::string bytes = modern_bytes("echo", R"({"message":"x"})", "", expect);
        client.send(bytes.substr(0, bytes.find("\r\n\r\n") + 4));
        if (*expect) {
            EXPECT_EQ(client.reply().status, 100);
        }
        client.send("{");
        EXPECT_EQ(client.reply().status, 408);
    }
    EXPECT_EQ(seen.of("echo"), 0);
}

TEST_F(Http, a_new_connection_over_the_limit_replaces_one_idle_connection) {
    start({.max_connections = 3}, {.threads = 1});
    std::list<HttpClient> kept;
    for (int i = 0; i < 3; ++i) {
        kept.push_back(connect());
        kept.back().send(modern_bytes("echo", R"({"message":"x"})"));
        EXPECT_EQ(text_of(kept.back().reply()), "x");
    }
    HttpClient fourth = connect();
    fourth.send(modern_bytes("echo", R"({"message":"x"})"));
    EXPECT_EQ(text_of(fourth.reply()), "x");
    int served = 0;
    for (HttpClient& client : kept) {
        client.send(modern_bytes("echo", R"({"message":"x"})"));
        served += client.reply().status == 200 ? 1 : 0;
    }
    EXPECT_EQ(served, 2) << "exactly one idle connection should be closed";
}

TEST_F(Http, concurrent_connects_do_not_exceed_max_connections) {
    start({.max_connections = 10}, {.threads = 4});
    std::list<HttpClient> kept;
    for (int i = 0; i < 40; ++i) kept.push_back(connect());
    std::list<std::jthread> readers;
    for (HttpClient& client : kept)
        readers.emplace_back([this, &client] {
            client.send(modern_bytes("wait"));
            seen.count(client.reply().status == 200 ? "served" : "not served");
        });
    while (seen.of("waiting") + seen.of("not served") < 40) std::this_thread::yield();
    EXPECT_LE(seen.of("waiting"), 10);
    EXPECT_GE(seen.of("waiting"), 1);
    seen.count("go");
}

TEST_F(Http, a_thousand_sessions_work_at_once_with_random_ids) {
    rlimit files{};
    ::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &files);
    constexpr int many = 1000;
    ASSERT_GT(files.rlim_cur, 2U * many + 100);
    std::list<HttpClient> clients;
    std::vector<std::string> sessions;
    for (int i = 0; i < many; ++i) {
        clients.push_back(connect());
        sessions.push_back(begin(clients.back()));
    }
    int i = 0;
    for (HttpClient& client : clients) {
        client.send(post_bytes(echo_body("text of " + sessions[static_cast<std::size_t>(i)]),
                               in_session(sessions[static_cast<std::size_t>(i)])));
        ++i;
    }
    i = 0;
    for (HttpClient& client : clients)
        EXPECT_EQ(text_of(client.reply()), "text of " + sessions[static_cast<std::size_t>(i++)]);

    const std::set<std::string> different(sessions.begin(), sessions.end());
    EXPECT_EQ(different.size(), sessions.size());
    std::map<char, int> digits;
    for (const std::string& id : sessions) {
        EXPECT_GE(id.size() * 4, 128U) << "a session id needs 128 bits";
        for (const char c : id) ++digits[c];
    }
    EXPECT_EQ(digits.size(), 16U);
    for (const auto& [digit, count] : digits) {
        EXPECT_NE(std::string("0123456789abcdef").find(digit), std::string::npos);
        EXPECT_GT(count, many) << digit << " is too rare for a random digit";
    }
}

TEST_F(Http, idle_slow_and_streaming_connections_do_not_delay_requests) {
    start({}, {.threads = 1});
    HttpClient idle = connect(), half = connect(), slow_answer = connect();
    half.send("POST /mcp HTT");
    slow_answer.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    HttpClient listening = connect();
    const std::string session = begin(listening);
    std::list<HttpClient> streams;
    for (int i = 0; i < 20; ++i) {
        streams.push_back(connect());
        streams.back().send(get_bytes(session));
        EXPECT_EQ(streams.back().head().status, 200);
    }
    for (int i = 0; i < 20; ++i) expect_alive();
    listening.send(post_bytes(echo_body("still"), in_session(session)));
    EXPECT_EQ(text_of(listening.reply()), "still");
    seen.count("go");
    EXPECT_EQ(text_of(slow_answer.reply()), "went");
}

TEST_F(Http, a_call_that_waits_for_an_answer_does_not_delay_other_requests) {
    start({}, {.threads = 1});
    HttpClient asker = connect(), other = connect(), responder = connect();
    const std::string session = begin(asker, R"({"elicitation":{}})"), others = begin(other);
    asker.send(post_bytes(call_body("ask"), in_session(session)));
    EXPECT_TRUE(asker.head().is_stream());
    const json::value question = json::parse(asker.event().value()).value();
    EXPECT_EQ(question.at("method").as_string(), "elicitation/create");
    other.send(post_bytes(echo_body("meanwhile"), in_session(others)));
    EXPECT_EQ(text_of(other.reply()), "meanwhile");
    responder.send(post_bytes(
        R"({"jsonrpc":"2.0","id":)" + json::write(question.at("id")) + R"(,"result":{"action":"accept","content":{}}})",
        in_session(session)));
    EXPECT_EQ(responder.reply().status, 202);
    EXPECT_EQ(text_of(asker.event().value()), "yes");
    EXPECT_FALSE(asker.event()) << "the stream must end after the answer";
}

// ---- clients that disconnect

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

// Each of these is answered at once, while the requests behind it wait.
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

TEST_F(Http, a_client_that_reads_too_slowly_is_disconnected_and_its_handler_stopped) {
    start({.max_queued_output_bytes = 1024 * 1024});
    const long before = resident_kb();
    HttpClient client = connect(4096);
    client.send(modern_bytes("flood", R"({"times":2000000000,"bytes":100000})", R"(,"progressToken":1)"));
    EXPECT_TRUE(seen.wait_for("flood stopped"));
    EXPECT_LT(memory_is_measurable ? resident_kb() - before : 0, 200'000);
    expect_alive();
}

TEST_F(Http, a_client_that_reads_too_slowly_keeps_its_session) {
    start({.max_queued_output_bytes = 1024 * 1024});
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

// ---- shutdown

TEST_F(Http, stopping_finishes_running_calls_and_ends_streams) {
    HttpClient running = connect(), lone = connect(), listener = connect(), idle = connect();
    const std::string session = begin(running);
    listener.send(get_bytes(session));
    EXPECT_EQ(listener.head().status, 200);
    running.send(post_bytes(call_body("wait"), in_session(session)));
    lone.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting", 2));
    std::thread stopper([this] { EXPECT_TRUE(http->stop()); });
    EXPECT_EQ(idle.wait_for_end(), End::orderly) << "an idle connection must be closed while the server stops";
    seen.count("go");
    const HttpReply first = running.reply(), second = lone.reply();
    EXPECT_EQ(text_of(first), "went");
    EXPECT_EQ(text_of(second), "went");
    while (listener.chunk()) {
    }
    EXPECT_EQ(listener.wait_for_end(), End::orderly);
    EXPECT_EQ(running.wait_for_end(), End::orderly);
    EXPECT_EQ(lone.wait_for_end(), End::orderly);
    stopper.join();
    EXPECT_THROW(HttpClient(http->port()), std::runtime_error);
}

TEST_F(Http, stopping_cancels_calls_after_drain_time) {
    start({.drain_time = milliseconds(400)});
    HttpClient lone = connect();
    lone.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    std::thread stopper([this] { EXPECT_TRUE(http->stop()); });
    const HttpReply reply = lone.reply();
    EXPECT_NE(reply.message().find("\"error\""), std::string::npos) << reply.message();
    EXPECT_TRUE(seen.wait_for("stopped"));
    stopper.join();
}

TEST_F(Http, a_blocked_thread_does_not_keep_other_clients_from_learning_of_the_shutdown) {
    start({.drain_time = milliseconds(400)}, {.port = 0, .threads = 2});
    const auto block = [this] {
        seen.count("blocking");
        seen.wait_for("release");
        return "released";
    };
    server->tool("block_inline", "Blocks a thread of the server until the test releases it", block,
                 {.placement = Placement::inline_});
    HttpClient blocking = connect();  // on the thread that accepts
    blocking.send(modern_bytes("echo", R"({"message":"x"})"));
    EXPECT_EQ(text_of(blocking.reply()), "x");
    HttpClient other = connect();
    other.send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting"));
    blocking.send(modern_bytes("block_inline"));
    ASSERT_TRUE(seen.wait_for("blocking"));
    std::thread stopper([this] { http->stop(); });
    EXPECT_NE(other.reply().message().find("shutting down"), std::string::npos);
    seen.count("release");
    stopper.join();
}

TEST_F(Http, stop_can_be_called_from_several_threads) {
    start();
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([this] { EXPECT_TRUE(http->stop()); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_THROW(HttpClient(http->port()), std::runtime_error);
}

// ---- authentication

TEST_F(Http, a_public_address_without_authentication_is_refused) {
    Server open{"test", "1"};
    EXPECT_THROW(HttpServer(open, {.address = "0.0.0.0", .port = 0}), Exception);
    EXPECT_THROW(HttpServer(open, {.address = "::", .port = 0}), Exception);
    EXPECT_THROW(HttpServer(open, {.address = "localhost", .port = 0}), Exception)
        << "localhost is a name and not an address";
    EXPECT_THROW(HttpServer(open, {.port = 0, .path = "mcp"}), Exception);
    EXPECT_NO_THROW(HttpServer(open, {.address = "0.0.0.0", .port = 0, .public_without_authentication = true}));
    EXPECT_NO_THROW(
        HttpServer(open, {.address = "0.0.0.0", .port = 0, .authenticate = [](std::string_view) { return "x"; }}));
    HttpServer first(open, {.port = 0});
    EXPECT_THROW(HttpServer(open, {.port = first.port()}), Exception) << "the port is in use";
    EXPECT_EQ(first.url(), "http://127.0.0.1:" + std::to_string(first.port()) + "/mcp");
}

TEST_F(Http, an_unauthenticated_request_is_refused_before_its_body_is_read) {
    HttpOptions options;
    options.authenticate = [](std::string_view who) -> std::optional<std::string> {
        if (who != "Bearer good") return std::nullopt;
        return "somebody";
    };
    start({}, std::move(options));
    HttpClient client = connect();
    const std::string bytes = modern_bytes("echo", R"({"message":"x"})", "", "Authorization: Bearer bad\r\n");
    client.send(bytes.substr(0, bytes.find("\r\n\r\n") + 4));
    const HttpReply refused = client.reply();
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.field("www-authenticate"), "Bearer");
    EXPECT_EQ(text_of(once(modern_bytes("echo", R"({"message":"x"})", "", "Authorization: Bearer good\r\n"))), "x");
    EXPECT_EQ(once(modern_bytes("echo", R"({"message":"x"})")).status, 401);
    EXPECT_EQ(seen.of("echo"), 1);
}

}  // namespace
}  // namespace tenon::test
