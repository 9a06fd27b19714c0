// One client must not delay another: over real sockets, with handlers that block until the test releases them.
// rules: SEC-7
#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using FairHttp = HttpIntegration;
using End = HttpClient::End;

const std::string elicitation = R"({"elicitation":{}})";

// Makes each call on its own connection. All are in one session, so they count as calls of one peer.
std::list<HttpClient> call_many(std::uint16_t port, const std::string& tool, const std::string& session, int count) {
    std::list<HttpClient> out;
    for (int i = 1; i <= count; ++i) {
        out.emplace_back(port);
        out.back().send(post_bytes(call_body(tool, "{}", std::to_string(i)), "Mcp-Session-Id: " + session + "\r\n"));
    }
    return out;
}

TEST_F(FairHttp, sixty_four_slow_calls_of_one_client_delay_no_other_client) {
    start();
    HttpClient greedy = connect();
    auto calls = call_many(http->port(), "wait", begin(greedy), 64);
    ASSERT_TRUE(seen.wait_for("waiting", 48));
    for (int i = 0; i < 10; ++i) expect_alive();
    EXPECT_EQ(seen.of("went"), 0) << "a slow call ended before the other client's calls";
    EXPECT_EQ(seen.of("waiting"), 48) << "one peer may hold three quarters of the 64 threads";
    seen.count("go");
    for (HttpClient& call : calls) EXPECT_EQ(text_of(call.reply()), "went");
}

TEST_F(FairHttp, several_greedy_clients_leave_a_thread_for_another_client) {
    HttpOptions options;
    options.authenticate = [](std::string_view name) { return std::optional(std::string(name)); };
    start({.max_workers = 16}, std::move(options));  // four threads are reserved for peers that hold none
    std::list<HttpClient> calls;
    for (const char* name : {"a", "b", "c"})
        for (int i = 0; i < 16; ++i) {
            calls.push_back(connect());
            calls.back().send(modern_bytes("wait", "{}", "", "Authorization: " + std::string(name) + "\r\n"));
        }
    ASSERT_TRUE(seen.wait_for("waiting", 12));
    expect_alive();
    EXPECT_EQ(seen.of("went"), 0);
    seen.count("go");
    for (HttpClient& call : calls) EXPECT_EQ(text_of(call.reply()), "went");
}

TEST_F(FairHttp, a_question_that_blocks_its_handler_counts_against_the_share_of_its_client) {
    start({.max_workers = 4, .drain_time = std::chrono::milliseconds(400)});
    HttpClient asker = connect();
    auto calls = call_many(http->port(), "ask", begin(asker, elicitation), 3);
    for (HttpClient& call : calls) {
        EXPECT_TRUE(call.head().is_stream());
        EXPECT_TRUE(call.event()) << "no question arrived";
    }
    auto one_more = call_many(http->port(), "ask", begin(asker, elicitation), 1);
    expect_alive();
}

TEST_F(FairHttp, a_question_of_an_asynchronous_handler_holds_no_thread) {
    start({.max_workers = 1});
    server->tool("ask_later", "Asks, and returns before the answer", [](Context& ctx, Reply<std::string> reply) {
        auto kept = std::make_shared<Reply<std::string>>(std::move(reply));
        ctx.async_elicit("Well?", json::object{{"type", "object"}, {"properties", json::object()}},
                         make_reply<ElicitResult>([kept](Result<ElicitResult> answer) {
                             if (!answer) return std::move(*kept).send(answer.error());
                             std::move(*kept).send(std::string("answered"));
                         }));
    });
    HttpClient asker = connect(), responder = connect();
    const std::string session = begin(asker, elicitation);
    auto calls = call_many(http->port(), "ask_later", session, 5);
    std::vector<json::value> questions;
    for (HttpClient& call : calls) {
        EXPECT_TRUE(call.head().is_stream());
        questions.push_back(json::parse(call.event().value()).value());
    }
    expect_alive();
    for (const json::value& question : questions) {
        responder.send(post_bytes(R"({"jsonrpc":"2.0","id":)" + json::write(question.at("id")) +
                                      R"(,"result":{"action":"accept","content":{}}})",
                                  in_session(session)));
        EXPECT_EQ(responder.reply().status, 202);
    }
    for (HttpClient& call : calls) EXPECT_EQ(text_of(call.event().value()), "answered");
}

// ---- connections

TEST_F(FairHttp, idle_connections_are_closed_to_make_room_for_requests) {
    start({.max_connections = 50}, {.threads = 1});
    std::list<HttpClient> idle;
    for (int i = 0; i < 200; ++i) idle.push_back(connect());
    for (int i = 0; i < 10; ++i) expect_alive();
}

TEST_F(FairHttp, a_connection_without_a_complete_request_is_closed_first) {
    start({.max_connections = 3}, {.threads = 1});
    HttpClient one = connect(), half = connect(), other = connect();
    const std::string request = modern_bytes("echo", R"({"message":"x"})");
    one.send(request);
    EXPECT_EQ(text_of(one.reply()), "x");
    other.send(request);
    EXPECT_EQ(text_of(other.reply()), "x");
    half.send("POST /mcp HTT");
    HttpClient fourth = connect();
    fourth.send(request);
    EXPECT_EQ(text_of(fourth.reply()), "x");
    EXPECT_NE(half.wait_for_end(), End::late) << "the connection without a complete request was not closed";
    for (HttpClient* kept : {&one, &other}) {
        kept->send(request);
        EXPECT_EQ(text_of(kept->reply()), "x");
    }
}

TEST_F(FairHttp, a_connection_with_a_running_request_is_not_closed_for_another) {
    start({.max_connections = 2}, {.threads = 1});
    HttpClient one = connect(), two = connect();
    for (HttpClient* client : {&one, &two}) client->send(modern_bytes("wait"));
    ASSERT_TRUE(seen.wait_for("waiting", 2));
    HttpClient refused = connect();
    const HttpReply reply = refused.reply();
    EXPECT_EQ(reply.status, 503);
    EXPECT_NE(reply.body.find("Limits::max_connections"), std::string::npos) << reply.body;
    seen.count("go");
    for (HttpClient* client : {&one, &two}) EXPECT_EQ(text_of(client->reply()), "went");
}

}  // namespace
}  // namespace tenon::test
