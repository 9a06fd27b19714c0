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

}  // namespace
}  // namespace tenon::test
