// The questions that wait for an answer of the client.
// rules: LIFE-15, LIFE-16
#include <gtest/gtest.h>

#include "core/server/pending_questions.hpp"

namespace tenon::core {
namespace {

using namespace std::chrono_literals;
using Ids = std::vector<PendingQuestions::QuestionId>;

class PendingQuestionsTest : public testing::Test {
 protected:
    static CallPtr make_call(std::int64_t id) {
        static const auto peer =
            std::make_shared<const Peer>(Peer{protocol::Rules(protocol::legacy_revisions().front())});
        return std::make_shared<const Call>(jsonrpc::Id(id), peer, nullptr, json::object());
    }
    Reply<json::value> reply(const std::string& name) {
        return make_reply<json::value>(
            [this, name](Result<json::value> r) { answers_[name] = r ? json::write(*r) : r.error().message; });
    }

    std::map<std::string, std::string> answers_;  // outlives the questions, which drop their replies
    PendingQuestions questions_;
    const TimePoint start_ = {};
};

TEST_F(PendingQuestionsTest, an_answer_reaches_the_question_with_its_id_once) {
    const auto first = questions_.add(make_call(1), reply("first"), start_ + 1s);
    const auto second = questions_.add(make_call(1), reply("second"), start_ + 1s);
    EXPECT_NE(first, second);

    auto found = questions_.answered(jsonrpc::Id(second));
    ASSERT_TRUE(found);
    std::move(*found).send(json::value(7));
    EXPECT_EQ(answers_, (std::map<std::string, std::string>{{"second", "7"}}));
    EXPECT_FALSE(questions_.answered(jsonrpc::Id(second)));
    EXPECT_EQ(questions_.all(), Ids{first});
}

TEST_F(PendingQuestionsTest, an_unknown_id_matches_no_question) {
    questions_.add(make_call(1), reply("first"), start_ + 1s);
    EXPECT_FALSE(questions_.answered(jsonrpc::Id(std::int64_t{99})));
    EXPECT_FALSE(questions_.answered(jsonrpc::Id(std::string("1"))));
    EXPECT_EQ(questions_.size(), 1u);
}

TEST_F(PendingQuestionsTest, a_question_is_late_at_its_deadline) {
    const auto soon = questions_.add(make_call(1), reply("soon"), start_ + 1s);
    const auto later = questions_.add(make_call(2), reply("later"), start_ + 2s);
    EXPECT_EQ(questions_.next_deadline(), start_ + 1s);
    EXPECT_EQ(questions_.late(start_ + 1s - 1ns), Ids{});
    EXPECT_EQ(questions_.late(start_ + 1s), Ids{soon});
    EXPECT_EQ(questions_.late(start_ + 2s), (Ids{soon, later}));
}

TEST_F(PendingQuestionsTest, without_questions_there_is_no_deadline) {
    EXPECT_EQ(questions_.next_deadline(), std::nullopt);
    questions_.withdraw(questions_.add(make_call(1), reply("first"), start_ + 1s), "over");
    EXPECT_EQ(questions_.next_deadline(), std::nullopt);
}

TEST_F(PendingQuestionsTest, the_questions_of_a_call_are_those_that_it_asked) {
    const CallPtr one = make_call(1), other = make_call(1);
    const auto first = questions_.add(one, reply("first"), start_ + 1s);
    questions_.add(other, reply("second"), start_ + 1s);
    const auto third = questions_.add(one, reply("third"), start_ + 1s);
    EXPECT_EQ(questions_.asked_by(one), (Ids{first, third}));
}

TEST_F(PendingQuestionsTest, a_withdrawn_question_names_its_request_and_the_reason) {
    const CallPtr call = make_call(1);
    const auto id = questions_.add(call, reply("first"), start_ + 1s);
    PendingQuestions::Withdrawn withdrawn = questions_.withdraw(id, "too late");
    EXPECT_EQ(withdrawn.call, call);
    EXPECT_EQ(withdrawn.cancelled.json, R"({"requestId":1,"reason":"too late"})");
    EXPECT_EQ(questions_.size(), 0u);
    std::move(withdrawn.reply).send(Error{code::request_timeout, "too late"});
    EXPECT_EQ(answers_["first"], "too late");
}

TEST_F(PendingQuestionsTest, a_question_does_not_keep_its_call_alive) {
    CallPtr call = make_call(1);
    const auto id = questions_.add(call, reply("first"), start_ + 1s);
    call.reset();
    EXPECT_EQ(questions_.withdraw(id, "over").call, nullptr);
}

}  // namespace
}  // namespace tenon::core
