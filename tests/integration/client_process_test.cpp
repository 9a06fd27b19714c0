// Real child processes, correct and faulty. Each call ends soon with one error, and nothing is left behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include <tenon/client.hpp>
#include <tenon/transport/process.hpp>

#include "support/folders.hpp"

namespace tenon {
namespace {

using namespace std::chrono_literals;

const std::string everything = test_folders::bin() + "/everything";
const std::string odd = test_folders::bin() + "/client_child";

// Returns the processes of a group with their states, read from /proc. State 'Z' is a zombie.
std::vector<std::pair<int, char>> processes_of_group(int group) {
    std::vector<std::pair<int, char>> out;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const int pid = std::atoi(entry.path().filename().c_str());
        if (pid <= 0) continue;
        std::ifstream file(entry.path() / "stat");
        std::string stat((std::istreambuf_iterator<char>(file)), {});
        const auto end = stat.rfind(')');
        if (end == std::string::npos) continue;
        char state = '?';
        int parent = 0, pgrp = 0;
        if (std::sscanf(stat.c_str() + end + 1, " %c %d %d", &state, &parent, &pgrp) == 3 && pgrp == group)
            out.emplace_back(pid, state);
    }
    return out;
}

// init reaps a killed grandchild at some later time, so a zombie counts as gone.
bool group_is_gone(int group) {
    return std::ranges::all_of(processes_of_group(group), [](const auto& p) { return p.second == 'Z'; });
}

// close() returns after it sent SIGKILL, and the processes need a moment to exit. If one stays, the test times out.
void wait_until_gone(int group) {
    while (!group_is_gone(group)) std::this_thread::yield();
}

bool has_children() {
    siginfo_t info{};
    return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

std::size_t open_descriptors() {
    const std::filesystem::directory_iterator fds("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(fds), end(fds)));
}

int code_of(const std::function<void()>& f, std::string* message = nullptr) {
    try {
        f();
    } catch (const Exception& e) {
        if (message) *message = e.error().message;
        return e.error().code;
    }
    return 0;
}

ClientOptions impatient() {
    ClientOptions o;
    o.limits.probe_time = 200ms;
    o.restart = false;
    o.learn_tools = false;  // the odd servers have no list
    return o;
}

std::shared_ptr<ProcessTransport> child(const std::string& kind) {
    return process({.command = {odd, kind}, .exit_time = 100ms, .term_time = 100ms});
}

std::string text(const ToolResult& result) { return std::get<TextContent>(result.content.at(0)).text; }

// rules: STDIO-2, STDIO-3
TEST(ClientProcess, calls_a_real_server_in_each_era) {
    for (const Era era : {Era::automatic, Era::legacy, Era::modern}) {
        const auto transport = process({.command = {everything}});
        ClientOptions o;
        o.era = era;
        Client c(transport, std::move(o));
        EXPECT_EQ(c.connect().info.name, "everything");
        EXPECT_EQ(c.era(), era == Era::legacy ? Era::legacy : Era::modern);
        EXPECT_GT(c.list_tools().all().size(), 10u);
        EXPECT_EQ(text(c.call_tool("echo", {{"message", "hi"}})), "hi");
        const int group = transport->pid();
        c.close();
        EXPECT_EQ(transport->pid(), 0);
        EXPECT_TRUE(processes_of_group(group).empty());
    }
    EXPECT_FALSE(has_children());
}

TEST(ClientProcess, detects_a_legacy_server_that_mishandles_discover) {
    for (const std::string kind : {"plain", "silent-to-discover", "dies-of-discover", "dies-after-discover", "noise"}) {
        Client c(child(kind), impatient());
        EXPECT_EQ(c.connect().info.name, "odd") << kind;
        EXPECT_EQ(c.era(), Era::legacy) << kind;
        EXPECT_EQ(text(c.call_tool("t")), "ok") << kind;
    }
    EXPECT_FALSE(has_children());
}

TEST(ClientProcess, lines_that_are_not_json_rpc_are_logged) {
    std::mutex mutex;
    std::string log;
    ClientOptions o = impatient();
    o.log = [&](const LogRecord& r) {
        const std::lock_guard lock(mutex);
        log += r.message;
    };
    const auto transport = child("noise");
    Client c(transport, std::move(o));
    c.call_tool("t");
    c.close();
    EXPECT_NE(transport->stderr_tail().find("warming up"), std::string::npos);
    EXPECT_NE(log.find("not a JSON-RPC message"), std::string::npos) << log;
}

TEST(ClientProcess, only_the_end_of_a_long_stderr_is_kept) {
    ProcessOptions o{.command = {"/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo this is line $i >&2; done"}};
    o.stderr_to = ChildStderr::capture;
    o.max_stderr_bytes = 40;
    const auto transport = process(std::move(o));
    Client c(transport, impatient());
    EXPECT_THROW(c.connect(), Exception);
    c.close();
    EXPECT_EQ(transport->stderr_tail().size(), 40U);
    EXPECT_TRUE(transport->stderr_tail().ends_with("this is line 9\n")) << transport->stderr_tail();
}

TEST(ClientProcess, an_unreadable_answer_fails_its_call_with_the_reason) {
    const std::vector<std::pair<std::string, std::string>> kinds = {
        {"too-long", "ClientLimits::max_message_bytes"},
        {"too-long-id-last", "ClientLimits::max_message_bytes"},
        {"too-long-without-id", "ClientLimits::max_message_bytes"},
        {"too-long-without-end", "ClientLimits::max_message_bytes"},
        {"not-json", "cannot be read"},
        {"bad-utf8", "cannot be read"},
        {"too-deep", "cannot be read"},
        {"wrong-envelope", "jsonrpc"},
    };
    for (const auto& [kind, why] : kinds) {
        ClientOptions o = impatient();
        o.limits.max_message_bytes = 100'000;
        Client c(child(kind), std::move(o));
        std::string message;
        EXPECT_EQ(code_of([&] { c.call_tool("t"); }, &message), code::invalid_answer) << kind << ": " << message;
        EXPECT_NE(message.find(why), std::string::npos) << kind << ": " << message;
        if (kind == "too-long-without-end") continue;
        EXPECT_EQ(text(c.call_tool("t")), "ok") << kind << ": the connection stays usable";
    }
}

TEST(ClientProcess, an_endless_list_ends_at_each_limit_and_keeps_the_entries_read_so_far) {
    const std::vector<std::pair<std::string, std::function<void(ClientLimits&)>>> cases = {
        {"max_pages", [](ClientLimits& l) { l.max_pages = 5; }},
        {"max_list_entries", [](ClientLimits& l) { l.max_list_entries = 55; }},
        {"max_list_bytes", [](ClientLimits& l) { l.max_list_bytes = 20'000; }},
        {"list_time", [](ClientLimits& l) { l.list_time = 20ms; }},
    };
    for (const auto& [name, set] : cases) {
        ClientOptions o = impatient();
        o.limits.max_pages = 1'000'000;
        set(o.limits);
        Client c(child("endless-list"), std::move(o));
        c.connect();
        std::size_t read = 0;
        std::string message;
        code_of(
            [&] {
                for ([[maybe_unused]] const Tool& tool : c.list_tools()) ++read;
            },
            &message);
        EXPECT_NE(message.find("ClientLimits::" + name), std::string::npos) << name << ": " << message;
        EXPECT_GE(read, name == "list_time" ? 0u : 20u) << name;
        EXPECT_TRUE(name != "max_pages" || read == 50u) << read;
    }
}

TEST(ClientProcess, a_server_that_exits_fails_each_call_once_with_the_reason) {
    const std::vector<std::pair<std::string, std::string>> kinds = {
        {"dies-at-once", "status 3"}, {"dies-of-initialize", "status 6"}, {"dies-of-a-call", "out of cheese"},
        {"kills-itself", "signal 9"}, {"half-an-answer", "status 0"},     {"closes-its-output", "the server"}};
    for (const auto& [kind, why] : kinds) {
        const auto transport = child(kind);
        Client c(transport, impatient());
        std::string message;
        EXPECT_EQ(code_of([&] { c.call_tool("t"); }, &message), code::connection_closed) << kind;
        EXPECT_NE(message.find(why), std::string::npos) << kind << ": " << message;
        EXPECT_EQ(code_of([&] { c.call_tool("t"); }), code::connection_closed) << kind;
        EXPECT_EQ(transport->pid(), 0) << kind;
    }
    EXPECT_FALSE(has_children());
}

TEST(ClientProcess, a_server_killed_in_any_phase_ends_every_call) {
    for (const int before : {0, 1, 2, 3}) {
        const auto transport = process({.command = {everything}});
        ClientOptions o;
        o.restart = false;
        Client c(transport, std::move(o));
        std::vector<std::future<int>> calls;
        const auto call = [&](std::string tool, json::object arguments) {
            const auto promise = std::make_shared<std::promise<int>>();
            calls.push_back(promise->get_future());
            c.async_call_tool(std::move(tool), std::move(arguments), make_reply<ToolResult>([promise](auto r) {
                                  promise->set_value(r ? 0 : r.error().code);
                              }));
        };
        // The server is killed before the first message, during the handshake, while a call runs, and while an answer
        // is being sent.
        if (before >= 1) call("count", {{"to", 1000}, {"delay_ms", 1000}});
        if (before >= 2) c.connect();
        if (before >= 3) call("echo", {{"message", std::string(1 << 20, 'x')}});
        int pid = 0;
        while ((pid = transport->pid()) == 0) std::this_thread::yield();
        ::kill(pid, SIGKILL);
        // When the server is killed before its era is known, the client starts it once more. The test kills it again.
        if (before < 2) {
            call("count", {{"to", 1000}, {"delay_ms", 1000}});
            const auto started_again = [&] {
                const int now = transport->pid();  // read once, because the process may exit between two reads
                return now != 0 && now != pid;
            };
            while (c.era() == Era::automatic && !started_again()) std::this_thread::yield();
            if (const int second = transport->pid(); second != 0) ::kill(second, SIGKILL);
        }
        for (auto& done : calls) {
            const int code = done.get();
            EXPECT_TRUE(code == code::connection_closed || code == 0) << code;
        }
        c.close();
        EXPECT_EQ(transport->pid(), 0);
    }
    EXPECT_FALSE(has_children());
}

// rules: STDIO-2
TEST(ClientProcess, a_server_that_died_is_started_again) {
    const auto transport = process({.command = {everything}});
    ClientOptions o;
    o.limits.max_restart_wait = 1ms;
    Client c(transport, std::move(o));
    EXPECT_EQ(text(c.call_tool("echo", {{"message", "first"}})), "first");
    const int first = transport->pid();
    ::kill(first, SIGKILL);
    // A call that was sent before the end was noticed fails. The next one reaches the new process.
    int code = 0;
    do code = code_of([&] { c.call_tool("echo", {{"message", "x"}}); });
    while (code == code::connection_closed);
    EXPECT_EQ(code, 0);
    EXPECT_NE(transport->pid(), first);
}

TEST(ClientProcess, close_ends_the_wait_for_a_restart) {
    const auto transport = child("dies-of-a-call");
    ClientOptions o = impatient();
    o.restart = true;
    Client c(transport, std::move(o));
    EXPECT_EQ(code_of([&] { c.call_tool("t"); }), code::connection_closed);
    c.close();  // would take a second otherwise
    EXPECT_EQ(transport->pid(), 0);
}

// rules: STDIO-3
TEST(ClientProcess, closing_ends_the_whole_process_group_even_if_it_ignores_end_of_input_and_sigterm) {
    for (const std::string kind : {"plain", "ignores-end-of-input", "ignores-term", "has-a-child"}) {
        const auto transport = child(kind);
        Client c(transport, impatient());
        c.connect();
        const int group = transport->pid();
        EXPECT_FALSE(processes_of_group(group).empty()) << kind;
        c.close();
        wait_until_gone(group);
        EXPECT_FALSE(has_children()) << kind;
    }
}

TEST(ClientProcess, an_unanswered_call_ends_by_timeout_or_when_the_client_closes) {
    Client c(child("never-answers"), impatient());
    c.connect();
    EXPECT_EQ(code_of([&] { c.call_tool("t", {}, {.timeout = 10ms}); }), code::request_timeout);
    auto pending = std::async(std::launch::async, [&] { return code_of([&] { c.call_tool("t"); }); });
    c.close();
    EXPECT_EQ(pending.get(), code::connection_closed);
}

TEST(ClientProcess, a_server_that_never_answers_the_handshake_times_out) {
    ClientOptions o = impatient();
    o.limits.probe_time = 10ms;
    o.limits.connect_time = 50ms;
    Client c(child("silent"), std::move(o));
    EXPECT_EQ(code_of([&] { c.connect(); }), code::request_timeout);
    EXPECT_EQ(code_of([&] { c.call_tool("t"); }), code::request_timeout);
}

TEST(ClientProcess, a_missing_program_is_an_error_that_names_it) {
    for (const std::string program : {"no-such-program-anywhere", "/no/such/program"}) {
        Client c(process({.command = {program}}));
        std::string message;
        EXPECT_EQ(code_of([&] { c.connect(); }, &message), code::connection_closed);
        EXPECT_NE(message.find(program), std::string::npos) << message;
    }
    EXPECT_FALSE(has_children());
}

TEST(ClientProcess, the_child_inherits_only_a_minimal_environment) {
    ::setenv("TENON_TEST_SECRET", "x", 1);
    Client c(process({.command = {odd, "environment"}, .environment = {{"MINE", "1"}}}), impatient());
    const std::string names = text(c.call_tool("t"));
    EXPECT_NE(names.find("MINE "), std::string::npos);
    EXPECT_NE(names.find("PATH "), std::string::npos);
    EXPECT_EQ(names.find("TENON_TEST_SECRET"), std::string::npos) << names;
}

TEST(ClientProcess, calls_to_a_server_that_does_not_read_time_out_or_are_refused) {
    ClientOptions o = impatient();
    o.limits.max_queued_output_bytes = 5 << 20;
    Client c(child("stops-reading"), std::move(o));
    c.connect();
    std::vector<std::future<int>> calls;
    for (int i = 0; i < 8; ++i)
        calls.push_back(std::async(std::launch::async, [&] {
            return code_of([&] { c.call_tool("t", {{"x", std::string(2 << 20, 'x')}}, {.timeout = 20ms}); });
        }));
    int refused = 0;
    for (auto& call : calls) {
        const int code = call.get();
        EXPECT_TRUE(code == code::request_timeout || code == code::limit_reached) << code;
        refused += code == code::limit_reached ? 1 : 0;
    }
    EXPECT_GT(refused, 0) << "the limit of queued output was not enforced";
}

long resident_kilobytes() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
    return 0;
}

// Sanitizers hold freed memory back and make fork() slow.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int cycles = 100;
constexpr bool memory_means_something = false;
#else
constexpr int cycles = 1000;
constexpr bool memory_means_something = true;
#endif

TEST(ClientProcess, a_thousand_children_leak_no_descriptor_process_or_memory) {
    const auto cycle = [](int i) {
        Client c(process({.command = {odd, "plain"}}), impatient());
        if (i % 2 == 0) {
            EXPECT_EQ(text(c.call_tool("t")), "ok");
        }
    };
    for (int i = 0; i < 50; ++i) cycle(i);  // lets one-time allocations happen before the measurement
    const std::size_t descriptors = open_descriptors();
    const long memory = resident_kilobytes();
    for (int i = 0; i < cycles; ++i) cycle(i);
    EXPECT_EQ(open_descriptors(), descriptors);
    EXPECT_FALSE(has_children());
    if (memory_means_something) {
        EXPECT_LT(resident_kilobytes() - memory, 512) << "a leak of one kilobyte per child would be twice that";
    }
}

// A killed host cannot clean up, so the kernel must end its child.
TEST(ClientProcess, the_child_is_killed_when_its_host_is_killed) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t host = ::fork();
    if (host == 0) {
        ::execl("/proc/self/exe", "host", "--be-the-host", std::to_string(pipe[1]).c_str(), nullptr);
        ::_exit(1);
    }
    ::close(pipe[1]);
    int pid = 0;
    ASSERT_EQ(::read(pipe[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
    EXPECT_FALSE(group_is_gone(pid));
    ::kill(host, SIGKILL);
    ::waitpid(host, nullptr, 0);
    char byte = 0;
    EXPECT_EQ(::read(pipe[0], &byte, 1), 0);  // end of file: the child did not inherit the write end of the pipe
    ::close(pipe[0]);
    wait_until_gone(pid);
}

// The program that the test above runs: a host whose child never exits by itself.
int be_the_host(int report) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // in case the test fails
    const auto transport = child("ignores-end-of-input");
    Client c(transport, impatient());
    c.connect();
    const int pid = transport->pid();
    if (::write(report, &pid, sizeof pid) < 0) return 1;
    for (;;) ::pause();
}

}  // namespace
}  // namespace tenon

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "--be-the-host") return tenon::be_the_host(std::atoi(argv[2]));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
