#include "tools/tenon/bench_call.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"
#include "screen.hpp"
#include "tools/tenon/bench_report.hpp"

namespace tenon::program {
namespace {

Tool adder(const std::string& name) {
    Tool out;
    out.name = name;
    out.inputSchema = json::parse(R"({"type":"object","required":["n"],"properties":{"n":{"type":"integer"},
                                      "text":{"type":"string"}}})")
                          .value()
                          .as_object();
    return out;
}

Tool no_tool(const std::string& name) { throw usage_failure("asked for " + name); }

TEST(BenchCall, is_a_tool_with_typed_arguments) {
    const bench::Call call = bench_call("add n=3 text='two words'", adder);
    EXPECT_EQ(call.method, "tools/call");
    EXPECT_EQ(json::write(json::value(call.params)), R"({"name":"add","arguments":{"n":3,"text":"two words"}})");
    EXPECT_EQ(call.weight, 1u);
    EXPECT_EQ(call.expect, "");
    EXPECT_EQ(call.label, "add n=3 text='two words'");
}

TEST(BenchCall, can_be_a_method_without_a_schema) {
    EXPECT_EQ(bench_call("ping", no_tool).method, "ping");
    const bench::Call call = bench_call("resources/read uri=note://x n=3 flag:=true", no_tool);
    EXPECT_EQ(call.method, "resources/read");
    EXPECT_EQ(json::write(json::value(call.params)), R"({"uri":"note://x","n":3,"flag":true})");
}

TEST(BenchCall, has_a_weight_and_an_expectation) {
    const bench::Call call = bench_call("12*add n=1 text={nonce:32} -> '{nonce:32} !'", adder);
    EXPECT_EQ(call.weight, 12u);
    EXPECT_EQ(call.expect, "{nonce:32} !");
    EXPECT_EQ(call.params.at("name"), json::value("add"));
    EXPECT_EQ(bench_call("3d/list", no_tool).method, "3d/list");
}

TEST(BenchCall, errors_name_the_problem_and_the_fix) {
    const auto complaint = [](const std::string& text) { return failure_of([&] { bench_call(text, adder); }); };
    EXPECT_EQ(complaint(""), "`` is not a call | name a tool or a method: 'echo text=hi', 'tools/list'");
    EXPECT_EQ(complaint("3*"), "`3*` is not a call | name a tool or a method: 'echo text=hi', 'tools/list'");
    EXPECT_EQ(complaint("0*add n=1"), "`0*add` has an invalid weight | a weight is between 1 and 1000");
    EXPECT_EQ(complaint("add n=1 -> a b"),
              "expected exactly one word after -> in `add n=1 -> a b` | put quotes around it: -> 'two words'");
    EXPECT_EQ(complaint("a/b c:={"), "`{` is not JSON");
    EXPECT_NE(complaint("add n=x"), "");
    EXPECT_NE(complaint("add"), "");
}

TEST(BenchLine, shows_elapsed_time_rate_and_wrong_answers) {
    using namespace std::chrono_literals;
    EXPECT_EQ(bench_line({.elapsed = 2s, .answers = 400}, 5s).view(), "2.0 of 5.0 s, 200 answers a second");
    EXPECT_EQ(bench_line({.warming_up = true, .elapsed = 1s, .answers = 7, .wrong = 2}, 5s).view(),
              "warming up, 7 answers a second, 2 wrong");
}

}  // namespace
}  // namespace tenon::program
