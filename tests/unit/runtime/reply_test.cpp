// rules: RPC-7
#include <gtest/gtest.h>

#include <thread>

#include <tenon/detail/bind.hpp>
#include <tenon/reply.hpp>

namespace tenon {
namespace {

using Answers = std::vector<std::string>;

Reply<int> into(Answers& answers) {
    return make_reply<int>(
        [&answers](Result<int> r) { answers.push_back(r ? std::to_string(*r) : r.error().message); });
}

// Answering twice does not compile: a Reply cannot be copied, and send() consumes it.
static_assert(!std::is_copy_constructible_v<Reply<int>> && !std::is_copy_assignable_v<Reply<int>>);
template <class T>
concept SendsAsLvalue = requires(Reply<T>& reply, T value) {
    reply.send(value);
};
static_assert(!SendsAsLvalue<int>);

TEST(Reply, delivers_the_sent_value) {
    Answers answers;
    into(answers).send(7);
    EXPECT_EQ(answers, Answers{"7"});
}

TEST(Reply, a_dropped_reply_is_an_error) {
    Answers answers;
    { const Reply<int> dropped = into(answers); }
    EXPECT_EQ(answers, Answers{"the handler gave no answer"});
}

TEST(Reply, a_sent_reply_answers_only_once) {
    Answers answers;
    Reply<int> reply = into(answers);
    std::move(reply).send(1);
    EXPECT_FALSE(reply);             // NOLINT(bugprone-use-after-move)
    std::move(reply).send(2);        // NOLINT(bugprone-use-after-move)
    std::move(reply).fail("three");  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(answers, Answers{"1"});
}

TEST(Reply, moving_a_reply_moves_the_duty_to_answer) {
    Answers answers;
    Reply<int> first = into(answers);
    Reply<int> second = std::move(first);
    EXPECT_TRUE(answers.empty());
    std::move(second).fail("no");
    EXPECT_EQ(answers, Answers{"no"});
}

TEST(Reply, assigning_over_a_reply_drops_it) {
    Answers answers;
    Reply<int> reply = into(answers);
    reply = into(answers);
    EXPECT_EQ(answers, Answers{"the handler gave no answer"});
    std::move(reply).send(2);
    EXPECT_EQ(answers, (Answers{"the handler gave no answer", "2"}));
}

TEST(Reply, an_empty_reply_is_harmless) {
    Reply<int> empty;
    std::move(empty).send(1);
}

TEST(FirstAnswer, two_threads_give_one_answer) {
    for (int round = 0; round < 200; ++round) {
        Answers answers;
        {
            const auto first = std::make_shared<detail::FirstAnswer<int>>(into(answers));
            std::jthread a([first] { first->send(1); });
            std::jthread b([first] { first->send(2); });
        }
        ASSERT_EQ(answers.size(), 1U);
    }
}

TEST(FirstAnswer, without_an_answer_the_reply_is_an_error) {
    Answers answers;
    { const detail::FirstAnswer<int> never(into(answers)); }
    EXPECT_EQ(answers, Answers{"the handler gave no answer"});
}

}  // namespace
}  // namespace tenon
