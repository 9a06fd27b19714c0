// Time limits of a connection, and limits of how many there are.
// rules: HTTP-6, HTTP-8, SEC-4
#include <sys/resource.h>

#include <set>

#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;
using std::chrono::milliseconds;
using Http = HttpIntegration;

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

}  // namespace
}  // namespace tenon::test
