// The test kit for users: dialogues in both eras, principals, the fake clock, recorded files, and the check of replays.
#include <tenon/testing.hpp>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace tenon {
namespace {

using tenon::test_kit::Dialogue;
using tenon::test_kit::FakeClock;

struct TestKit : ::testing::TestWithParam<Era> {
    TestKit() {
        server.tool("add", "Adds", args(arg<int>("a"), arg<int>("b")), [](int a, int b) { return a + b; });
        server.tool("who", "Says who calls", [](Context& ctx) { return ctx.principal(); });
        server.tool("fail", "Fails", []() -> std::string { throw ProtocolError({code::internal_error, "broken"}); });
    }
    Server server{"test", "1"};
};

TEST_P(TestKit, calls_tools_in_both_eras) {
    Dialogue dialogue(server, {.era = GetParam()});
    EXPECT_EQ(dialogue.call("add", {{"a", 2}, {"b", 3}}).at("structuredContent").at("result"), json::value(5));
    EXPECT_THROW(dialogue.call("fail"), Exception);
    EXPECT_THROW(dialogue.request("no/such"), Exception);
}

TEST_P(TestKit, knows_the_principal) {
    Dialogue alice(server, {.era = GetParam(), .principal = "alice"});
    Dialogue bob(server, {.era = GetParam(), .principal = "bob"});
    EXPECT_EQ(alice.call("who").at("content").at(0).at("text"), json::value("alice"));
    EXPECT_EQ(bob.call("who").at("content").at(0).at("text"), json::value("bob"));
    ClientOptions options;
    options.era = GetParam();
    Client carol = tenon::test_kit::memory_client(server, "carol", options);
    EXPECT_EQ(std::get<TextContent>(carol.call_tool("who").content.at(0)).text, "carol");
}

TEST_P(TestKit, compares_a_dialogue_with_a_file) {
    const test::TemporaryFolder folder;
    const std::string file = (folder / "add.txt").string();
    const auto play = [&](int b) {
        Dialogue dialogue(server, {.era = GetParam()});
        dialogue.call("add", {{"a", 2}, {"b", b}});
        return dialogue;
    };
    EXPECT_NE(play(3).compare(file).find("TENON_RECORD=1"), std::string::npos);
    ::setenv("TENON_RECORD", "1", 1);
    EXPECT_EQ(play(3).compare(file), "");
    ::unsetenv("TENON_RECORD");
    EXPECT_EQ(play(3).compare(file), "");
    EXPECT_EQ(play(4).compare(file).substr(0, 7), "line 1\n");
}

INSTANTIATE_TEST_SUITE_P(Eras, TestKit, ::testing::Values(Era::legacy, Era::modern));

TEST(TestKitClock, moves_only_by_hand_and_copies_share_it) {
    const FakeClock clock;
    const FakeClock copy = clock;
    const TimePoint before = clock.now();
    EXPECT_EQ(clock.now(), before);
    copy.advance(std::chrono::seconds(3));
    EXPECT_EQ(clock.now(), before + std::chrono::seconds(3));
}

TEST(TestKitClock, notifications_are_kept_apart_from_responses) {
    Server server("test", "1");
    server.tool("a", "A", [] {});
    Dialogue dialogue(server, {.era = Era::legacy});
    server.tool("b", "B", [] {});
    dialogue.advance(std::chrono::seconds(1));
    const auto sent = dialogue.take_notifications();
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].at("method"), json::value("notifications/tools/list_changed"));
    EXPECT_TRUE(dialogue.take_notifications().empty());
}

// Plays a call with one question, and returns the warnings of the server.
std::vector<std::string> warnings_of(std::function<std::string(Context&)> handler, bool check = true) {
    std::vector<std::string> out;
    ServerOptions options;
    options.check_replay = check;
    options.log = [&out](const LogRecord& r) {
        if (r.level == LogLevel::warning) out.emplace_back(r.message);
    };
    Server server("test", "1", std::move(options));
    server.tool("ask", "Asks", std::move(handler));
    Dialogue dialogue(server, {.capabilities = {{"elicitation", json::object()}}});
    const json::value asked = dialogue.call("ask");
    EXPECT_EQ(asked.at("resultType"), json::value("input_required"));
    json::object again{{"name", "ask"}, {"arguments", json::object()}, {"requestState", asked.at("requestState")}};
    json::object answers;
    for (const auto& question : asked.at("inputRequests").as_object())
        answers.emplace(question.key(), json::object{{"action", "accept"}, {"content", json::object()}});
    again.emplace("inputResponses", std::move(answers));
    EXPECT_EQ(dialogue.request("tools/call", std::move(again)).at("resultType"), json::value("complete"));
    return out;
}

const json::object empty_form{{"type", "object"}, {"properties", json::object()}};

TEST(ReplayCheck, warns_when_a_handler_asks_another_question_the_second_time) {
    int rows = 0;
    const auto careless = [&rows](Context& ctx) {
        const int row = ++rows;  // a side effect outside of once()
        ctx.elicit("Keep row " + std::to_string(row) + "?", empty_form);
        return std::string("kept");
    };
    const auto warnings = warnings_of(careless);
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("`ask` ran again after an answer of the client"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("question `input-1` (elicitation/create)"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("Keep row 2?"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[0].find("ctx.once()"), std::string::npos);
    EXPECT_TRUE(warnings_of(careless, false).empty());
}

TEST(ReplayCheck, is_silent_when_side_effects_are_in_once) {
    int rows = 0;
    EXPECT_TRUE(warnings_of([&rows](Context& ctx) {
                    const int row = ctx.once("insert", [&rows] { return ++rows; });
                    ctx.elicit("Keep row " + std::to_string(row) + "?", empty_form);
                    return std::string("kept");
                }).empty());
    EXPECT_EQ(rows, 1);
}

}  // namespace
}  // namespace tenon
