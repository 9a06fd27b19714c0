// The limits of a store that the conformance suite does not reach.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tenon/store/memory.hpp>

#include "support/store_answer.hpp"

namespace {

using namespace tenon;
using test::answer_of;
constexpr auto an_hour = std::chrono::hours(1);

Result<void> set(Store& store, const std::string& key, const std::string& value) {
    return answer_of<void>([&](auto reply) { store.values().set(key, value, an_hour, std::move(reply)); });
}

void publish(Store& store, const std::string& bytes) {
    store.bus().publish("topic", bytes, make_reply<void>([](Result<void>&&) {}));
}

/// Counts what a subscription gets.
struct Seen {
    int messages = 0, gaps = 0;
    store::Listener listener() {
        return {[this](std::string_view) { ++messages; }, [this] { ++gaps; }};
    }
};

TEST(StoreLimit, a_full_memory_store_refuses_writes_and_keeps_its_content) {
    StoreOptions options;
    options.limits.max_memory_bytes = 10'000;
    const auto store = memory_store(options);
    ASSERT_TRUE(set(*store, "small", "kept"));
    const auto refused = set(*store, "large", std::string(10'000, 'x'));
    ASSERT_FALSE(refused);
    EXPECT_TRUE(store::is_unavailable(refused.error()));
    EXPECT_NE(refused.error().message.find("StoreLimits::max_memory_bytes is 10000"), std::string::npos)
        << refused.error().message;
    const auto kept =
        answer_of<std::optional<std::string>>([&](auto reply) { store->values().get("small", std::move(reply)); });
    EXPECT_EQ(kept.value(), "kept");
    EXPECT_TRUE(set(*store, "another", "fits"));
}

TEST(StoreLimit, a_subscription_over_the_limit_gets_a_gap_instead_of_messages) {
    StoreOptions options;
    options.limits.max_subscriptions = 1;
    const auto store = memory_store(options);
    Seen first, second;
    auto held = store->bus().subscribe("topic", first.listener());
    const auto over = store->bus().subscribe("topic", second.listener());
    publish(*store, "m");
    EXPECT_EQ(first.messages, 1);
    EXPECT_EQ(second.messages, 0);
    EXPECT_GE(second.gaps, 1);
    held.reset();
    Seen third;
    const auto again = store->bus().subscribe("topic", third.listener());
    publish(*store, "m");
    EXPECT_EQ(third.messages, 1) << "an ended subscription makes room";
}

// A listener that publishes gets its own messages later: they wait until it returns.
TEST(StoreLimit, messages_over_the_limit_of_a_slow_listener_end_in_a_gap) {
    StoreOptions options;
    options.limits.max_waiting_messages = 3;
    const auto store = memory_store(options);
    int messages = 0, gaps = 0;
    const auto subscription = store->bus().subscribe("topic", {[&](std::string_view) {
                                                                   if (++messages > 1) return;
                                                                   for (int i = 0; i < 10; ++i) publish(*store, "more");
                                                               },
                                                               [&] { ++gaps; }});
    const int before = gaps;
    publish(*store, "first");
    EXPECT_GT(gaps, before);
    EXPECT_LT(messages, 11);
}

TEST(StoreLimit, a_read_returns_at_most_max_batch_bytes_but_at_least_one_event) {
    StoreOptions options;
    options.limits.max_batch_bytes = 25;
    const auto store = memory_store(options);
    const store::StreamName stream{"group", "stream"};
    for (int i = 0; i < 4; ++i) {
        const auto id = answer_of<store::EventId>(
            [&](auto reply) { store->events().append(stream, std::string(10, 'x'), false, {}, std::move(reply)); });
        ASSERT_TRUE(id);
    }
    const auto read = [&](std::size_t bytes) {
        return answer_of<store::EventBatch>(
                   [&](auto reply) { store->events().read(stream, 0, 100, bytes, std::move(reply)); })
            .value()
            .events.size();
    };
    EXPECT_EQ(read(1'000'000), 2u);
    EXPECT_EQ(read(1), 1u);
}

}  // namespace
