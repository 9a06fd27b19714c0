// The tap: passes bytes on unchanged, and holds messages at breakpoints in their order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "inspect/refusal.hpp"
#include "inspect/tap_flow.hpp"
#include "inspect/tap_gate.hpp"

namespace tenon::inspect {
namespace {

constexpr const char* ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
constexpr const char* list = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})";

RC_GTEST_PROP(TapFlow, passes_all_bytes_on_however_they_are_cut, (const std::vector<std::string>& pieces)) {
    std::string whole;
    TapFlow flow(8, [](std::string_view) { return false; });
    for (const std::string& piece : pieces) {
        whole += piece + "\r\n";
        flow.feed(piece);
        flow.feed("\r\n");
    }
    flow.feed("rest");
    flow.end();
    RC_ASSERT(flow.output() == whole + "rest");
}

TEST(TapFlow, the_gate_sees_lines_without_their_end) {
    std::vector<std::string> lines;
    TapFlow flow(100, [&](std::string_view line) {
        lines.emplace_back(line);
        return false;
    });
    flow.feed("on");
    flow.feed("e\r\n\ntwo\nthr");
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(flow.output(), "one\r\n\ntwo\n");
}

TEST(TapFlow, a_line_that_waits_stops_the_lines_after_it) {
    TapFlow flow(100, [](std::string_view line) { return line == "stop"; });
    flow.feed("a\nstop\nb\nstop\nc\n");
    EXPECT_EQ(flow.output(), "a\n");
    EXPECT_TRUE(flow.waits());
    EXPECT_FALSE(flow.wants_input());
    flow.release("changed");
    EXPECT_EQ(flow.output(), "a\nchanged\nb\n");
    flow.drop();
    EXPECT_EQ(flow.output(), "a\nchanged\nb\nc\n");
    EXPECT_TRUE(flow.wants_input());
}

TEST(TapFlow, a_line_over_the_limit_is_passed_on_without_the_gate) {
    int seen = 0;
    TapFlow flow(8, [&](std::string_view) { return ++seen, true; });
    flow.feed("123456789");
    flow.feed("0\nshort\n");
    EXPECT_EQ(flow.output(), "1234567890\n");
    EXPECT_EQ(seen, 1);
}

TEST(TapFlow, is_done_when_everything_was_written) {
    TapFlow flow(100, [](std::string_view) { return true; });
    flow.feed("a\n");
    flow.end();
    EXPECT_FALSE(flow.is_done());
    flow.release(std::nullopt);
    EXPECT_FALSE(flow.is_done());
    flow.written(2);
    EXPECT_TRUE(flow.is_done());
}

class GateTest : public testing::Test {
 protected:
    static json::array rule(const char* direction, const char* method) {
        return {json::object{{"direction", direction}, {"method", method}}};
    }
    std::string held_id() { return std::string(gate_.held().at(0).at("held").as_string()); }
    Recorder recorder_{[] {}};
    TapGate gate_{recorder_};
};

TEST_F(GateTest, holds_only_what_a_rule_names) {
    gate_.set_rules(rule("sent", "tools/list"));
    EXPECT_FALSE(gate_.must_wait(true, ping));
    EXPECT_FALSE(gate_.must_wait(false, list));
    EXPECT_TRUE(gate_.must_wait(true, list));
    EXPECT_FALSE(gate_.take_decision(true));
    EXPECT_EQ(gate_.held().size(), 1u);
}

TEST_F(GateTest, a_response_has_the_method_of_its_request) {
    gate_.set_rules(rule("received", "ping"));
    EXPECT_FALSE(gate_.must_wait(true, ping));
    EXPECT_TRUE(gate_.must_wait(false, R"({"jsonrpc":"2.0","id":1,"result":{}})"));
}

TEST_F(GateTest, a_held_message_is_released_changed_or_dropped_once) {
    gate_.set_rules(rule("any", "*"));
    int told = 0;
    gate_.on_decision([&] { ++told; });
    gate_.must_wait(true, ping);
    const std::string id = held_id();
    EXPECT_THROW(gate_.release(id, "two\nlines"), Refusal);
    gate_.release(id, "{}");
    EXPECT_EQ(told, 1);
    EXPECT_THROW(gate_.drop(id), Refusal);
    EXPECT_EQ(gate_.take_decision(true)->text, "{}");
    EXPECT_FALSE(gate_.take_decision(true));
    gate_.must_wait(false, ping);
    gate_.drop(held_id());
    EXPECT_FALSE(gate_.take_decision(true)) << "the other direction";
    EXPECT_TRUE(gate_.take_decision(false)->drop);
}

TEST_F(GateTest, the_end_lets_nothing_wait) {
    gate_.set_rules(rule("any", "*"));
    gate_.must_wait(true, ping);
    gate_.end();
    EXPECT_TRUE(gate_.held().empty());
}

}  // namespace
}  // namespace tenon::inspect
