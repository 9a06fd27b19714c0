// Tests of the oracle itself: it must detect errors when requests share an id, and must not report correct answers.
#include <gtest/gtest.h>

#include "property/model.hpp"

namespace tenon::test {
namespace {

std::string call(std::string_view tool, std::string_view message) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + std::string(tool) +
           R"(","arguments":{"message":")" + std::string(message) + "\"}}}";
}
std::string text(std::string_view message) {
    return R"({"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":")" + std::string(message) + "\"}]}}";
}
std::string error(int code) {
    return R"({"jsonrpc":"2.0","id":1,"error":{"code":)" + std::to_string(code) + R"(,"message":"no"}})";
}

struct LedgerOfAPipe : testing::Test {
    Ledger ledger{{.tools = {"echo", "other"}, .revision = "2025-11-25"}, Ledger::Timing::loose};
};

TEST_F(LedgerOfAPipe, accepts_answers_with_one_id_in_any_order) {
    // The duplicate is refused, the unknown tool is refused, and the first call may have any answer. No fixed order of
    // assigning answers to requests works for all cases.
    for (const auto& line : {call("other", "a"), call("none", "b"), call("echo", "c")}) ledger.sent(line);
    for (const auto& line : {error(-32600), error(-32602), text("whatever")}) {
        EXPECT_FALSE(ledger.settled());
        EXPECT_EQ(ledger.received(line), "");
    }
    EXPECT_TRUE(ledger.settled());
}

TEST_F(LedgerOfAPipe, detects_a_text_that_no_request_sent) {
    for (const auto& line : {call("echo", "a"), call("echo", "b")}) ledger.sent(line);
    EXPECT_EQ(ledger.received(text("b")), "");
    EXPECT_NE(ledger.received(text("c")), "");
}

TEST_F(LedgerOfAPipe, detects_a_repeated_answer) {
    for (const auto& line : {call("echo", "a"), call("echo", "b")}) ledger.sent(line);
    EXPECT_EQ(ledger.received(text("a")), "");
    EXPECT_NE(ledger.received(text("a")), "");
}

TEST_F(LedgerOfAPipe, detects_one_answer_too_many) {
    for (const auto& line : {call("other", "a"), call("other", "b")}) ledger.sent(line);
    EXPECT_EQ(ledger.received(text("a")), "");
    EXPECT_EQ(ledger.received(text("b")), "");
    EXPECT_NE(ledger.received(text("c")), "");
}

TEST_F(LedgerOfAPipe, detects_a_missing_answer) {
    for (const auto& line : {call("echo", "a"), call("echo", "b")}) ledger.sent(line);
    EXPECT_EQ(ledger.received(error(-32600)), "");
    EXPECT_FALSE(ledger.settled());
    EXPECT_NE(ledger.owed(), "");
}

TEST_F(LedgerOfAPipe, a_cancelled_request_may_be_answered_only_until_rest) {
    ledger.sent(call("echo", "a"));
    ledger.sent(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    EXPECT_TRUE(ledger.settled());
    EXPECT_EQ(Ledger(ledger).received(text("a")), "");
    ledger.rest();
    EXPECT_NE(ledger.received(text("a")), "");
}

// The answer to the cancelled request could be taken for the answer to the other one, which then seems settled.
TEST_F(LedgerOfAPipe, a_cancelled_request_with_a_shared_id_is_unclear) {
    const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
    ledger.sent(call("other", "a"));
    EXPECT_FALSE(ledger.unclear(call("other", "b")));
    EXPECT_FALSE(ledger.unclear(cancel));
    Ledger shared = ledger;
    shared.sent(call("other", "b"));
    EXPECT_TRUE(shared.unclear(cancel));
    ledger.sent(cancel);
    EXPECT_FALSE(ledger.unclear(cancel));
    EXPECT_TRUE(ledger.unclear(call("other", "b")));
}

// The first answer came before the third request was sent, so it cannot belong to it.
TEST_F(LedgerOfAPipe, an_answer_never_belongs_to_a_later_request) {
    for (const auto& line : {call("other", "a"), call("none", "b")}) ledger.sent(line);
    EXPECT_EQ(ledger.received(text("a")), "");
    ledger.sent(call("echo", "a"));
    EXPECT_EQ(Ledger(ledger).received(text("a")), "");
    EXPECT_NE(ledger.received(text("b")), "");
}

TEST(LedgerOfTheCore, an_answer_goes_first_to_the_request_that_fits_no_other_answer) {
    Ledger ledger{{.tools = {"other"}, .revision = "2025-06-18"}, Ledger::Timing::exact};
    const auto with_id = [](std::string_view rest) { return R"({"id":1e-7)" + std::string(rest) + "}"; };
    ledger.sent(with_id(R"(,"jsonrpc":"2.0","method":"tools/call","params":{"name":"other"})"));
    ledger.sent(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1e-7}})");
    ledger.sent(with_id(R"(,"jsonrpc":"2.0","method":"prompts/get","params":{"name":"letter"})"));
    ledger.sent(with_id(""));
    EXPECT_EQ(ledger.received(with_id(R"(,"jsonrpc":"2.0","error":{"code":-32600,"message":"no"})")), "");
    EXPECT_EQ(ledger.received(with_id(R"(,"jsonrpc":"2.0","error":{"code":-32603,"message":"no"})")), "");
    EXPECT_TRUE(ledger.settled());
}

struct LedgerOfBatches : testing::Test {
    Ledger ledger{{.tools = {"echo", "other"}, .revision = "2025-03-26"}, Ledger::Timing::exact};
    static std::string batch(std::string_view first, std::string_view second) {
        return "[" + std::string(first) + "," + std::string(second) + "]";
    }
    static constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})";
    static constexpr std::string_view pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";
    static constexpr std::string_view cancel =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
    /// Opens a batch. While it is open, the ledger cannot know whether an id is still in use.
    void open_batch() { ledger.sent(R"([{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"other"}}])"); }
};

TEST_F(LedgerOfBatches, the_answers_of_a_batch_may_come_in_any_order) {
    for (const auto& answers : {batch(pong, text("a")), batch(text("a"), pong)}) {
        for (const auto& requests : {batch(ping, call("echo", "a")), batch(call("echo", "a"), ping)}) {
            ledger.sent(requests);
            EXPECT_EQ(ledger.received(answers), "") << requests << answers;
            EXPECT_TRUE(ledger.settled());
        }
    }
}

// Only the cancelled request can have the error, so the other request must still get its text.
TEST_F(LedgerOfBatches, a_cancelled_request_may_have_the_only_answer_that_fits_it) {
    open_batch();
    ledger.sent(call("none", "a"));
    ledger.sent(cancel);
    ledger.sent(call("other", "b"));
    EXPECT_EQ(ledger.received(error(-32602)), "");
    EXPECT_EQ(ledger.received(text("b")), "");
    EXPECT_NE(ledger.received(text("b")), "");
}

TEST_F(LedgerOfBatches, a_request_sent_after_all_answers_is_not_a_duplicate) {
    open_batch();
    for (const auto& line : {call("other", "a"), call("echo", "b")}) ledger.sent(line);
    EXPECT_EQ(ledger.received(error(-32600)), "");
    EXPECT_EQ(ledger.received(text("a")), "");
    ledger.sent(call("echo", "c"));
    EXPECT_EQ(Ledger(ledger).received(text("c")), "");
    EXPECT_NE(ledger.received(error(-32600)), "");
}

// While a batch is open, the ledger cannot know whether an id is still in use.
TEST(LedgerOfTheCore, a_duplicate_id_error_goes_to_the_second_request_with_the_id) {
    Ledger ledger{{.tools = {"other"}, .revision = "2025-03-26"}, Ledger::Timing::exact};
    ledger.sent(R"([{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"other"}}])");
    ledger.sent(call("other", "a"));
    ledger.sent(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})");
    EXPECT_EQ(ledger.received(error(-32600)), "");
    ledger.sent(R"({"jsonrpc":"2.0","id":1,"method":"none"})");
    EXPECT_EQ(ledger.received(error(-32600)), "");
    EXPECT_EQ(ledger.received(text("a")), "");
    EXPECT_NE(ledger.received(text("a")), "");
}

struct LedgerOfTheCoreWithOneId : testing::Test {
    Ledger ledger{{.tools = {"echo", "other"}, .revision = "2025-11-25"}, Ledger::Timing::exact};
    const std::string cancel = R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
    LedgerOfTheCoreWithOneId() {
        for (const auto& line : {call("other", "a"), call("other", "b")}) ledger.sent(line);
        EXPECT_EQ(ledger.received(error(-32600)), "");
    }
};

TEST_F(LedgerOfTheCoreWithOneId, every_further_request_is_a_duplicate_while_the_first_runs) {
    ledger.sent(call("echo", "c"));
    EXPECT_EQ(ledger.received(error(-32600)), "");
    EXPECT_FALSE(ledger.settled());
    EXPECT_EQ(ledger.received(text("a")), "");
    EXPECT_TRUE(ledger.settled());
    EXPECT_NE(ledger.received(text("c")), "");
}

TEST_F(LedgerOfTheCoreWithOneId, a_cancelled_request_is_never_answered) {
    ledger.sent(cancel);
    EXPECT_TRUE(ledger.settled());
    EXPECT_NE(Ledger(ledger).received(text("a")), "");
    EXPECT_NE(ledger.received(error(-32600)), "");
}

TEST_F(LedgerOfTheCoreWithOneId, the_id_is_free_after_a_cancellation) {
    ledger.sent(cancel);
    ledger.sent(call("echo", "c"));
    EXPECT_NE(Ledger(ledger).received(error(-32600)), "");
    EXPECT_EQ(ledger.received(text("c")), "");
    EXPECT_TRUE(ledger.settled());
}

}  // namespace
}  // namespace tenon::test
