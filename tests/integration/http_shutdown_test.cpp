// What the clients of a server see when it stops.
// rules: HTTP-12
#include "integration/http_fixture.hpp"

namespace tenon::test {
namespace {

using End = HttpClient::End;
using std::chrono::milliseconds;
using Http = HttpIntegration;

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

}  // namespace
}  // namespace tenon::test
