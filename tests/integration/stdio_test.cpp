// The stdio transport against real processes: what pipes, signals and clients can do to a server.
#include <filesystem>
#include <iostream>
#include <map>

#include "integration/stdio_client.hpp"
#include "support/folders.hpp"

namespace tenon::test {
namespace {

using Client = StdioClient;
using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string bin = test_folders::bin() + "/";

// A sanitizer holds freed memory back, so resident memory cannot be measured there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_is_measurable = false;
#else
constexpr bool memory_is_measurable = true;
#endif

// ---- reading

// rules: STDIO-1, STDIO-4
TEST(Stdio, serves_requests_although_the_input_is_already_closed) {
    Client c;
    c.send(call(1, "work", message("one shot")));
    c.end_well();
    EXPECT_EQ(c.said(1), "one shot");
    EXPECT_EQ(c.said(0), "result");
}

// rules: INT-6
TEST(Stdio, reads_single_bytes_with_carriage_returns_and_blank_lines) {
    Client c;
    c.child.flush();
    for (const char byte : "\r\n\n  \t\r\n" + call(1, "echo", message("slow")) + "\r\n\r\n" + ping(2) + "\n") {
        if (byte == '\0') continue;
        c.child.send(std::string(1, byte));
        c.child.flush();
    }
    EXPECT_EQ(c.said(1), "slow");
    EXPECT_EQ(c.said(2), "result");
    c.end_well();
    EXPECT_EQ(c.answered(), 3U);
}

// rules: INT-5, STDIO-4
TEST(Stdio, does_not_execute_a_message_without_its_newline_at_the_end_of_input) {
    Client c;
    c.child.send(call(1, "mark", message("executed")));  // no newline
    c.end_well();
    EXPECT_EQ(c.child.errors().find("mark:executed"), std::string::npos);
    EXPECT_EQ(c.answered(), 1U);
}

// rules: INT-3, INT-4, INT-6
TEST(Stdio, a_message_of_ten_megabytes_is_echoed_unchanged) {
    Client c;
    std::string big;
    while (big.size() < 10'000'000) big += std::to_string(big.size()) + ",";
    c.send(call(1, "echo", message("before")));
    c.send(call(2, "echo", message(big)));
    c.send(call(3, "echo", message("after")));
    EXPECT_EQ(c.said(3), "after");
    EXPECT_EQ(c.said(1), "before");
    EXPECT_TRUE(c.said(2) == big);
    EXPECT_EQ(c.order, (std::vector<std::string>{"0", "1", "2", "3"}));
    c.end_well();
}

// rules: INT-6
TEST(Stdio, a_line_of_100_megabytes_is_refused_in_bounded_memory) {
    Client c;
    c.answer(0);
    const long before = c.child.status_kb("VmHWM");
    c.child.send(R"({"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":")");
    for (int i = 0; i < 100; ++i) {
        c.child.send(std::string(1'000'000, 'x'));
        ASSERT_TRUE(c.child.flush());
    }
    c.child.send("\"}}\n");
    c.send(call(2, "echo", message("next")));
    EXPECT_EQ(c.said(2), "next");
    const long grown = c.child.status_kb("VmHWM") - before;
    std::cerr << "a line of 100 MB: memory grew by " << grown << " kB\n";
    EXPECT_LT(memory_is_measurable ? grown : 0, 64 * 1024);
    ASSERT_EQ(c.refusals.size(), 1U);
    EXPECT_EQ(Client::text(c.refusals[0]), "error -32600");
    EXPECT_NE(c.refusals[0].find("error")->find("message")->text.find("16777216"), std::string::npos);
    c.end_well();
}

TEST(Stdio, works_with_regular_files_as_input_and_output) {
    const std::string input = temporary_file("in"), output = temporary_file("out");
    std::ofstream(input) << handshake << call(1, "work", message("from a file")) << "\n";
    Child child({bin + "faulty_server"},
                {.input = Stream::file, .output = Stream::file, .input_file = input, .output_file = output});
    EXPECT_EQ(child.exit_status(), 0) << child.errors();
    std::ifstream file(output);
    std::string first, second, third;
    EXPECT_TRUE(std::getline(file, first) && std::getline(file, second) && !std::getline(file, third));
    EXPECT_TRUE(JsonReader::read(first, 100) && JsonReader::read(second, 100));
    EXPECT_NE(second.find("from a file"), std::string::npos);
    std::filesystem::remove(input);
    std::filesystem::remove(output);
}

// Node.js gives its child processes socket pairs instead of pipes.
TEST(Stdio, serves_over_socket_pairs) {
    Client c({}, {.input = Stream::socket, .output = Stream::socket});
    const std::string big(5'000'000, 's');
    c.send(call(1, "echo", message(big)));
    c.send(call(2, "work", message("small")));
    EXPECT_EQ(c.said(2), "small");
    EXPECT_TRUE(c.said(1) == big);
    c.end_well();
}

// rules: INT-4
TEST(Stdio, inherited_nonblocking_streams_work) {
    Client c({}, {.nonblocking = true});
    const std::string big(5'000'000, 'n');
    for (int i = 1; i <= 4; ++i) c.send(call(i, "echo", message(big)));
    for (int i = 1; i <= 4; ++i) EXPECT_TRUE(c.said(i) == big);
    c.end_well();
}

// rules: INT-4
TEST(Stdio, does_not_make_the_shared_output_nonblocking) {
    Client c({}, {.keep_their_output = true});
    EXPECT_EQ(c.said(0), "result");
    EXPECT_EQ(::fcntl(c.child.their_output(), F_GETFL) & O_NONBLOCK, 0);
}

// rules: INT-4
TEST(Stdio, signals_during_transfers_lose_nothing) {
    Client c;
    c.answer(0);
    const std::string big(3'000'000, 'i');
    for (int i = 1; i <= 5; ++i) c.send(call(i, i % 2 ? "echo" : "work", message(big)));
    EXPECT_TRUE(c.child.pump([&] {
        c.child.signal(SIGUSR1);
        c.child.signal(SIGCONT);
        c.sort();
        return c.answered() == 6;
    }));
    for (int i = 1; i <= 5; ++i) EXPECT_TRUE(c.said(i) == big);
    c.end_well();
}

// ---- writing

// Back pressure: a handler's output waits for the reader, and so do the handlers that have not begun. The queue holds
// at most the limit and one response per worker.
// rules: INT-4
TEST(Stdio, memory_is_bounded_while_the_client_does_not_read) {
    constexpr int requests = memory_is_measurable ? 200 : 40;
    Client c({"queued=1000000", "workers=4"});
    c.answer(0);
    const long before = c.child.status_kb("VmHWM");
    c.child.pause_reading();
    for (int i = 1; i <= requests; ++i) c.send(call(i, "big", R"({"bytes":1000000})"));
    c.child.pump([] { return false; }, milliseconds(500));  // lets the server run until it blocks
    c.child.pause_reading(false);
    for (int i = 1; i <= requests; ++i) EXPECT_EQ(c.said(i).size(), 1'000'000U);
    const long grown = c.child.status_kb("VmHWM") - before;
    std::cerr << "a reader that stopped before " << requests << " MB: memory grew by " << grown << " kB\n";
    EXPECT_LT(memory_is_measurable ? grown : 0, 50'000);
    c.end_well();
}

// rules: INT-4
TEST(Stdio, stops_reading_requests_while_responses_are_not_read) {
    Client c({"queued=1000000"});
    c.answer(0);
    c.child.pause_reading();
    constexpr int requests = 100;
    for (int i = 1; i <= requests; ++i) c.send(call(i, "echo", message(std::string(300'000, 'e'))));
    for (std::size_t left = 0; left != c.child.unsent();) {  // until the server stops reading
        left = c.child.unsent();
        c.child.pump([&] { return c.child.unsent() == 0; }, milliseconds(300));
    }
    EXPECT_GT(c.child.unsent(), 20'000'000U) << "the server did not stop reading";
    c.child.pause_reading(false);
    for (int i = 1; i <= requests; ++i) EXPECT_EQ(c.said(i).size(), 300'000U);
    c.end_well();
}

// rules: INT-4
TEST(Stdio, a_handler_waits_when_its_output_is_not_read) {
    Client c({"queued=1000000"});
    c.answer(0);
    const long before = c.child.status_kb("VmHWM");
    c.child.pause_reading();
    c.send(call(1, "flood", R"({"count":500,"bytes":100000})"));  // 50 MB
    c.child.pump([] { return false; }, milliseconds(500));        // lets the server run until it blocks
    const long grown = c.child.status_kb("VmHWM") - before;
    std::cerr << "a flood of 50 MB: memory grew by " << grown << " kB\n";
    EXPECT_LT(memory_is_measurable ? grown : 0, 20'000);
    c.child.pause_reading(false);
    EXPECT_EQ(c.said(1), "flooded");
    EXPECT_EQ(c.others.size(), 500U);
    c.end_well();
}

// Responses far above the limit of queued output, with a reader that keeps up. The server pauses and resumes reading
// many times.
// rules: INT-4
TEST(Stdio, resumes_reading_after_each_pause) {
    Client c({"queued=1000"});
    constexpr int requests = 3000;
    for (int i = 1; i <= requests; ++i) c.send(call(i, i % 3 ? "work" : "echo", message(std::string(3000, 'q'))));
    EXPECT_TRUE(c.child.pump([&] { return c.sort(), c.answered() == requests + 1; })) << c.answered();
    c.end_well();
}

// rules: STDIO-4
TEST(Stdio, exits_cleanly_when_its_output_is_closed) {
    Client c;
    c.answer(0);
    c.send(call(1, "sleep"));
    ASSERT_TRUE(c.wait_for_mark("asleep"));
    c.child.close_output();
    c.send(call(2, "echo", message("to nobody")));
    EXPECT_EQ(c.child.exit_status(), 0) << c.child.errors();
}

// ---- concurrency and time

// rules: RPC-7
TEST(Stdio, slow_tools_do_not_delay_other_requests) {
    Client c;
    for (int i = 1; i <= 20; ++i) c.send(call(i, "wait_for_gate"));
    c.send(ping(21));
    c.send(call(22, "work", message("not delayed")));
    EXPECT_EQ(c.said(21), "result");
    EXPECT_EQ(c.said(22), "not delayed");
    c.send(call(23, "open_gate"));
    for (int i = 1; i <= 20; ++i) EXPECT_EQ(c.said(i), "through");
    c.end_well();
}

// A call that comes alone runs on the thread that reads. Another thread must read on when the call blocks.
TEST(Stdio, a_call_that_blocks_on_the_reading_thread_does_not_delay_the_next_request) {
    Client c;
    int id = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 150; ++i) {  // quick calls, one at a time
            c.send(call(++id, "work", message("quick")));
            ASSERT_EQ(c.said(id), "quick");
        }
        const int blocked = ++id;
        c.send(call(blocked, "sleep"));
        ASSERT_TRUE(c.wait_for_mark("asleep"));  // it was read alone, in the first round
        c.send(ping(++id));
        EXPECT_EQ(c.said(id), "result");
        c.send(call(++id, "work", message("not delayed")));
        EXPECT_EQ(c.said(id), "not delayed");
        c.send(cancel(blocked));
    }
    c.end_well();
}

// rules: RPC-7, LIFE-14
TEST(Stdio, refuses_calls_above_the_limit_and_always_answers_pings) {
    constexpr int sent = 2000, limit = 500;
    Client c({"concurrent=500"});
    for (int i = 1; i <= sent; ++i) c.send(call(i, "wait_for_gate"));
    c.send(ping(sent + 1));
    EXPECT_EQ(c.said(sent + 1), "result");
    c.send(cancel(1));  // makes room for one call
    c.send(call(sent + 2, "open_gate"));
    EXPECT_EQ(c.said(sent + 2), "open");
    std::map<std::string, int> count;
    for (int i = 2; i <= sent; ++i) ++count[c.said(i)];
    EXPECT_EQ(count, (std::map<std::string, int>{{"through", limit - 1}, {"error -32000", sent - limit}}));
    c.end_well();
}

TEST(Stdio, an_unanswered_question_times_out) {
    Client c({"ask_ms=200"});
    c.send(call(1, "question"));
    EXPECT_NE(c.said(1, seconds(20)), "nothing");
    c.end_well();
}

// rules: RPC-7
TEST(Stdio, a_handler_over_its_time_limit_gets_an_error_response) {
    Client c({"handler_ms=200"});
    c.send(call(1, "sleep"));
    EXPECT_NE(c.said(1, seconds(20)).find("did not finish in time"), std::string::npos);
    EXPECT_EQ(c.child.errors().find("stubborn"), std::string::npos);
    c.end_well();
}

// ---- standard output and standard error of handlers

class StdioNoise : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Cout, StdioNoise, testing::Values("synced", "unsynced"),
                         [](const auto& which) { return which.param; });

// rules: STDIO-1, ANTI-1
TEST_P(StdioNoise, output_printed_by_handlers_goes_to_stderr) {
    Client c({GetParam()});
    const std::vector<std::string> tools = {"noise_printf", "noise_cout", "noise_write", "noise_inline"};
    for (int i = 0; i < 40; ++i)
        c.send(call(i + 1, tools[static_cast<std::size_t>(i) % tools.size()], message("n" + std::to_string(i) + ".")));
    c.send(call(41, "shell", R"({"command":"echo noise n40."})"));
    EXPECT_EQ(c.said(41), "status 0");
    c.end_well();
    for (int i = 0; i < 40; ++i) EXPECT_EQ(c.said(i + 1), "printed");
    for (int i = 0; i <= 40; ++i)
        EXPECT_NE(c.child.errors().find("noise n" + std::to_string(i) + "."), std::string::npos) << i;
    EXPECT_NE(c.child.errors().find("noise from before serving"), std::string::npos);
    EXPECT_NE(c.child.errors().find("noise from std::cout before serving"), std::string::npos);
}

// rules: STDIO-1
TEST(Stdio, child_processes_of_handlers_do_not_inherit_the_protocol_streams) {
    Client c;
    c.send(
        call(1, "shell", R"({"command":"for f in /proc/$$/fd/*; do echo fd ${f##*/} $(readlink $f) >&2; done; cat"})"));
    const auto streams = c.child.streams();
    EXPECT_EQ(c.said(1), "status 0");  // `cat` saw an empty input
    c.send(call(2, "echo", message("still ours")));
    EXPECT_EQ(c.said(2), "still ours");
    c.end_well();
    std::map<std::string, std::string> open;
    std::istringstream errors(c.child.errors());
    for (std::string word, fd, target; errors >> word;)
        if (word == "fd" && errors >> fd >> target) open[fd] = target;
    EXPECT_EQ(open["0"], "/dev/null");
    EXPECT_NE(open["1"], "");
    EXPECT_EQ(open["1"], open["2"]);
    for (const auto& [fd, target] : open)
        for (const std::string& ours : streams) EXPECT_NE(target, ours) << fd;
}

TEST(Stdio, reports_closed_standard_input_or_output) {
    for (const bool input : {true, false}) {
        Child child({bin + "faulty_server"},
                    {.input = input ? Stream::closed : Stream::pipe, .output = input ? Stream::pipe : Stream::closed});
        const auto status = child.finish();
        ASSERT_TRUE(status.has_value());
        EXPECT_GT(*status, 0) << child.errors();
        EXPECT_NE(child.errors().find(input ? "standard input" : "standard output"), std::string::npos)
            << child.errors();
    }
}

// rules: STDIO-1
TEST(Stdio, serves_with_stderr_closed) {
    Client c({}, {.errors = Stream::closed});
    c.send("this is logged");
    c.send(call(1, "noise_printf", message("nowhere")));
    c.send(call(2, "mark", message("nowhere")));
    EXPECT_EQ(c.said(1), "printed");
    EXPECT_EQ(c.said(2), "marked");
    EXPECT_EQ(std::filesystem::read_symlink("/proc/" + std::to_string(c.child.pid()) + "/fd/2"), "/dev/null");
    c.end_well();
}

// rules: STDIO-1
TEST(Stdio, serves_when_its_stderr_is_not_read) {
    Client c({}, {.read_errors = false});
    for (int i = 0; i < 3000; ++i) c.send("this is not JSON, and each such line is logged: " + std::string(100, '.'));
    c.send(call(1, "echo", message("still here")));
    EXPECT_EQ(c.said(1), "still here");
    c.end_well();
}

}  // namespace
}  // namespace tenon::test
