// The load generator against real servers: in this process over HTTP and TLS, and as a child process over stdio. The
// tests check counts, never times.
#include <gtest/gtest.h>

#include <atomic>

#include <tenon/bench.hpp>
#include <tenon/tenon.hpp>

#include "support/certificates.hpp"
#include "support/child.hpp"
#include "support/folders.hpp"

namespace tenon::test {
namespace {

using namespace std::chrono_literals;

const std::string program = test_folders::bin() + "/tenon";
const std::string everything = test_folders::bin() + "/everything";
const std::string odd = test_folders::bin() + "/program_child";

bench::Call tool(const std::string& name, const std::string& text) {
    return {.method = "tools/call",
            .params = {{"name", name}, {"arguments", json::object{{"text", text}}}},
            .expect = text};
}

// Ends after a number of requests, not after a time.
bench::Options counted(std::uint64_t requests, std::vector<bench::Call> calls = {bench::Call{}}) {
    bench::Options o;
    o.calls = std::move(calls);
    o.requests = requests;
    o.duration = 1h;
    o.warmup = 0s;
    return o;
}

class BenchHttp : public testing::Test {
 protected:
    BenchHttp() {
        limits_.max_sessions = 25;
        server_.emplace("bench", "1", ServerOptions{.limits = limits_});
        const auto text = args(arg<std::string>("text"));
        server_->tool("echo", "Gives it back", text, [](std::string t) { return t; });
        server_->tool("lie", "Gives back something else each tenth time", text,
                      [this](std::string t) { return ++lies_ % 10 == 0 ? t.substr(1) : t; });
        server_->tool("fail", "Fails", text, [](std::string t) -> std::string { throw std::runtime_error(t); });
        server_->tool("report", "Reports", text, [](Context& ctx, std::string t) {
            for (int i = 1; i <= 3; ++i) ctx.progress(i);
            return t;
        });
    }

    bench::Report run(bench::Options o, HttpOptions how = {}) {
        how.port = 0;
        HttpServer http(*server_, how);
        o.target.url = http.url();
        return bench::run(o).value();
    }

    Limits limits_;
    std::optional<Server> server_;
    std::atomic<int> lies_ = 0;
};

TEST_F(BenchHttp, counts_and_checks_every_answer_in_both_eras) {
    for (const Era era : {Era::legacy, Era::modern, Era::automatic}) {
        auto o = counted(200, {tool("echo", "{nonce:100}")});
        o.connections = 4;
        o.era = era;
        const bench::Report r = run(o);
        EXPECT_EQ(r.answers, 200u);
        EXPECT_EQ(r.wrong, 0u) << r.first_wrong;
        EXPECT_EQ(r.latency.count, 200u);
        EXPECT_EQ(r.missed, 0u);
        EXPECT_EQ(r.revision, era == Era::legacy ? "2025-11-25" : "2026-07-28");
        EXPECT_LE(r.latency.min, r.latency.p50);
        EXPECT_LE(r.latency.p50, r.latency.max);
        EXPECT_GT(r.rate(), 0);
        EXPECT_FALSE(r.server) << "no process id was given";
    }
}

TEST_F(BenchHttp, large_messages_are_sent_and_received_completely) {
    auto o = counted(8, {tool("echo", "{nonce:2000000}")});
    o.connections = 2;
    const bench::Report r = run(o);
    EXPECT_EQ(r.answers, 8u) << r.first_wrong;
}

TEST_F(BenchHttp, mixes_calls_by_weight) {
    bench::Call often = tool("echo", "{nonce}");
    often.weight = 2;
    const bench::Report r = run(counted(60, {often, bench::Call{.label = "list"}}));
    ASSERT_EQ(r.calls.size(), 2u);
    EXPECT_EQ(r.calls[0].latency.count, 40u);
    EXPECT_EQ(r.calls[1].latency.count, 20u);
    EXPECT_EQ(r.calls[1].label, "list");
}

TEST_F(BenchHttp, counts_wrong_answers_and_keeps_the_first_reason) {
    const bench::Report lies = run(counted(100, {tool("lie", "{nonce:20}")}));
    EXPECT_EQ(lies.answers, 90u);
    EXPECT_EQ(lies.wrong, 10u);
    EXPECT_TRUE(lies.first_wrong.starts_with("an unexpected result")) << lies.first_wrong;
    const bench::Report failures = run(counted(5, {tool("fail", "{nonce}")}));
    EXPECT_EQ(failures.wrong, 5u);
    EXPECT_TRUE(failures.first_wrong.starts_with("the tool failed")) << failures.first_wrong;
    const bench::Report errors = run(counted(5, {bench::Call{.method = "no/such"}}));
    EXPECT_EQ(errors.wrong, 5u);
    EXPECT_EQ(errors.answers, 0u);
}

TEST_F(BenchHttp, stops_after_max_wrong_answers) {
    auto o = counted(1'000'000'000, {tool("fail", "{nonce}")});
    o.max_wrong = 10;
    const bench::Report r = run(o);
    EXPECT_GT(r.wrong, 10u);
    EXPECT_EQ(r.answers, 0u);
}

TEST_F(BenchHttp, counts_progress_notifications) {
    for (const Era era : {Era::legacy, Era::modern}) {
        auto o = counted(20, {tool("report", "{nonce}")});
        o.calls[0].progress = true;
        o.era = era;
        const bench::Report r = run(o);
        EXPECT_EQ(r.answers, 20u) << r.first_wrong;
        EXPECT_EQ(r.notices, 60u);
    }
}

TEST_F(BenchHttp, holds_sessions_and_ends_them) {
    HttpServer http(*server_, {.port = 0});
    auto o = counted(3);
    o.target.url = http.url();
    o.pid = ::getpid();
    o.hold = 20;
    o.era = Era::legacy;
    for (int i = 0; i < 3; ++i) {  // the server allows 25 sessions
        const auto r = bench::run(o);
        ASSERT_TRUE(r) << r.error().message;
        EXPECT_EQ(r->held->sessions, 20u);
        EXPECT_GT(r->held->memory_before, 0u);
        EXPECT_GT(r->server->cpu.count(), 0);
    }
    o.era = Era::modern;
    EXPECT_EQ(bench::run(o)->held->sessions, 20u);
    o.hold = 30;
    o.era = Era::legacy;
    EXPECT_FALSE(bench::run(o)) << "the server has no room for 30 sessions";
}

TEST_F(BenchHttp, works_with_a_fixed_rate) {
    auto o = counted(50, {tool("echo", "{nonce}")});
    o.rate = 100'000;
    o.connections = 2;
    EXPECT_EQ(run(o).answers, 50u);
}

TEST_F(BenchHttp, verifies_the_servers_tls_certificate) {
    Certificates certificates;
    const auto files = certificates.sign("IP:127.0.0.1,DNS:localhost");
    HttpServer http(*server_, {.port = 0, .tls = TlsOptions{files.certificate, files.key}});
    auto o = counted(20, {tool("echo", "{nonce:100000}")});
    o.connections = 2;
    o.target.url = http.url();
    o.era = Era::legacy;
    const auto unknown = bench::run(o);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("cannot connect"), std::string::npos) << unknown.error().message;
    o.target.ca_file = certificates.ca_file;
    const auto r = bench::run(o);
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(r->answers, 20u) << r->first_wrong;
}

TEST_F(BenchHttp, stops_when_its_stop_token_is_triggered) {
    std::stop_source source;
    auto o = counted(1'000'000'000);
    o.stop = source.get_token();
    o.progress = [&](const bench::Progress& p) {
        if (p.answers > 0) source.request_stop();
    };
    EXPECT_GT(run(o).answers, 0u);
}

TEST_F(BenchHttp, refuses_contradictory_or_incomplete_options) {
    const auto complaint = [](const bench::Options& o) { return bench::run(o).error().message; };
    EXPECT_EQ(complaint({}), "there must be a URL or a command, and not both");
    bench::Options o;
    o.target.url = "http://127.0.0.1:1/mcp";
    o.era = Era::legacy;
    EXPECT_NE(complaint(o).find("cannot connect to 127.0.0.1 port 1"), std::string::npos) << complaint(o);
    o.calls = {};
    EXPECT_EQ(complaint(o), "no call was given");
    o.calls = {bench::Call{.weight = 0}};
    EXPECT_EQ(complaint(o), "a call has no weight");
    EXPECT_FALSE(bench::start_up(o, 1));
}

// ---- stdio

bench::Call echo_message() {
    bench::Call out = tool("echo", "{nonce:50}");
    out.params["arguments"] = json::object{{"message", out.expect}};
    return out;
}

TEST(BenchStdio, counts_and_checks_every_answer_in_both_eras) {
    for (const Era era : {Era::legacy, Era::modern}) {
        auto o = counted(500, {echo_message()});
        o.target.command = {everything};
        o.in_flight = 16;
        o.era = era;
        const auto r = bench::run(o);
        ASSERT_TRUE(r) << r.error().message;
        EXPECT_EQ(r->answers, 500u) << r->first_wrong;
        EXPECT_EQ(r->wrong, 0u);
        EXPECT_GT(r->server->cpu.count(), 0);
        EXPECT_GT(r->server->memory_peak, 0u);
    }
}

TEST(BenchStdio, measures_the_start_up_time) {
    auto o = counted(1);
    o.target.command = {everything};
    const auto r = bench::start_up(o, 2);
    ASSERT_TRUE(r) << r.error().message;
    EXPECT_EQ(r->count, 2u);
    EXPECT_GT(r->min.count(), 0);
}

TEST(BenchStdio, fails_when_the_server_exits) {
    auto o = counted(5, {bench::Call{.method = "tools/call", .params = {{"name", "t"}}}});
    o.target.command = {odd, "dies"};
    o.era = Era::legacy;
    EXPECT_FALSE(bench::run(o));
    o.target.command = {"/no/such/program"};
    EXPECT_FALSE(bench::run(o));
}

// ---- the program

struct Ran {
    int status;
    std::string out, err;
};

Ran run_program(std::vector<std::string> words) {
    words.insert(words.begin(), {program, "bench"});
    Child child(std::move(words));
    Ran out{child.finish().value_or(-1000), "", ""};
    for (const std::string& line : child.lines()) out.out += line + "\n";
    out.err = child.errors();
    return out;
}

TEST(TenonBench, json_option_writes_json) {
    const Ran ran = run_program({"--json", "--yes", "-n", "40", "-w", "0", "-i", "4",
                                 "3*echo message={nonce} -> {nonce}", "tools/list", "--", everything});
    ASSERT_EQ(ran.status, 0) << ran.err;
    const json::value v = json::parse(ran.out).value();
    EXPECT_EQ(v.at("answers"), json::value(40));
    EXPECT_EQ(v.at("wrong"), json::value(0));
    EXPECT_EQ(v.at("calls").at(0).at("latencyMicroseconds").at("count"), json::value(30));
    EXPECT_TRUE(v.at("server").as_object().contains("cpuMicrosecondsPerAnswer"));
    const Ran start = run_program({"--json", "--startup", "2", "--", everything});
    EXPECT_EQ(json::parse(start.out).value().at("count"), json::value(2)) << start.err;
}

TEST(TenonBench, shows_a_report) {
    const Ran ran = run_program({"-n", "10", "-w", "0", "--", everything});
    EXPECT_EQ(ran.status, 0) << ran.err;
    for (const std::string_view part : {"10 in ", " a second", "p99.9 ", "us of CPU a request", "generator "})
        EXPECT_NE(ran.out.find(part), std::string::npos) << part;
}

// rules: TOOL-13
TEST(TenonBench, exit_status_tells_wrong_answers_lost_servers_and_usage_errors_apart) {
    EXPECT_EQ(run_program({"-n", "5", "-w", "0", "--yes", "t", "--", odd, "error"}).status, 4)
        << "the answers are errors";
    EXPECT_EQ(run_program({"-n", "5", "-w", "0", "--yes", "t", "--", odd, "dies"}).status, 3);
    EXPECT_EQ(run_program({"http://127.0.0.1:1/mcp"}).status, 3);
    EXPECT_EQ(run_program({"-n", "5", "echo message=1", "--", everything}).status, 2)
        << "no tool is called without consent, whatever it claims";
    EXPECT_EQ(run_program({"-n", "5", "-c", "2", "--", everything}).status, 2) << "stdio has no connections";
    EXPECT_EQ(run_program({"-n", "none", "--", everything}).status, 2);
    EXPECT_EQ(run_program({"0*echo message=1", "--", everything}).status, 2);
    EXPECT_EQ(run_program({"echo message=1 -> two words", "--", everything}).status, 2);
}

}  // namespace
}  // namespace tenon::test
