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

RC_GTEST_PROP(TapFlow, passes_all_bytes_of_events_on_however_they_are_cut, ()) {
    const auto piece = rc::gen::elementOf(std::vector<std::string>{"data: a", "\n", "\r", "\r\n", "id: 1", ": c", "x"});
    std::string whole;
    TapFlow flow(
        16, [](std::string_view) { return false; }, tap_events);
    for (const std::string& one : *rc::gen::container<std::vector<std::string>>(piece)) {
        whole += one;
        flow.feed(one);
    }
    flow.end();
    RC_ASSERT(flow.output() == whole);
}

TEST(TapFlow, an_event_is_a_message_however_its_lines_end) {
    const std::string text = ": hello\n\nid: 1\ndata: a\n\nid: 2\r\ndata: b\r\ndata: c\r\n\r\ndata: d\r\rdata: e";
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        std::vector<std::string> seen;
        TapFlow flow(
            100, [&](std::string_view message) { return seen.emplace_back(message), false; }, tap_events);
        flow.feed(text.substr(0, cut));
        flow.feed(text.substr(cut));
        EXPECT_EQ(seen, (std::vector<std::string>{"a", "b\nc", "d"})) << cut;
        flow.end();
        EXPECT_EQ(flow.output(), text) << cut;
    }
}

TEST(TapFlow, a_changed_event_keeps_its_id) {
    TapFlow flow(
        100, [](std::string_view) { return true; }, tap_events);
    flow.feed("event: message\r\nid: 7\r\ndata: {\r\ndata: }\r\n\r\ndata: next\n\n");
    EXPECT_EQ(flow.output(), "");
    EXPECT_EQ(flow.backlog(), 12u);
    flow.release("[]");
    EXPECT_EQ(flow.output(), "event: message\nid: 7\ndata: []\n\n");
    flow.drop();
    EXPECT_EQ(flow.output(), "event: message\nid: 7\ndata: []\n\n");
}

class GateTest : public testing::Test {
 protected:
    static json::array rule(const char* direction, const char* method) {
        return {json::object{{"direction", direction}, {"method", method}}};
    }
    std::string hold(bool sent, const char* text) { return gate_.hold({sent}, text); }
    std::string held_id() { return std::string(gate_.held().at(0).at("held").as_string()); }
    Recorder recorder_{[] {}};
    TapGate gate_{recorder_};
};

TEST_F(GateTest, holds_only_what_a_rule_names) {
    gate_.set_rules(rule("sent", "tools/list"));
    EXPECT_EQ(hold(true, ping), "");
    EXPECT_EQ(hold(false, list), "");
    const std::string id = hold(true, list);
    EXPECT_NE(id, "");
    EXPECT_FALSE(gate_.take_decision(id));
    EXPECT_EQ(gate_.held().size(), 1u);
}

TEST_F(GateTest, a_response_has_the_method_of_its_request) {
    gate_.set_rules(rule("received", "ping"));
    EXPECT_EQ(hold(true, ping), "");
    EXPECT_NE(hold(false, R"({"jsonrpc":"2.0","id":1,"result":{}})"), "");
}

TEST_F(GateTest, a_held_message_is_released_changed_or_dropped_once) {
    gate_.set_rules(rule("any", "*"));
    int told = 0;
    gate_.on_decision([&] { ++told; });
    const std::string id = hold(true, ping);
    EXPECT_EQ(held_id(), id);
    EXPECT_THROW(gate_.release(id, "two\nlines"), Refusal);
    gate_.release(id, "{\n}");
    EXPECT_EQ(told, 1);
    EXPECT_THROW(gate_.drop(id), Refusal);
    EXPECT_EQ(gate_.take_decision(id)->text, "{}") << "JSON is put on one line";
    EXPECT_FALSE(gate_.take_decision(id));
    const std::string other = hold(false, ping);
    gate_.drop(other);
    EXPECT_FALSE(gate_.take_decision(id)) << "another message";
    EXPECT_TRUE(gate_.take_decision(other)->drop);
}

TEST_F(GateTest, several_messages_wait_independently) {
    gate_.set_rules(rule("any", "*"));
    const std::string one = hold(true, ping), two = hold(true, list);
    gate_.release(two, std::nullopt);
    EXPECT_FALSE(gate_.take_decision(one));
    EXPECT_TRUE(gate_.take_decision(two));
    gate_.forget(one);
    EXPECT_TRUE(gate_.held().empty());
    EXPECT_THROW(gate_.release(one, std::nullopt), Refusal);
}

TEST_F(GateTest, the_end_lets_nothing_wait) {
    gate_.set_rules(rule("any", "*"));
    hold(true, ping);
    gate_.end();
    EXPECT_TRUE(gate_.held().empty());
}

}  // namespace
}  // namespace tenon::inspect
