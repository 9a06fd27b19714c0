// How a server over stdio ends: at the end of its input, by a signal, and with calls that still run.
#include <filesystem>

#include "integration/stdio_client.hpp"

namespace tenon::test {
namespace {

using Client = StdioClient;
using std::chrono::milliseconds;
using std::chrono::seconds;

// rules: STDIO-4, RPC-7
TEST(Stdio, end_of_input_lets_running_requests_finish_or_cancels_them) {
    Client c({"drain_ms=300"});
    c.send(call(1, "sleep"));
    c.send(call(2, "later", message("finished")));
    c.send(call(3, "question"));
    ASSERT_TRUE(c.wait_for_mark("asleep"));
    c.end_well();
    EXPECT_EQ(c.said(1), "error -32000");
    EXPECT_EQ(c.said(2), "finished");
    EXPECT_NE(c.said(3), "nothing");  // its question can no longer be answered
}

// rules: STDIO-4
TEST(Stdio, ends_as_soon_as_the_last_request_is_answered) {
    Client c({"drain_ms=50000"});
    c.send(call(1, "shell", R"({"command":"sleep 0.2"})"));
    c.end_well(seconds(25));
    EXPECT_EQ(c.said(1), "status 0");
}

// rules: STDIO-4, RPC-7
TEST(Stdio, a_handler_that_never_returns_does_not_prevent_exit) {
    Client c({"drain_ms=100"});
    c.send(call(1, "stubborn"));
    ASSERT_TRUE(c.wait_for_mark("stubborn"));
    c.end_well();
    EXPECT_EQ(c.said(1), "error -32000");
}

class StdioSignal : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Signals, StdioSignal, testing::Values(SIGTERM, SIGINT),
                         [](const auto& signal) { return signal.param == SIGTERM ? "SIGTERM" : "SIGINT"; });

// rules: STDIO-4, RPC-7
TEST_P(StdioSignal, running_calls_are_answered_with_an_error_before_exit) {
    Client c({"drain_ms=400"});
    c.send(call(1, "sleep"));
    c.send(call(2, "echo", message("done before")));
    EXPECT_EQ(c.said(2), "done before");
    ASSERT_TRUE(c.wait_for_mark("asleep"));
    c.child.signal(GetParam());
    EXPECT_EQ(c.said(1), "error -32000");
    c.ended_well();
}

// rules: STDIO-4
TEST(Stdio, sigterm_lets_running_calls_finish) {
    const std::string file = testing::TempDir() + "/signal_" + std::to_string(::getpid());
    std::filesystem::remove(file);
    Client c({"drain_ms=50000"});
    c.send(
        call(1, "shell", R"({"command":"echo mark:begun >&2; while [ ! -e )" + file + R"( ]; do sleep 0.01; done"})"));
    ASSERT_TRUE(c.wait_for_mark("begun"));
    c.child.signal(SIGTERM);
    std::ofstream(file) << "go on";
    EXPECT_EQ(c.said(1), "status 0");
    c.ended_well();
    std::filesystem::remove(file);
}

// rules: STDIO-4
TEST_P(StdioSignal, a_second_signal_kills_the_process_at_once) {
    Client c({"drain_ms=50000"});
    c.send(call(1, "stubborn"));
    ASSERT_TRUE(c.wait_for_mark("stubborn"));
    std::optional<int> status;
    for (int i = 0; i < 1000 && !status; ++i) {  // two pending signals of the same kind count as one
        c.child.signal(GetParam());
        status = c.child.exit_status(milliseconds(20));
    }
    EXPECT_EQ(status, -GetParam());
}

// rules: STDIO-4
TEST(Stdio, sigterm_exits_cleanly_while_the_client_does_not_read) {
    Client c({"drain_ms=400"});
    c.child.pause_reading();
    c.send(call(1, "big", R"({"bytes":1000000})"));
    c.send(call(2, "stubborn"));
    ASSERT_TRUE(c.wait_for_mark("stubborn"));
    c.child.signal(SIGTERM);
    EXPECT_EQ(c.child.exit_status(), 0) << c.child.errors();
}

// A thread that does not belong to the library sends the responses while the server ends.
// rules: STDIO-4
TEST(Stdio, replies_from_foreign_threads_during_shutdown_are_safe) {
    for (int round = 0; round < 10; ++round) {
        Client c({"drain_ms=50"});
        for (int i = 1; i <= 50; ++i) c.send(call(i, i % 2 ? "later" : "progress", message("late")));
        c.end_well();
        for (int i = 1; i <= 50; ++i) EXPECT_NE(c.said(i), "nothing");
    }
}

// rules: LIFE-16
TEST(Stdio, a_request_cancelled_before_its_turn_never_runs) {
    Client c({"workers=1"});
    c.send(call(1, "wait_for_gate"));
    c.send(call(2, "mark", message("cancelled")));
    c.send(cancel(2));
    c.send(call(3, "mark", message("not cancelled")));
    c.send(call(4, "open_gate"));
    EXPECT_EQ(c.said(1), "through");
    EXPECT_EQ(c.said(3), "marked");
    c.end_well();
    EXPECT_EQ(c.said(2), "nothing");
    EXPECT_EQ(c.child.errors().find("mark:cancelled"), std::string::npos);
}

}  // namespace
}  // namespace tenon::test
