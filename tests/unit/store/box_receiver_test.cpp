// The receiver of a box, with a backend that refuses reads.
#include <gtest/gtest.h>

#include <vector>

#include "store/box_receiver.hpp"
#include "store/delayed_work.hpp"

namespace {

using namespace tenon;
using std::chrono::milliseconds;

/// A backend whose reads and pauses the test decides.
struct FakeBackend {
    std::vector<Reply<store::EventBatch>> reads;
    std::vector<std::pair<milliseconds, std::function<void()>>> later;
    std::function<void()> wake;
    std::vector<std::string> taken;
    store::Subscription subscription;

    FakeBackend() {
        const auto receiver = std::make_shared<store::BoxReceiver>(
            store::BoxReceiver::Source{[this](auto reply) { reads.push_back(std::move(reply)); },
                                       [this](auto wait, auto work) { later.emplace_back(wait, std::move(work)); },
                                       milliseconds(50), milliseconds(300)},
            [this](std::string bytes) { taken.push_back(std::move(bytes)); });
        subscription = receiver->watch([this](std::function<void()> f) {
            wake = std::move(f);
            return store::Subscription();
        });
    }
    void answer(Result<store::EventBatch> batch) {
        auto read = std::move(reads.back());
        reads.pop_back();
        std::move(read).send(std::move(batch));
    }
    void refuse() { answer(store::unavailable("too many operations")); }
    milliseconds pass_pause() {
        auto [wait, work] = std::move(later.back());
        later.pop_back();
        work();
        return wait;
    }
};

store::EventBatch with(std::string bytes) {
    store::EventBatch out;
    out.events.push_back({1, std::move(bytes)});
    out.last = 1;
    return out;
}

TEST(BoxReceiver, a_refused_read_is_repeated_after_a_pause) {
    FakeBackend backend;
    backend.wake();
    backend.refuse();
    ASSERT_TRUE(backend.reads.empty());
    backend.pass_pause();
    ASSERT_EQ(backend.reads.size(), 1u);
    backend.answer(with("the answer"));
    EXPECT_EQ(backend.taken, std::vector<std::string>{"the answer"});
    EXPECT_TRUE(backend.later.empty());
}

TEST(BoxReceiver, the_pauses_grow_up_to_a_limit_and_begin_again_after_a_success) {
    FakeBackend backend;
    backend.wake();
    std::vector<milliseconds> pauses;
    for (int i = 0; i < 5; ++i) {
        backend.refuse();
        pauses.push_back(backend.pass_pause());
    }
    EXPECT_EQ(pauses, (std::vector<milliseconds>{milliseconds(50), milliseconds(100), milliseconds(200),
                                                 milliseconds(300), milliseconds(300)}));
    backend.answer(store::EventBatch());  // the box is empty
    EXPECT_TRUE(backend.later.empty());
    backend.wake();
    backend.refuse();
    EXPECT_EQ(backend.pass_pause(), milliseconds(50));
}

TEST(BoxReceiver, wake_ups_between_refused_reads_start_no_second_pause) {
    FakeBackend backend;
    for (int i = 0; i < 3; ++i) {
        backend.wake();
        backend.refuse();
    }
    EXPECT_EQ(backend.later.size(), 1u);
}

TEST(BoxReceiver, an_ended_subscription_reads_no_more) {
    FakeBackend backend;
    backend.wake();
    backend.refuse();
    backend.subscription.reset();
    backend.pass_pause();
    EXPECT_TRUE(backend.reads.empty());
}

TEST(BoxReceiver, an_error_that_repeating_cannot_change_starts_no_pause) {
    FakeBackend backend;
    backend.wake();
    backend.answer(Error{code::store_not_found, "the store has no such stream"});
    EXPECT_TRUE(backend.later.empty());
}

TEST(DelayedWork, is_taken_in_the_order_of_its_times_and_bounded) {
    store::DelayedWork work(2);
    std::string done;
    const TimePoint begin{};
    work.add(begin + milliseconds(20), [&] { done += 'b'; });
    work.add(begin + milliseconds(10), [&] { done += 'a'; });
    work.add(begin, [&] { done += 'x'; });  // too much
    EXPECT_EQ(work.next(), begin + milliseconds(10));
    EXPECT_TRUE(work.take_due(begin + milliseconds(9)).empty());
    for (const auto& one : work.take_due(begin + milliseconds(20))) one();
    EXPECT_EQ(done, "ab");
    EXPECT_FALSE(work.next());
}

}  // namespace
